/**
 * Receipt routes, which are stored by supplier account: those of all customers for some days together. Routes of a day are sealed
 * when all its messages are.
 */
import { messageIdFloor } from '@pahatid/db';
import { ceilDay, dateOfDay, idsOfDays, toDay } from '@pahatid/db/queries/verify/days';
import { findFirstMessage, readRouteBuckets, readRouteFaults } from '@pahatid/db/queries/verify/receipts';
import { listSealedRoutes, sealRoutes } from '@pahatid/db/queries/verify/seals';
import { endOfIds, type IdRange, withSnapshot } from '@pahatid/db/queries/verify/snapshot';
import type { Pool, PoolClient } from 'pg';
import type { Findings } from './difference.ts';

/** Carriers give up after days and their ids wrap: older routes are no longer used and may be deleted. */
const ROUTE_AGE_MS = 40 * 86_400_000;
/** Minutes looked at closely by one statement. */
const BUCKETS = 500;

export interface RouteOptions {
  /** null: all. */
  readonly customerId: string | null;
  readonly sinceMs: number;
  /** Days before this one may be sealed, except for `open` ones; null: none is. */
  readonly end: number | null;
  readonly open: ReadonlySet<number>;
  /** Sealed days are compared again. */
  readonly all: boolean;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export const checkRoutes = async (pool: Pool, findings: Findings, options: RouteOptions): Promise<void> => {
  const { customerId, all, onProgress } = options;
  const first = await findFirstMessage(pool);
  const wholeDays = [ceilDay(Date.now() - ROUTE_AGE_MS), toDay(first ?? messageIdFloor(Date.now()))];
  const since = messageIdFloor(options.sinceMs);
  const low = wholeDays.map((day) => idsOfDays(day, day).low).reduce((a, b) => (a > b ? a : b), since);
  const end = options.end ?? 0;
  const isSealable = (day: number) => day < end && idsOfDays(day, day).low >= low && !options.open.has(day);
  const sealed = all ? [] : (await listSealedRoutes(pool, low)).filter(isSealable);
  for (const days of stretchesFrom(toDay(low), new Set(sealed), end)) {
    onProgress?.(`receipt routes from ${dateOfDay(days[0] ?? 0)}`);
    const before = findings.count;
    const range = rangeOf(days, low);
    await withSnapshot(pool, (tx) => checkRange(tx, findings, customerId, range));
    // A seal is of all customers.
    const due = findings.count === before && customerId === null ? days.filter(isSealable) : [];
    if (due.length > 0) await sealRoutes(pool, due);
  }
};

/** Days that are not sealed, one after the other, of one month, on one side of `end`. The last one has no end. */
function* stretchesFrom(first: number, sealed: ReadonlySet<number>, end: number): Generator<number[]> {
  let stretch: number[] = [];
  // Ids may lie a little ahead of the clock.
  const last = Math.max(first, toDay(messageIdFloor(Date.now())) + 1);
  for (let day = first; day <= last; day++) {
    const isNext = day !== end && !dateOfDay(day).endsWith('-01') && !sealed.has(day);
    if (!isNext && stretch.length > 0) {
      yield stretch;
      stretch = [];
    }
    if (!sealed.has(day)) stretch.push(day);
  }
  if (stretch.length > 0) yield stretch;
}

const rangeOf = (days: readonly number[], floor: bigint): IdRange => {
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const { low, high } = idsOfDays(first, last);
  const isLast = last > toDay(messageIdFloor(Date.now()));
  return { low: low < floor ? floor : low, high: isLast ? endOfIds : high };
};

async function checkRange(
  tx: PoolClient,
  findings: Findings,
  customerId: string | null,
  range: IdRange,
): Promise<void> {
  const { buckets, routes } = await readRouteBuckets(tx, customerId, range);
  findings.looked.routes += routes;
  for (let from = 0; from < buckets.length; from += BUCKETS) {
    for (const fault of await readRouteFaults(tx, buckets.slice(from, from + BUCKETS), range)) {
      const { messageId, parts, routed } = fault;
      const at = { check: 'route', customerId: fault.customerId, messageId } as const;
      if (parts === null) {
        const fix = { how: 'dropRoute', customerId: fault.customerId, messageId } as const;
        findings.add({ ...at, what: 'message', kept: `${routed} ways back`, derived: 'does not exist', fix });
      } else findings.compare({ ...at, what: 'parts with a way back' }, routed, parts);
    }
  }
}
