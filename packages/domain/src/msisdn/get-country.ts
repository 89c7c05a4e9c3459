import { parseMsisdn } from './parse-msisdn.ts';

/** Country of a number that has been found valid before. Nearly all are Philippine and need no numbering plan. */
export function getCountry(msisdn: string): string {
  if (msisdn.startsWith('63')) return 'PH';
  const parsed = parseMsisdn(`+${msisdn}`);
  return parsed.ok ? parsed.country : 'PH';
}
