import { makePool, many, type RawBuilder, sql } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { withDatabase } from './with-database.ts';

interface Difference {
  readonly customerId: string;
  /** UTC day, or null for what is no matter of days. */
  readonly day: string | null;
  readonly what: string;
  readonly kept: string;
  readonly derived: string;
}

const SHOWN = 50;

/** Derives what is counted from what it was counted from, in one snapshot, and shows where the two differ. */
export const verifyCommand: Command = async (words, env) => {
  readOptions(words, []);
  return withDatabase(env, async ({ url }) => {
    const pool = makePool({ url, applicationName: 'pahatid verify', max: 1, statementTimeoutMs: 0 });
    try {
      const differences = await findDifferences(pool);
      for (const { customerId, day, what, kept, derived } of differences.slice(0, SHOWN)) {
        console.log(`${customerId} ${day ?? '-'} ${what}: kept ${kept}, derived ${derived}`);
      }
      console.log(differences.length === 0 ? 'Everything agrees.' : `${differences.length} differences.`);
      return differences.length === 0 ? 0 : 1;
    } finally {
      await pool.end();
    }
  });
};

async function findDifferences(pool: Pool): Promise<Difference[]> {
  const client = await pool.connect();
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const found: Difference[] = [];
    for (const check of [balances, charges, statistics]) found.push(...(await many(client, check)));
    await client.query('commit');
    return found;
  } finally {
    client.release();
  }
}

const balances: RawBuilder<Difference> = sql`
  with kept as (select customer_id, sum(amount) as amount from balance group by customer_id),
       derived as (select customer_id, sum(amount) as amount from ledger group by customer_id)
  select customer_id as "customerId", null as day, 'balance' as what,
         coalesce(kept.amount, 0)::text as kept, coalesce(derived.amount, 0)::text as derived
  from kept full join derived using (customer_id)
  where coalesce(kept.amount, 0) <> coalesce(derived.amount, 0)`;

const charges: RawBuilder<Difference> = sql`
  with kept as (select customer_id, sum(charged) as amount from report_minute group by customer_id),
       derived as (select customer_id, -sum(amount) as amount from ledger where kind = 'charge' group by customer_id)
  select customer_id as "customerId", null as day, 'charged' as what,
         coalesce(kept.amount, 0)::text as kept, coalesce(derived.amount, 0)::text as derived
  from kept full join derived using (customer_id)
  where coalesce(kept.amount, 0) <> coalesce(derived.amount, 0)`;

/** A message is counted in the minute its id says: milliseconds since 2025 in its upper 41 bits. */
const statistics: RawBuilder<Difference> = sql`
  with kept as (
         select customer_id, date_bin('1 day', minute, timestamptz '2025-01-01Z') as day,
                sum(req_success) as success, sum(req_fail) as fail, sum(receipt_success) as delivered,
                sum(segments) as segments
         from report_minute group by 1, 2),
       derived as (
         select customer_id,
                date_bin('1 day', to_timestamp(((message_id >> 18) + 1735689600000) / 1000.0), timestamptz '2025-01-01Z') as day,
                count(*) filter (where send_status = 3) as success, count(*) filter (where send_status = 2) as fail,
                count(*) filter (where client_status = 2) as delivered,
                coalesce(sum(pkg_total) filter (where send_status = 3), 0) as segments
         from message where send_status in (2, 3) group by 1, 2),
       joined as (
         select customer_id, day, k.success as ks, d.success as ds, k.fail as kf, d.fail as df,
                k.delivered as kd, d.delivered as dd, k.segments as kp, d.segments as dp
         from kept k full join derived d using (customer_id, day))
  select customer_id as "customerId", to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, what,
         coalesce(kept, 0)::text as kept, coalesce(derived, 0)::text as derived
  from joined cross join lateral (values ('submitted', ks, ds), ('failed', kf, df), ('delivered', kd, dd), ('segments', kp, dp))
    as each(what, kept, derived)
  where coalesce(kept, 0) <> coalesce(derived, 0)
  order by day, customer_id, what`;
