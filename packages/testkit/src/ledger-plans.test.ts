/**
 * Years of the ledger are not read for a balance of a past day, the opening balance of a statement, long charges or the
 * comparison of verify, at the versions of PostgreSQL that are supported, with statistics of the planner and without.
 */
import assert from 'node:assert/strict';
import { messageIdFloor, uuidV7, withTransaction } from '@pahatid/db';
import { findDays, sumLedger } from '@pahatid/db/queries/ledger';
import { findFolded, findLedgerFoldEnd, foldLedger } from '@pahatid/db/queries/ledger-folding';
import { findLedgerDay, listDayLines } from '@pahatid/db/queries/ledger-lines';
import { sumCharges, sumSpan } from '@pahatid/db/queries/ledger-sums';
import { readChargesByDay, readMoney } from '@pahatid/db/queries/verify/counters';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const DAYS = 1_000;
const A_DAY = 20;
const dayMs = 86_400_000;
/** Days that verify compares, the last of which are not folded; each entry is met by the scan, the union and the sum. */
const COMPARED = 10;
const MOST_ROWS = 6 * COMPARED * A_DAY;
const BUSY = { days: 50, aDay: 480 };

const fill = async (pool: pg.Pool, { days, aDay } = { days: DAYS, aDay: A_DAY }): Promise<string> => {
  const [customerId, other] = [uuidV7(), uuidV7()];
  await pool.query(
    `insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, batch_id)
     select c, gen_random_uuid(), now() - (d * 24 * 60 / $3::int) * interval '1 minute', 'charge', -1, 1, 'app',
       $4::bigint - ((d * 86400000::bigint / $3::int) << 18)
     from unnest($1::uuid[]) c, generate_series(0, $2::int * $3::int - 1) d`,
    [[customerId, other], days, aDay, String(messageIdFloor(Date.now()))],
  );
  const end = await findLedgerFoldEnd(pool, 0);
  while (await withTransaction(pool, (tx) => foldLedger(tx, customerId, end, 5_000)));
  return customerId;
};

await testPlans(
  { says: 'a balance reads a day of the ledger, and charges of weeks their totals', name: 'ledger_plans' },
  { current: true, missing: false },
  async (pool, isAnalyzed) => {
    for (const each of ['ledger', 'ledger_day', 'ledger_hour', 'ledger_snapshot'])
      await pool.query(`alter table ${each} set (autovacuum_enabled = false)`);
    const customerId = await fill(pool);
    await pool.query(`vacuum ${isAnalyzed ? '(analyze)' : ''} ledger, ledger_day, ledger_hour, ledger_snapshot`);
    const seen: string[] = [];
    const report = (read: number, text: string): void => {
      if (read > MOST_ROWS) seen.push(`${read} rows read by ${text.trim().slice(0, 160)}`);
    };
    await withTransaction(pool, async (tx) => {
      const explained = explaining(tx, report);
      for (const days of [900.7, 400.2, 30, 0.1])
        await sumLedger(explained, customerId, new Date(Date.now() - days * dayMs));
      const folded = await findFolded(explained, customerId, null);
      const { entries, ledger } = await readMoney(explained, customerId, folded);
      assert.deepEqual([entries, ledger], [DAYS * A_DAY, -DAYS * A_DAY]);
      const low = messageIdFloor(Date.now() - COMPARED * dayMs);
      assert.ok((await readChargesByDay(explained, customerId, low, folded)).length >= COMPARED);
    });
    assert.deepEqual(seen, []);
    // A customer with many entries: fewer rows are read than the span has entries.
    const busy = await fill(pool, BUSY);
    await withTransaction(pool, async (tx) => {
      const reads: number[] = [];
      const explained = explaining(tx, (read) => reads.push(read));
      const [from, to] = [BUSY.days - 2, 2].map((days) =>
        new Date(Date.now() - days * dayMs).toISOString().slice(0, 10),
      );
      const span = { customerId: busy, ...(await findDays(tx, from!, to!, 'Asia/Manila')) };
      const entries = (BUSY.days - 3) * BUSY.aDay;
      for (const by of ['day', 'application', 'task'] as const) {
        const rows = await sumCharges(explained, span, by, 'Asia/Manila');
        const charged = rows.reduce((sum, row) => sum + row.charged, 0);
        assert.equal(charged, entries);
      }
      assert.equal((await sumSpan(explained, span)).charged, entries);
      // A day's lines read the entries of that day.
      const lines: number[] = [];
      const watched = explaining(tx, (read) => lines.push(read));
      const filter = { customerId: busy, zone: 'Asia/Manila' };
      const dayAfter = new Date(Date.parse(from!) + dayMs).toISOString().slice(0, 10);
      const day = await findLedgerDay(watched, filter, dayAfter, false);
      assert.equal(day, from);
      assert.equal(
        (await listDayLines(watched, filter, day, { after: null, isReversed: false, limit: 20 }))[0]?.entries,
        BUSY.aDay,
      );
      assert.ok(lines.length > 0 && Math.max(...lines) <= 6 * BUSY.aDay, `${lines.join(', ')} rows read`);
      assert.ok(reads.length > 0 && Math.max(...reads) < entries, `${reads.join(', ')} rows read`);
    });
  },
);
