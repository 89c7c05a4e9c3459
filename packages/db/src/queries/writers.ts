/**
 * Writer numbers. A process that creates message IDs or moves counters leases one of 256: IDs of two processes can
 * never be equal, and each process has its own rows of report_minute, balance and task_progress, so none waits for
 * another.
 *
 * The row stores `last_ms`, an instant *ahead* of every ID its owner may allocate. The next owner starts past it, so a
 * number taken over from a dead or paused process never repeats an ID, whatever the two clocks show.
 */
import type pg from 'pg';
import { MessageIdSource } from '../ids.ts';
import { maybe, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';
import { ensurePartitionsAtStart } from './partition-making.ts';

/** A dead process gives its number back after this. */
const WRITER_LEASE_MS = 30_000;
/** Renew this often. */
export const WRITER_RENEW_MS = 10_000;
/** How far ahead of the clock ids are promised: the owner may miss several renewals before it must stop. */
const AHEAD_MS = 120_000;

/** Ids of a leased number: never past the instant the lease was promised up to. */
class LeasedIds extends MessageIdSource {
  readonly #promise: { untilMs: number };

  constructor(writer: number, floorMs: number, promise: { untilMs: number }) {
    // A clock set forward must not run past the promise: the ids of a whole second stay in hand.
    super(writer, floorMs, () => Math.min(Date.now(), promise.untilMs - 1_000));
    this.#promise = promise;
  }

  override take(count: number): bigint {
    const first = super.take(count);
    if (this.lastMs > this.#promise.untilMs) throw new Error('the lease of the writer number was not renewed in time');
    return first;
  }
}

export interface WriterLease {
  /** Ids of the number held now; read it at each use, because a number that was lost is replaced by another. */
  readonly ids: MessageIdSource;
  readonly writer: number;
  /** Call every `WRITER_RENEW_MS`. Takes another number if this one was lost; IDs already allocated stay unique. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** Leases a writer number for `ownerId` (a UUID of the process). */
export const leaseWriter = async (pool: pg.Pool, ownerId: string): Promise<WriterLease> => {
  await ensurePartitionsAtStart(pool);
  let held = await takeWriter(pool, ownerId);
  return {
    get ids() {
      return held.ids;
    },
    get writer() {
      return held.ids.writer;
    },
    async renew() {
      const untilMs = Math.max(Date.now(), held.ids.lastMs) + AHEAD_MS;
      const renewed = await run(
        pool,
        sql`update writer_lease set lease_until = ${dbNowPlus(WRITER_LEASE_MS)}, last_ms = greatest(last_ms, ${untilMs})
            where writer = ${held.ids.writer} and owner = ${ownerId}`,
      );
      if (renewed === 1) held.promise.untilMs = Math.max(held.promise.untilMs, untilMs);
      else held = await takeWriter(pool, ownerId);
    },
    async release() {
      await run(
        pool,
        sql`update writer_lease set owner = null, lease_until = '-infinity', last_ms = ${held.ids.lastMs}
            where writer = ${held.ids.writer} and owner = ${ownerId}`,
      );
    },
  };
};

const takeWriter = async (pool: pg.Pool, ownerId: string) => {
  // The number with the smallest last_ms: one released in order rather than one whose reservation lies in the future.
  const row = await maybe<{ writer: number; floorMs: string; untilMs: string }>(
    pool,
    sql`with free as (
          select writer, last_ms from writer_lease where lease_until < ${dbNow()}
          order by last_ms, writer limit 1 for update skip locked)
        update writer_lease w
        set owner = ${ownerId}, lease_until = ${dbNowPlus(WRITER_LEASE_MS)}, last_ms = greatest(free.last_ms, ${Date.now()}::bigint) + ${AHEAD_MS}
        from free where w.writer = free.writer
        returning w.writer, free.last_ms as "floorMs", w.last_ms as "untilMs"`,
  );
  if (row === null) throw new Error('all 256 writer numbers are leased: too many processes run');
  const promise = { untilMs: Number(row.untilMs) };
  return { promise, ids: new LeasedIds(row.writer, Number(row.floorMs), promise) };
};
