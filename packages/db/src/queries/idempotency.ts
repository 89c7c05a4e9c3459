/**
 * Requests that may be sent twice (a double click, a retry after a lost response) and must take effect once. The key is
 * inserted in the transaction that executes the request, so a second request waits for the first to end: if it
 * committed, its response is returned again; if it failed, the second one executes.
 */
import { type Db, many, one, prepared, run, sql } from '../sql.ts';

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
  return await one(
    tx,
    sql<KeptAnswer>`select request_hash as "requestHash", status, response
      from idempotency_key where customer_id = ${key.customerId} and key = ${key.key}`,
  );
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

/** Keys older than `ageMs` may be reused. */
export const sweepKeys = async (db: Db, ageMs: number): Promise<number> =>
  run(db, sql`delete from idempotency_key where created_at < now() - ${ageMs}::float8 * interval '1 millisecond'`);

/** For several concurrent requests, in one order of keys, so that two such transactions can't deadlock. */
export interface WantedKey {
  readonly customerId: string;
  readonly key: string;
  readonly requestHash: Buffer;
}

/** `takeKey` for several: what earlier requests with these keys were answered, by key; those not in it are ours now. */
export const takeKeys = async (tx: Db, wanted: readonly WantedKey[]): Promise<Map<string, KeptAnswer>> => {
  if (wanted.length === 0) return new Map();
  const rows = [...wanted].sort((a, b) => (a.key < b.key ? -1 : 1));
  const taken = await many<{ key: string }>(
    tx,
    prepared(sql`insert into idempotency_key (customer_id, key, request_hash)
        select * from unnest(${rows.map((row) => row.customerId)}::uuid[], ${rows.map((row) => row.key)}::text[],
          ${rows.map((row) => row.requestHash)}::bytea[])
        on conflict do nothing returning key`),
  );
  const ours = new Set(taken.map((row) => row.key));
  const others = rows.filter((row) => !ours.has(row.key));
  return findAnswers(tx, others);
};

/** What requests with these keys were answered, by key. */
export const findAnswers = async (
  db: Db,
  wanted: readonly Pick<WantedKey, 'customerId' | 'key'>[],
): Promise<Map<string, KeptAnswer>> => {
  if (wanted.length === 0) return new Map();
  const rows = await many<KeptAnswer & { key: string }>(
    db,
    prepared(sql`select k.key, k.request_hash as "requestHash", k.status, k.response
        from unnest(${wanted.map((row) => row.customerId)}::uuid[], ${wanted.map((row) => row.key)}::text[]) as i(customer_id, key)
        join idempotency_key k on k.customer_id = i.customer_id and k.key = i.key`),
  );
  return new Map(rows.map(({ key, ...answer }) => [key, answer]));
};

/** Stores responses of keys that are ours, and releases the keys of refused requests: they may be retried. */
export const settleKeys = async (
  tx: Db,
  kept: readonly { customerId: string; key: string; status: number; response: unknown }[],
  refused: readonly { customerId: string; key: string }[],
): Promise<void> => {
  if (kept.length > 0)
    await run(
      tx,
      prepared(sql`update idempotency_key k set status = i.status, response = i.response::jsonb
          from unnest(${kept.map((row) => row.customerId)}::uuid[], ${kept.map((row) => row.key)}::text[],
            ${kept.map((row) => row.status)}::smallint[], ${kept.map((row) => JSON.stringify(row.response))}::text[])
            as i(customer_id, key, status, response)
          where k.customer_id = i.customer_id and k.key = i.key`),
    );
  if (refused.length > 0)
    await run(
      tx,
      prepared(sql`delete from idempotency_key k
          using unnest(${refused.map((row) => row.customerId)}::uuid[], ${refused.map((row) => row.key)}::text[]) as i(customer_id, key)
          where k.customer_id = i.customer_id and k.key = i.key`),
    );
};
