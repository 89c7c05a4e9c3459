/** Invariants of batches and routes after any split or move: compared with the rows, by separate code. */
import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import type { Check } from '../../verify/difference.ts';
import { findDifferences } from '../../verify/find-differences.ts';

/** Read before they are joined: on Citus no statement joins them with tables of the coordinator. */
const messages = '(select * from message offset 0)';

/** Scenes create tasks without a file and prepaid money; `except`: further checks whose rows a test did not create. */
export const auditBatches = async (pool: Pool, alsoExcept: readonly Check[] = []): Promise<void> => {
  const except: readonly Check[] = ['taskTotal', 'reservation', 'file', 'taskEnd', ...alsoExcept];
  const { rows: ranges } = await pool.query<{ batch_id: string; matching: number; covered: number }>(
    `select b.batch_id, b.message_count as covered, count(m.message_id)::int as matching from batch b
     left join ${messages} m on m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count
       and m.customer_id = b.customer_id group by b.batch_id, b.message_count`,
  );
  for (const { batch_id, matching, covered } of ranges)
    assert.equal(matching, covered, `messages of batch ${batch_id}`);
  const { rows: counts } = await pool.query<{ n: number; distinct_n: number; messages: number }>(
    `select (select sum(message_count)::int from batch) as n, count(distinct m.message_id)::int as distinct_n,
       (select count(*)::int from ${messages} x) as messages
     from batch b join ${messages} m on m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count`,
  );
  assert.deepEqual(counts[0], {
    n: counts[0]?.messages,
    distinct_n: counts[0]?.messages,
    messages: counts[0]?.messages,
  });
  const { rows: wrong } = await pool.query(
    `select b.batch_id, b.state, b.success_count, b.failed_count, r.* from batch b cross join lateral (
       select count(*) filter (where send_status = 3)::int as accepted, count(*) filter (where send_status = 2)::int as failed,
         count(*) filter (where send_status = 0)::int as waiting,
         count(*) filter (where send_status = 0 and (m.supplier_id <> b.supplier_id or m.route_id <> b.route_id))::int as astray,
         count(*) filter (where send_status = 0 and b.state = 0 and m.message_id - b.batch_id < b.intent_mark
           and not (m.message_id - b.batch_id)::smallint = any(b.not_taken))::int as unlisted
       from ${messages} m where m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count) r
     where b.success_count <> r.accepted or b.failed_count <> r.failed or r.astray > 0 or r.unlisted > 0
       or (b.state = 2 and r.waiting > 0)`,
  );
  assert.deepEqual(wrong, []);
  const { rows: statistics } = await pool.query(
    `with kept as materialized (select route_id, sum(req_total)::int t, sum(req_success)::int s, sum(req_fail)::int f, sum(receipt_success)::int d
                   from report_minute group by route_id),
          derived as materialized (select route_id, count(*)::int t, count(*) filter (where send_status = 3)::int s,
                        count(*) filter (where send_status = 2)::int f, count(*) filter (where client_status = 2)::int d
                      from message group by route_id)
     select * from kept k full join derived d using (route_id)
     where (coalesce(k.t, 0), coalesce(k.s, 0), coalesce(k.f, 0), coalesce(k.d, 0))
       <> (coalesce(d.t, 0), coalesce(d.s, 0), coalesce(d.f, 0), coalesce(d.d, 0))`,
  );
  assert.deepEqual(statistics, [], 'statistics by route');
  const { differences } = await findDifferences(pool, { customerId: null, sinceMs: 0, keep: 20 });
  assert.deepEqual(
    differences.filter(({ check }) => !except.includes(check)),
    [],
    'what verify finds',
  );
};
