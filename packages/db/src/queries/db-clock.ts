import { type RawBuilder, sql } from '../sql.ts';

/**
 * The database's instant. Leases and schedules compare with it, never with a machine's own clock; `offsetMs` moves it
 * in tests and is 0 elsewhere.
 */
export const dbNow = (offsetMs = 0): RawBuilder<Date> =>
  offsetMs === 0
    ? sql<Date>`clock_timestamp()`
    : sql<Date>`(clock_timestamp() + ${offsetMs}::float8 * interval '1 millisecond')`;

/** An instant `ms` from now. */
export const dbNowPlus = (ms: number, offsetMs = 0): RawBuilder<Date> =>
  sql<Date>`(clock_timestamp() + ${ms + offsetMs}::float8 * interval '1 millisecond')`;
