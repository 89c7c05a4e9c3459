/** Open event streams, each a lease of the process that serves it. Never run in a customer's scope. */
import type pg from 'pg';
import { type Db, one, run, sql } from '../sql.ts';
import { withTransaction } from '../with-transaction.ts';

export interface NewStream {
  readonly streamId: string;
  readonly processId: string;
  readonly sessionHash: Buffer;
  /** null: staff, which are counted by session only. */
  readonly customerId: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly perSession: number;
  readonly perCustomer: number;
}

/**
 * Reserves a slot for a stream; returns false if the session or the customer has used all of its slots. Concurrent
 * calls never exceed the limit.
 */
export const takeStream = (pool: pg.Pool, stream: NewStream): Promise<boolean> =>
  withTransaction(pool, async (tx) => {
    const { streamId, processId, sessionHash, customerId, now, expiresAt, perSession, perCustomer } = stream;
    // The session first, then the customer: always in this order, so that two calls never deadlock.
    await lock(tx, sessionHash.toString('hex'));
    if (customerId !== null) await lock(tx, customerId);
    await run(tx, sql`delete from event_stream where expires_at <= ${now}`);
    const open = await one<{ session: number; customer: number }>(
      tx,
      sql`select (select count(*)::int from event_stream where session_hash = ${sessionHash}) as session,
                 (select count(*)::int from event_stream where customer_id = ${customerId}::uuid) as customer`,
    );
    if (open.session >= perSession || open.customer >= perCustomer) return false;
    await run(
      tx,
      sql`insert into event_stream (stream_id, process_id, session_hash, customer_id, expires_at)
          values (${streamId}, ${processId}, ${sessionHash}, ${customerId}, ${expiresAt})`,
    );
    return true;
  });

const lock = async (tx: Db, key: string): Promise<void> => {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('event_stream ' || ${key}, 0))`);
};

export const endStream = (db: Db, streamId: string): Promise<number> =>
  run(db, sql`delete from event_stream where stream_id = ${streamId}`);

export const renewStreams = (db: Db, processId: string, expiresAt: Date): Promise<number> =>
  run(db, sql`update event_stream set expires_at = ${expiresAt} where process_id = ${processId}`);
