/** Digits that a number keeps in every spelling of it: without the country's, and without what a country dials before. */
const nationalDigits = (msisdn: string): string => (msisdn.startsWith('63') ? msisdn.slice(2) : msisdn);

/** Whether a text holds a number, in whichever digits of the world and with whatever between them. */
export function mentionsNumber(text: string, msisdn: string): boolean {
  if (text.length < nationalDigits(msisdn).length) return false;
  return text
    .normalize('NFKC')
    .replaceAll(/\P{Nd}/gu, '')
    .includes(nationalDigits(msisdn));
}
