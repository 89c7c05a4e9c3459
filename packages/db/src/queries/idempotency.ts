/**
 * Requests that may be sent twice (a double click, a retry after a lost answer) and must act once. The key is inserted
 * in the transaction that acts, so a second request waits for the first to end: if it committed, its answer is given
 * again; if it failed, the second one acts.
 */
import { type Db, one, run, sql } from '../sql.ts';

export interface KeptAnswer {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly response: unknown;
}

/** Null: the key is this request's. Otherwise what an earlier request with the key was and was answered. */
export const takeKey = async (
  tx: Db,
  key: { customerId: string; key: string; requestHash: Buffer },
): Promise<KeptAnswer | null> => {
  const taken = await run(
    tx,
    sql`insert into idempotency_key (customer_id, key, request_hash) values (${key.customerId}, ${key.key}, ${key.requestHash})
        on conflict do nothing`,
  );
  if (taken === 1) return null;
  const row = await one(
    tx,
    sql<{ request_hash: Buffer; status: number | null; response: unknown }>`select request_hash, status, response
      from idempotency_key where customer_id = ${key.customerId} and key = ${key.key}`,
  );
  return { requestHash: row.request_hash, status: row.status, response: row.response };
};

export const keepAnswer = async (
  tx: Db,
  key: { customerId: string; key: string },
  answer: { status: number; response: unknown },
): Promise<void> => {
  await run(
    tx,
    sql`update idempotency_key set status = ${answer.status}, response = ${JSON.stringify(answer.response)}
        where customer_id = ${key.customerId} and key = ${key.key}`,
  );
};

/** Keys older than `ageMs` may be used anew. */
export const sweepKeys = async (db: Db, ageMs: number): Promise<number> =>
  run(db, sql`delete from idempotency_key where created_at < now() - ${ageMs}::float8 * interval '1 millisecond'`);
