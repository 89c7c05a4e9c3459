import { type Fragment, sql } from '../sql.ts';

/**
 * The database's instant. Leases and schedules compare with it, never with a machine's own clock; `offsetMs` moves it
 * in tests and is 0 elsewhere.
 */
export const dbNow = (offsetMs = 0): Fragment<Date> =>
  offsetMs === 0
    ? sql<Date>`clock_timestamp()`
    : sql<Date>`(clock_timestamp() + ${offsetMs}::float8 * interval '1 millisecond')`;

/** An instant `ms` from now. */
export const dbNowPlus = (ms: number, offsetMs = 0): Fragment<Date> =>
  sql<Date>`(clock_timestamp() + ${ms + offsetMs}::float8 * interval '1 millisecond')`;

/**
 * Longer than any lease lasts from its renewal (6 to 8 s). A lease that ends later than this from now was granted
 * before the clock was set back, and is ignored: otherwise the work of dead processes would wait for the clock.
 */
export const LONGEST_LEASE_MS = 30_000;

/** For a nullable column: no process holds it now. */
export const isFree = (until: Fragment<unknown>, offsetMs = 0): Fragment<boolean> =>
  sql<boolean>`(${until} is null or ${until} <= ${dbNow(offsetMs)} or ${until} > ${dbNowPlus(LONGEST_LEASE_MS, offsetMs)})`;
