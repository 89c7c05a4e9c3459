/**
 * How software submitted a message, in one text stored with the message: its receipts repeat the addresses as they were
 * written. The destination is kept as its difference from the message's number, so that erasing that erases both.
 *
 *     registered_delivery source_ton source_npi dest_ton dest_npi digits_left_out prefix source_addr
 */
export interface SubmittedTerms {
  readonly registeredDelivery: number;
  readonly sourceTon: number;
  readonly sourceNpi: number;
  readonly source: string;
  readonly destinationTon: number;
  readonly destinationNpi: number;
  readonly destination: string;
}

export function writeTerms(terms: SubmittedTerms, msisdn: string): string {
  const { destination } = terms;
  let same = 0;
  while (same < msisdn.length && destination.at(-1 - same) === msisdn.at(-1 - same)) same++;
  return [
    terms.registeredDelivery,
    terms.sourceTon,
    terms.sourceNpi,
    terms.destinationTon,
    terms.destinationNpi,
    msisdn.length - same,
    destination.slice(0, destination.length - same),
    terms.source,
  ].join(' ');
}

export function readTerms(text: string, msisdn: string): SubmittedTerms {
  const [asked, sourceTon, sourceNpi, destinationTon, destinationNpi, leftOut, prefix = '', source = ''] =
    text.split(' ');
  return {
    registeredDelivery: Number(asked),
    sourceTon: Number(sourceTon),
    sourceNpi: Number(sourceNpi),
    source,
    destinationTon: Number(destinationTon),
    destinationNpi: Number(destinationNpi),
    destination: prefix + msisdn.slice(Number(leftOut)),
  };
}
