/** Digits common to every spelling of a number: without the country code, and without a national prefix. */
const nationalDigits = (msisdn: string): string => (msisdn.startsWith('63') ? msisdn.slice(2) : msisdn);

/** Whether a text contains a number, in any of the world's digits and with any characters in between. */
export function mentionsNumber(text: string, msisdn: string): boolean {
  if (text.length < nationalDigits(msisdn).length) return false;
  return text
    .normalize('NFKC')
    .replaceAll(/\P{Nd}/gu, '')
    .includes(nationalDigits(msisdn));
}
