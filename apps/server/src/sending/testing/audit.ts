/**
 * The auditor: compares what the database says with the carrier's own journal, and every sum with a recount of the rows.
 * It shares no code with the engine.
 */
import assert from 'node:assert/strict';
import type { JournalEntry } from '@pahatid/carrier-simulator';
import type { Pool } from 'pg';

export interface Audit {
  rows: number;
  waiting: number;
  inDoubt: number;
  failed: number;
  accepted: number;
  delivered: number;
  undelivered: number;
  /** Copies at the carriers beyond the first of each message. */
  sentTwice: number;
  /** Rows said to be accepted that no carrier has seen. */
  neverSeen: number;
}

interface Row {
  message_id: string;
  msisdn: string;
  content: string;
  pkg_total: number;
  send_status: number;
  client_status: number;
  charge_type: string;
  price: number;
}

/** `journal`: every submit the carriers got. Recipients of a test differ, so destination and text name a message. */
export const audit = async (pool: Pool, journal: Iterable<JournalEntry>): Promise<Audit> => {
  const { rows } = await pool.query<Row>(
    'select message_id, msisdn, content, pkg_total, send_status, client_status, charge_type, price from message order by message_id',
  );
  const copies = countCopies(journal);
  let sentTwice = 0;
  let neverSeen = 0;
  for (const row of rows) {
    const seen = copies.get(row.msisdn) ?? 0;
    sentTwice += Math.max(0, seen - 1);
    if (row.send_status === 3 && seen === 0) neverSeen += 1;
    if (seen > 0)
      assert.ok([1, 3].includes(row.send_status), `${row.msisdn} is at the carrier, its row says ${row.send_status}`);
  }
  await recount(pool, rows);
  const count = (test: (row: Row) => boolean): number => rows.filter(test).length;
  return {
    rows: rows.length,
    waiting: count((row) => row.send_status === 0),
    inDoubt: count((row) => row.send_status === 1),
    failed: count((row) => row.send_status === 2),
    accepted: count((row) => row.send_status === 3),
    delivered: count((row) => row.send_status === 3 && row.client_status === 2),
    undelivered: count((row) => row.send_status === 3 && [3, 4, 5].includes(row.client_status)),
    sentTwice,
    neverSeen,
  };
};

/** Whole messages by destination: the least number of copies of any part. */
function countCopies(journal: Iterable<JournalEntry>): Map<string, number> {
  const parts = new Map<string, Map<number, number>>();
  for (const entry of journal) {
    if (entry.status !== 0) continue;
    const byPart = parts.get(entry.destination) ?? new Map<number, number>();
    byPart.set(entry.part, (byPart.get(entry.part) ?? 0) + 1);
    parts.set(entry.destination, byPart);
  }
  return new Map([...parts].map(([destination, byPart]) => [destination, Math.max(...byPart.values())]));
}

const isCharged = (row: Row): boolean =>
  row.send_status === 3 && (row.charge_type === 'SenderPays' || row.client_status === 2);
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** Every counter equals a recount of the rows. */
async function recount(pool: Pool, rows: Row[]): Promise<void> {
  const is = (test: (row: Row) => boolean): number => rows.filter(test).length;
  const accepted = rows.filter((row) => row.send_status === 3);
  const charged = rows.filter(isCharged);
  const receipts = {
    ok: is((row) => row.send_status === 3 && row.client_status === 2),
    fail: is((row) => row.send_status === 3 && [3, 4, 5].includes(row.client_status)),
    unknown: is((row) => row.send_status === 3 && row.client_status === 6),
  };
  const cost = sum(charged.map((row) => row.pkg_total * row.price));
  const failed = is((row) => row.send_status === 2);

  const report = await pool.query(
    `select coalesce(sum(req_total), 0)::int t, coalesce(sum(req_success), 0)::int s, coalesce(sum(req_fail), 0)::int f, coalesce(sum(receipt_success), 0)::int d,
       coalesce(sum(receipt_fail), 0)::int u, coalesce(sum(receipt_unknown), 0)::int n, coalesce(sum(segments), 0)::int g, coalesce(sum(charged), 0)::bigint::float8 c from report_minute`,
  );
  assert.deepEqual(
    { ...report.rows[0] },
    {
      t: rows.length,
      s: accepted.length,
      f: failed,
      d: receipts.ok,
      u: receipts.fail,
      n: receipts.unknown,
      g: sum(accepted.map((row) => row.pkg_total)),
      c: cost,
    },
    'report_minute',
  );
  const progress = await pool.query(
    `select coalesce(sum(success_count), 0)::int s, coalesce(sum(failed_count), 0)::int f, coalesce(sum(delivered_count), 0)::int d,
       coalesce(sum(undelivered_count), 0)::int u, coalesce(sum(unknown_count), 0)::int n, coalesce(sum(unconfirmed_count), 0)::int q,
       coalesce(sum(charged_segments), 0)::int g, coalesce(sum(charged_cost), 0)::bigint::float8 c from task_progress`,
  );
  const ofTasks = await pool.query<{ n: string }>('select count(*) n from message where task_id is not null');
  if (Number(ofTasks.rows[0]?.n) === rows.length) {
    assert.deepEqual(
      { ...progress.rows[0] },
      {
        s: accepted.length,
        f: failed,
        d: receipts.ok,
        u: receipts.fail,
        n: receipts.unknown,
        q: is((row) => row.send_status === 1),
        g: sum(charged.map((row) => row.pkg_total)),
        c: cost,
      },
      'task_progress',
    );
  }
  const money = await pool.query(
    `select coalesce((select sum(-amount) from ledger where kind = 'charge'), 0)::float8 charged,
       (select coalesce(sum(amount), 0) from ledger)::float8 ledger, (select coalesce(sum(amount), 0) from balance)::float8 balance,
       (select coalesce(sum(segments), 0)::int from ledger where kind = 'charge') segments`,
  );
  assert.equal(money.rows[0].charged, cost, 'ledger');
  assert.equal(money.rows[0].ledger, money.rows[0].balance, 'balance');
  const batches = await pool.query(
    `select coalesce(sum(success_count), 0)::int s, coalesce(sum(failed_count), 0)::int f from batch`,
  );
  assert.deepEqual({ ...batches.rows[0] }, { s: accepted.length, f: failed }, 'batch');
  const doubts = await pool.query<{ n: number }>('select count(*)::int n from in_doubt where resolved_at is null');
  assert.equal(
    doubts.rows[0]?.n,
    is((row) => row.send_status === 1),
    'in_doubt',
  );
}
