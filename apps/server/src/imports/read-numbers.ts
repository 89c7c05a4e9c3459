/** Numbers that a person or a program passes in a call: each valid one once, rejected ones by position. */
import { type MsisdnRefusal, parseMsisdn } from '@pahatid/domain';

export interface ReadNumbers<T> {
  readonly valid: readonly { readonly msisdn: string; readonly from: T }[];
  readonly rejected: { index: number; reason: MsisdnRefusal }[];
  /** Number of repetitions within the call. */
  readonly repeatedCount: number;
}

export function readNumbers<T>(given: readonly T[], numberOf: (each: T) => string): ReadNumbers<T> {
  const valid = new Map<string, T>();
  const rejected: { index: number; reason: MsisdnRefusal }[] = [];
  let repeatedCount = 0;
  for (const [index, from] of given.entries()) {
    const parsed = parseMsisdn(numberOf(from));
    if (!parsed.ok) rejected.push({ index, reason: parsed.reason });
    else if (valid.has(parsed.msisdn)) repeatedCount += 1;
    else valid.set(parsed.msisdn, from);
  }
  return { valid: [...valid].map(([msisdn, from]) => ({ msisdn, from })), rejected, repeatedCount };
}
