/**
 * Seals what is final: stretches of a customer's closed days are compared, each on a separate snapshot, and days without
 * a difference are sealed. What differs is left to the comparison of the customer, which reports it. After an
 * interruption, the next run goes on with what is not sealed.
 */
import { messageIdFloor } from '@pahatid/db';
import { dateOfDay, idsOfDays } from '@pahatid/db/queries/verify/days';
import {
  dropOldSeals,
  type Fingerprint,
  readFingerprints,
  readSeals,
  type Seal,
  saveSeals,
} from '@pahatid/db/queries/verify/seals';
import { readRecordsBefore, withSnapshot } from '@pahatid/db/queries/verify/snapshot';
import type { Pool } from 'pg';
import { checkRange, type RangeOptions } from './check-range.ts';
import { DaySums } from './day-sums.ts';
import { Findings } from './difference.ts';

const MESSAGES = 200_000;

export interface SealOptions extends RangeOptions {
  readonly customerId: string;
  /** Days that may be sealed, from `first` up to `end`, which is left out. */
  readonly first: number;
  readonly end: number;
  /** Sealed days are compared again. */
  readonly all: boolean;
  /** Messages compared on one snapshot; a day has all its messages in one. */
  readonly messages?: number | undefined;
}

/** Returns the days sealed by this run. */
export const sealDays = async (pool: Pool, findings: Findings, options: SealOptions): Promise<Set<number>> => {
  const { customerId, first, end, all } = options;
  const sealed = new Set<number>();
  if (first >= end) return sealed;
  const { low, high } = idsOfDays(first, end - 1);
  await dropOldSeals(pool, customerId, low);
  const seals = new Map((await readSeals(pool, customerId, low)).map((seal) => [seal.day, seal]));
  const prints = await withSnapshot(pool, (tx) => readFingerprints(tx, customerId, { low, high }));
  const isDue = ({ day, text, isClosed }: Fingerprint) => isClosed && (all || seals.get(day)?.fingerprint !== text);
  for (const stretch of stretchesOf(prints, isDue, options.messages ?? MESSAGES)) {
    for (const seal of await sealStretch(pool, findings, stretch, options)) {
      sealed.add(seal.day);
      compareSeals(findings, customerId, seals.get(seal.day), seal);
    }
  }
  return sealed;
};

/** Days that are due, in stretches without any other day between them. */
function* stretchesOf(
  prints: readonly Fingerprint[],
  isDue: (print: Fingerprint) => boolean,
  limit: number,
): Generator<Fingerprint[]> {
  let stretch: Fingerprint[] = [];
  let messages = 0;
  for (const print of prints) {
    if (stretch.length > 0 && (!isDue(print) || messages + print.messages > limit)) {
      yield stretch;
      [stretch, messages] = [[], 0];
    }
    if (!isDue(print)) continue;
    stretch.push(print);
    messages += print.messages;
  }
  if (stretch.length > 0) yield stretch;
}

/** Compares a stretch; if anything of it differs, each half, down to single days. */
async function sealStretch(
  pool: Pool,
  findings: Findings,
  stretch: readonly Fingerprint[],
  options: SealOptions,
): Promise<Seal[]> {
  const own = new Findings(0);
  const seals = await withSnapshot(pool, async (tx) => {
    const { customerId } = options;
    const range = idsOfDays(stretch[0]?.day ?? 0, stretch.at(-1)?.day ?? 0);
    if (messageIdFloor(await readRecordsBefore(tx, customerId)) > range.low) return [];
    const days = await checkRange(tx, own, customerId, range, options);
    if (own.count > 0) return [];
    return (await readFingerprints(tx, customerId, range)).flatMap(({ day, text, isClosed }) => {
      const sums = days.get(day) ?? new DaySums();
      return isClosed && sums.isSettled ? [sums.toSeal(day, text)] : [];
    });
  });
  if (own.count > 0) {
    if (stretch.length === 1) return [];
    const middle = stretch.length >> 1;
    const before = await sealStretch(pool, findings, stretch.slice(0, middle), options);
    return [...before, ...(await sealStretch(pool, findings, stretch.slice(middle), options))];
  }
  if (seals.length > 0) await saveSeals(pool, options.customerId, seals);
  findings.addLooked(own);
  findings.days.sealed += seals.length;
  options.onProgress?.(findings.looked.messages);
  return seals;
}

/** What is counted is as it was: then the messages must be, too. */
function compareSeals(findings: Findings, customerId: string, before: Seal | undefined, now: Seal): void {
  if (before === undefined || before.fingerprint !== now.fingerprint || before.checksum === now.checksum) return;
  const [kept, derived] = [String(before.checksum), String(now.checksum)];
  findings.add({ check: 'seal', customerId, what: `messages of ${dateOfDay(now.day)}`, kept, derived });
}
