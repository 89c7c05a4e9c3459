/**
 * Refusals of numbers that were erased since: known by a keyed hash alone. The key lives outside the database, so each
 * process that knows it says so once at its start; a process that does not can't overlook such a refusal, it fails.
 */
import { type Db, many, maybe, run, sql } from '../sql.ts';

/** Keyed hash of a number, 32 bytes, of its own for each customer. */
export type HashNumber = (customerId: string, msisdn: string) => Buffer;

let hashNumber: HashNumber | null = null;

export const useNumberHash = (hash: HashNumber): void => {
  hashNumber = hash;
};

const hasAny = async (db: Db, customerId: string): Promise<boolean> =>
  (await maybe(db, sql`select 1 from erased_opt_out where customer_id = ${customerId} limit 1`)) !== null;

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

/** Turns the number's refusal into one of nobody known; answers how many there were, none or one. */
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
