/** The letter of authorisation that a customer signs for a carrier: in English, as the carriers ask for it, on one page. */
import type { Carrier, CompanyDetails } from '@pahatid/contract';
import { makePdf, pageWidth } from './pdf-file.ts';
import { drawLine, placeText, type TextStyle } from './pdf-text.ts';

const carrierNames: Record<Carrier, string> = {
  Globe: 'Globe Telecom, Inc.',
  Smart: 'Smart Communications, Inc.',
  DITO: 'DITO Telecommunity Corporation',
};

export interface LetterContent {
  company: CompanyDetails;
  senderId: string;
  carrier: Carrier;
  domains: readonly string[];
  now: Date;
}

const margin = 64;
const body: TextStyle = { size: 10.5 };
const heading: TextStyle = { size: 13, isBold: true };
const gap = 10;

/** Returns the PDF. */
export function makeLetterOfAuthorisation(content: LetterContent): Buffer {
  const title = `Letter of authorisation for sender ID ${content.senderId}`;
  const { legalName, address, registrationNumber, signatory, signatoryTitle } = content.company;
  const width = pageWidth - 2 * margin;
  const drawn: string[] = [];
  let y = margin;
  const write = (text: string, style: TextStyle = body): void => {
    const { operators, next } = placeText(text, { x: margin, y, width }, style);
    drawn.push(operators);
    y = next + gap;
  };
  write(legalName, heading);
  write(`${address}\nRegistration number ${registrationNumber}`);
  y += gap;
  write(writeDate(content.now));
  write(carrierNames[content.carrier]);
  y += gap;
  write(title, heading);
  for (const paragraph of paragraphs(content)) write(paragraph);
  y += 3 * gap;
  write(`For ${legalName}:`);
  y += 4 * gap;
  const dateAt = margin + 290;
  drawn.push(drawLine(margin, y, 240), drawLine(dateAt, y, margin + width - dateAt));
  drawn.push(placeText(`${signatory}\n${signatoryTitle}`, { x: margin, y: y + 6, width: 240 }, body).operators);
  drawn.push(placeText('Date', { x: dateAt, y: y + 6, width: 100 }, body).operators);
  return makePdf(drawn.join('\n'), { title, author: legalName, now: content.now });
}

function paragraphs({ company, senderId, carrier, domains }: LetterContent): string[] {
  const links =
    domains.length === 0
      ? 'Texts under this sender ID contain no links.'
      : `Texts under this sender ID may link to these domains and their subdomains:\n${listDomains(domains)}`;
  return [
    `${company.legalName} authorises its messaging provider to register the sender ID ${senderId} with ${carrierNames[carrier]}, and to send text messages under it on our behalf.`,
    links,
    'We own the name shown as sender ID or have the right to use it. We are responsible for what the texts say, and we have the consent of their recipients that the Data Privacy Act of 2012 (Republic Act No. 10173) requires.',
    'This authorisation is valid until we withdraw it in writing.',
  ];
}

/** Below each other, as far as they leave room for the signature. */
const listDomains = (domains: readonly string[]): string =>
  domains.length > 6 ? domains.join(', ') : domains.map((domain) => `•  ${domain}`).join('\n');

const writeDate = (now: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Manila' }).format(now);
