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
 * No lease lasts longer from its renewal (they are of 6 to 8 s). One that ends later than this from now was given
 * before the clock was set back, and says nothing any more: else the work of the dead would wait for the clock.
 */
export const LONGEST_LEASE_MS = 30_000;

/** Of a nullable column: nobody holds it now. */
export const isFree = (until: Fragment<unknown>, offsetMs = 0): Fragment<boolean> =>
  sql<boolean>`(${until} is null or ${until} <= ${dbNow(offsetMs)} or ${until} > ${dbNowPlus(LONGEST_LEASE_MS, offsetMs)})`;
