/** I5: every stored total, against a recount of the rows. */
import assert from 'node:assert/strict';
import type { AuditedRow, Pool } from './audited-row.ts';

interface Sums {
  total: number;
  success: number;
  failed: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  unconfirmed: number;
  /** Segments taken by carriers. */
  segments: number;
  chargedSegments: number;
  cost: number;
  /** The same of rows that belong to a task and were not repeated. */
  ofTasks: Omit<Sums, 'ofTasks'> | null;
}

const none = (): Omit<Sums, 'ofTasks'> => ({
  total: 0,
  success: 0,
  failed: 0,
  delivered: 0,
  undelivered: 0,
  unknown: 0,
  unconfirmed: 0,
  segments: 0,
  chargedSegments: 0,
  cost: 0,
});

function addTo(sums: Omit<Sums, 'ofTasks'>, row: AuditedRow): void {
  const { send_status: sent, client_status: client, pkg_total: segments } = row;
  sums.total += 1;
  if (sent === 1) sums.unconfirmed += 1;
  if (sent === 2) sums.failed += 1;
  if (sent !== 3) return;
  sums.success += 1;
  sums.segments += segments;
  if (client === 2) sums.delivered += 1;
  else if (client === 6) sums.unknown += 1;
  else if (client > 2) sums.undelivered += 1;
  // SenderPays: what a carrier accepted; ReceiverPays: what reached the phone.
  if (row.charge_type === 'ReceiverPays' && client !== 2) return;
  sums.chargedSegments += segments;
  sums.cost += segments * row.price;
}

const sumsOf = (name: string): string => `coalesce(sum(${name}), 0)::float8`;

async function compare(pool: Pool, customerId: string, sums: Sums): Promise<void> {
  const one = async (text: string): Promise<Record<string, number>> => ({
    ...(await pool.query<Record<string, number>>(text, [customerId])).rows[0],
  });
  const { total, success, failed, delivered, undelivered, unknown, segments, chargedSegments, cost } = sums;
  assert.deepEqual(
    await one(
      `select ${sumsOf('req_total')} total, ${sumsOf('req_success')} success, ${sumsOf('req_fail')} failed, ${sumsOf('receipt_success')} delivered,
         ${sumsOf('receipt_fail')} undelivered, ${sumsOf('receipt_unknown')} unknown, ${sumsOf('segments')} segments, ${sumsOf('charged')} cost
       from report_minute where customer_id = $1`,
    ),
    { total, success, failed, delivered, undelivered, unknown, segments, cost },
    'I5 report_minute',
  );
  const tasks = sums.ofTasks ?? none();
  assert.deepEqual(
    await one(
      `select ${sumsOf('success_count')} success, ${sumsOf('failed_count')} failed, ${sumsOf('delivered_count')} delivered,
         ${sumsOf('undelivered_count')} undelivered, ${sumsOf('unknown_count')} unknown, ${sumsOf('unconfirmed_count')} unconfirmed
       from task_progress where customer_id = $1`,
    ),
    {
      success: tasks.success,
      failed: tasks.failed,
      delivered: tasks.delivered,
      undelivered: tasks.undelivered,
      unknown: tasks.unknown,
      unconfirmed: tasks.unconfirmed,
    },
    'I5 task_progress',
  );
  assert.deepEqual(
    await one(
      `select coalesce(-sum(amount), 0)::float8 cost, ${sumsOf('segments')} "chargedSegments"
       from ledger where customer_id = $1 and kind = 'charge'`,
    ),
    { cost, chargedSegments },
    'I5 ledger',
  );
  const money = await one(
    `select (select ${sumsOf('amount')} from ledger where customer_id = $1) ledger,
       (select ${sumsOf('amount')} from balance where customer_id = $1) balance`,
  );
  assert.equal(money['balance'], money['ledger'], 'I5 balance');
  assert.deepEqual(
    await one(
      `select ${sumsOf('success_count')} success, ${sumsOf('failed_count')} failed, ${sumsOf('message_count')} total
       from batch where customer_id = $1`,
    ),
    { success, failed, total },
    'I5 batch',
  );
}

export const recount = {
  start: (): Sums => ({ ...none(), ofTasks: none() }),
  add(sums: Sums, row: AuditedRow): void {
    addTo(sums, row);
    if (row.task_id !== null && !row.superseded && sums.ofTasks !== null) addTo(sums.ofTasks, row);
  },
  compare,
};
