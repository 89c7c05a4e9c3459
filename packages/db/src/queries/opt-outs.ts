/** Numbers that opted out of a customer's marketing. Replies from recipients are added here by `receipts.ts`. */
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { withdrawConsents } from './consents.ts';
import { ofCustomer } from './real-customers.ts';
import { endsWith } from './shown-messages.ts';

export interface OptOutRow {
  customerId: string;
  msisdn: string;
  source: string;
  evidence: string | null;
  addedBy: string | null;
  createdAt: Date;
  createdKey: string;
  /** The number, or its salted hash. */
  tieKey: string;
}

export interface OptOutFilter {
  /** Null: staff. */
  customerId: string | null;
  msisdnPrefix?: string | undefined;
  msisdnSuffix?: string | undefined;
  source?: string | undefined;
  /** Salt of the order of what came in one instant, for roles that see masked numbers; null: by number. */
  salt: string | null;
  after: readonly [createdKey: string, tieKey: string] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

export const listOptOuts = async (db: Db, filter: OptOutFilter): Promise<OptOutRow[]> => {
  const tie = filter.salt === null ? sql`o.msisdn` : sql`md5(${filter.salt}::text || o.msisdn)`;
  const { past, orderBy } = pageBy(
    [
      [sql`o.created_at`, 'timestamptz'],
      [tie, 'text'],
    ],
    { isDescending: filter.isReversed !== true, after: filter.after },
  );
  const conditions: Fragment<unknown>[] = [ofCustomer(sql`o.customer_id`, filter.customerId), past];
  const prefix = filter.msisdnPrefix;
  if (prefix !== undefined) conditions.push(sql`o.msisdn >= ${prefix}`, sql`o.msisdn <= ${prefix + '9'.repeat(15)}`);
  if (filter.msisdnSuffix !== undefined) conditions.push(endsWith(sql`o.msisdn`, filter.msisdnSuffix));
  if (filter.source !== undefined) conditions.push(sql`o.source = ${filter.source}`);
  return many(
    db,
    sql<OptOutRow>`select o.customer_id as "customerId", o.msisdn, o.source, o.evidence, u.name as "addedBy",
        o.created_at as "createdAt", o.created_at::text as "createdKey", ${tie} as "tieKey"
      from (select * from opt_out o where ${sql.join(conditions, sql` and `)}
        order by ${orderBy} limit ${filter.limit}) o
      left join app_user u on u.user_id = o.added_by order by ${orderBy}`,
  );
};

/** Adds numbers to the list, which withdraws their consent; existing entries keep their data. Returns how many are new. */
export const addOptOuts = async (
  tx: Db,
  add: { customerId: string; msisdns: readonly string[]; source: string; evidence: string; addedBy: string | null },
): Promise<number> => {
  if (add.msisdns.length === 0) return 0;
  const { n } = await one(
    tx,
    sql<{ n: number }>`with made as (
        insert into opt_out (customer_id, msisdn, source, evidence, added_by, created_at)
        select ${add.customerId}::uuid, msisdn, ${add.source}, nullif(${add.evidence}, ''), ${add.addedBy}::uuid,
          clock_timestamp()
        from unnest(${add.msisdns}::text[]) as msisdn
        on conflict (customer_id, msisdn) do nothing returning 1)
      select count(*)::int as n from made`,
  );
  await withdrawConsents(tx, add.customerId, add.msisdns);
  return n;
};

/** Returns the data of the removed opt-out; null if there was none. */
export const removeOptOut = async (
  tx: Db,
  customerId: string,
  msisdn: string,
): Promise<{ source: string; evidence: string | null; createdAt: Date } | null> =>
  maybe(
    tx,
    sql`delete from opt_out where customer_id = ${customerId} and msisdn = ${msisdn}
        returning source, evidence, created_at as "createdAt"`,
  );

/** Likewise of a number that was erased since, known by its hash. */
export const removeErasedOptOut = async (tx: Db, customerId: string, hash: Buffer): Promise<boolean> =>
  (await run(tx, sql`delete from erased_opt_out where customer_id = ${customerId} and msisdn_hash = ${hash}`)) === 1;
