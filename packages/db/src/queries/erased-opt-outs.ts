/**
 * Opt-outs of numbers erased since: identified only by a keyed hash. The key is stored outside the database, so each
 * process that has it sets it once at its start; a process without it can't overlook such an opt-out, it fails.
 */
import { isDistributed } from '../distributed.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';

/** Keyed hash of a number, 32 bytes, different for each customer. */
export type HashNumber = (customerId: string, msisdn: string) => Buffer;

let hashNumber: HashNumber | null = null;

export const useNumberHash = (hash: HashNumber): void => {
  hashNumber = hash;
};

const hasAny = async (db: Db, customerId: string): Promise<boolean> =>
  (await maybe(db, sql`select 1 from erased_opt_out where customer_id = ${customerId} limit 1`)) !== null;

/** Those of the customers that have any. */
export const listErasedOptOuts = async (db: Db, customerIds: readonly string[]): Promise<string[]> => {
  if (customerIds.length === 0) return [];
  if (await isDistributed(db)) return await listOneByOne(db, customerIds);
  const rows = await many(
    db,
    sql<{ id: string }>`select i.id from unnest(${[...customerIds]}::uuid[]) as i(id) cross join lateral (
      select 1 from erased_opt_out e where e.customer_id = i.id limit 1) e`,
  );
  return rows.map(({ id }) => id);
};

const listOneByOne = async (db: Db, customerIds: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const customerId of customerIds) if (await hasAny(db, customerId)) found.push(customerId);
  return found;
};

/** Those of the numbers that refused this customer's marketing and were erased. */
export const findErasedOptOuts = async (
  db: Db,
  customerId: string,
  msisdns: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (msisdns.length === 0 || !(await hasAny(db, customerId))) return new Set();
  const hash = hashNumber;
  if (hash === null) throw new Error('the key of erased numbers is not known to this process');
  const byHash = new Map(msisdns.map((msisdn) => [hash(customerId, msisdn).toString('hex'), msisdn]));
  const rows = await many(
    db,
    sql<{ hash: string }>`select encode(msisdn_hash, 'hex') as hash from erased_opt_out
      where customer_id = ${customerId} and msisdn_hash = any(${[...byHash.keys()].map((hex) => `\\x${hex}`)}::bytea[])`,
  );
  return new Set(rows.flatMap((row) => byHash.get(row.hash) ?? []));
};

/** Anonymizes the number's opt-out; returns how many there were, none or one. */
export const hideOptOut = async (
  tx: Db,
  { customerId, msisdn, hash, at }: { customerId: string; msisdn: string; hash: Buffer; at: Date },
): Promise<number> =>
  run(
    tx,
    sql`with gone as (
          delete from opt_out where customer_id = ${customerId} and msisdn = ${msisdn} returning source, created_at)
        insert into erased_opt_out (customer_id, msisdn_hash, source, created_at, erased_at)
        select ${customerId}, ${hash}, source, created_at, ${at} from gone
        on conflict (customer_id, msisdn_hash) do update set erased_at = excluded.erased_at`,
  );
