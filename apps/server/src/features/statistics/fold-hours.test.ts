/** Reports say the same before and after their minutes are folded by hour, and what comes late is in them immediately. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveRollups, noRollup, type RollupDelta, type RollupKey, uuidV7, withTransaction } from '@pahatid/db';
import {
  findFoldEnd,
  foldHours,
  listHourFaults,
  listTotalFaults,
  listUnfolded,
} from '@pahatid/db/queries/hour-folding';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import { listBusiestRoutes, sumByCarrier, sumSpend, sumTrend } from '@pahatid/db/queries/overview';
import { areHours } from '@pahatid/db/queries/report-figures';
import { listSteps, type StatisticsQuestion, sumStatistics } from '@pahatid/db/queries/statistics';
import { testDatabase } from '@pahatid/testkit';
import pino from 'pino';
import { deleteFoldedMinutes, deleteOldStatistics, foldEndedHours } from './fold-hours.ts';

const { pool } = await testDatabase();
const end = await findFoldEnd(pool, 0);
const context = { pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 };
const [customerId, otherId] = [uuidV7(), uuidV7()];
const routeId = uuidV7();
const hourMs = 3_600_000;

const keyAt = (hours: number, minute: number, more: Partial<RollupKey> = {}): RollupKey => ({
  customerId,
  minuteMs: end.getTime() + hours * hourMs + minute * 60_000,
  appId: 'app',
  areaCode: 'PH',
  carrier: 'Globe',
  clientSid: 'SHOP',
  smsType: 2,
  routeId,
  ...more,
});
const delta = (more: Partial<RollupDelta>): RollupDelta => ({ ...noRollup(), ...more });
const add = (writer: number, moves: [RollupKey, RollupDelta][]) =>
  withTransaction(pool, (tx) => moveRollups(tx, writer, new Map(moves)));

/** Two months, with cells of two customers, two carriers and three writers, some of this hour. */
const someMonths: [RollupKey, RollupDelta][] = [-1_500, -800, -49, -25, -24, -2, -1, 0].flatMap((hours, n) =>
  [0, 1, 29, 31, 59].flatMap((minute): [RollupKey, RollupDelta][] => [
    [keyAt(hours, minute), delta({ reqTotal: n + minute, reqSuccess: n, segments: minute, charged: 3_500 * n })],
    [keyAt(hours, minute, { carrier: 'Smart' }), delta({ reqTotal: 2, reqFail: 2, reqBlocked: 1 })],
    [keyAt(hours, minute, { customerId: otherId }), delta({ reqTotal: 5, receiptUnknown: 1, charged: 100 })],
  ]),
);
for (const writer of [0, 7, 255]) await add(writer, someMonths);

const questionsOf = async (): Promise<StatisticsQuestion[]> => {
  const questions: StatisticsQuestion[] = [];
  // Bounds within an hour, at its edges, and around no whole hour.
  const spans = [
    [-1_600 * 60, 61],
    [-800 * 60, -60],
    [-800 * 60 + 30, -61],
    [-45, -5],
    [-120, -119],
  ] as const;
  for (const [from, to] of spans)
    for (const zone of ['Asia/Manila', 'Asia/Kolkata', 'Asia/Kathmandu'])
      for (const id of [customerId, null]) {
        const span = { from: new Date(end.getTime() + from * 60_000), to: new Date(end.getTime() + to * 60_000) };
        const shape = { filter: { customerId: id }, ...span, keys: ['carrier'], limit: 10_000 } as const;
        questions.push({ ...shape, steps: null }, { ...shape, steps: null, keys: ['customerId', 'appId'] });
        questions.push({ ...shape, steps: null, filter: { customerId: id, clientSid: 'shop', carrier: 'Smart' } });
        for (const unit of ['day', 'month'] as const)
          questions.push({ ...shape, steps: await listSteps(pool, unit, span.from, span.to, zone) });
        questions.push({ ...shape, steps: null, largest: { count: 1, ...span } });
      }
  return questions;
};
const questions = await questionsOf();

const readAll = async (): Promise<unknown[]> => {
  const read: unknown[] = [];
  for (const question of questions) read.push(await sumStatistics(pool, question));
  for (const id of [customerId, null])
    for (const zone of ['Asia/Manila', 'Asia/Kathmandu']) {
      const span = {
        customerId: id,
        from: new Date(end.getTime() - 50 * hourMs + 5_000),
        to: new Date(end.getTime() + 31 * 60_000),
      };
      read.push(await sumTrend(pool, span, 'hour', zone), await sumTrend(pool, span, 'day', zone));
      read.push(await sumByCarrier(pool, span), await listBusiestRoutes(pool, span, 5));
    }
  for (const zone of ['Asia/Manila', 'Asia/Kathmandu'])
    read.push(await sumSpend(pool, customerId, 30, zone, new Date(end.getTime() + hourMs)));
  return read;
};

/** Of all minutes, however they are divided. */
const requests = async (): Promise<number> =>
  (await pool.query('select sum(req_total)::int as n from report_minute')).rows[0].n;

const assertFolded = async (): Promise<void> => {
  assert.deepEqual(await listUnfolded(pool, end), []);
  assert.deepEqual(await listTotalFaults(pool, new Date(0)), []);
  for (const id of [customerId, otherId]) assert.deepEqual(await listHourFaults(pool, id, new Date(0), new Date()), []);
};

test('ended hours are folded a few minutes at a time, and no report changes', async () => {
  const [before, requestsBefore] = [await readAll(), await requests()];
  assert.equal(JSON.stringify(before).includes('"total":'), true);
  assert.equal(await withTransaction(pool, (tx) => foldHours(tx, customerId, end, 10)), 10);
  assert.deepEqual(await readAll(), before);
  // 8 points in time, one of them of this hour; 5 minutes, 3 writers, 2 cells and 1.
  assert.equal(await foldEndedHours(context, 7), 7 * 5 * 3 * 3 - 10);
  assert.deepEqual(await readAll(), before);
  assert.equal(await requests(), requestsBefore);
  await assertFolded();
  assert.equal(await foldEndedHours(context), 0);
  const { rows } = await pool.query(`select count(*)::int as n from report_minute where writer >= 0`);
  assert.deepEqual(rows, [{ n: 5 * 3 * 3 }], 'of this hour nothing is folded');
});

test('a receipt that comes late is in the reports immediately, and folded the next time', async () => {
  const late = delta({ receiptSuccess: 3, charged: 700 });
  const before = await readAll();
  await add(7, [
    [keyAt(-800, 29), late],
    [keyAt(-25, 59), late],
  ]);
  const after = await readAll();
  assert.notDeepEqual(after, before);
  assert.equal(await foldEndedHours(context), 2);
  assert.deepEqual(await readAll(), after);
  await assertFolded();
});

test('a flush in progress is not waited for, and folds at the same time count nothing twice', async () => {
  await add(0, someMonths);
  const before = await readAll();
  const flush = await pool.connect();
  try {
    await flush.query('begin');
    await moveRollups(flush, 0, new Map([[keyAt(-2, 1), delta({ reqTotal: 11 })]]));
    const folds = await Promise.all([
      foldEndedHours(context, 9),
      foldEndedHours(context, 4),
      foldEndedHours(context, 5),
    ]);
    assert.equal(
      folds.reduce((sum, n) => sum + n, 0),
      7 * 5 * 3 - 1,
    );
    assert.deepEqual(await readAll(), before);
    await flush.query('commit');
  } finally {
    flush.release();
  }
  const after = await readAll();
  assert.notDeepEqual(after, before);
  assert.equal(await foldEndedHours(context), 1);
  assert.deepEqual(await readAll(), after);
  await assertFolded();
});

test('a fold that waits for another finds what is left', async () => {
  await add(3, someMonths);
  const before = await readAll();
  const first = await pool.connect();
  try {
    await first.query('begin');
    await foldHours(first, customerId, end, 10);
    const second = withTransaction(pool, (tx) => foldHours(tx, customerId, end, 1_000));
    await first.query('rollback');
    assert.equal(await second, 7 * 5 * 2);
  } finally {
    first.release();
  }
  assert.deepEqual(await readAll(), before);
});

test('old minutes are deleted once they are folded, and what comes late for them is still counted', async () => {
  // What divides an old hour finds it as a whole.
  const byHour = questions.filter(({ steps }) => steps === null || areHours(steps));
  const read = async () => await Promise.all(byHour.map((question) => sumStatistics(pool, question)));
  const old = `select count(*)::int as n from report_minute where minute < now() - interval '36 days'`;
  const before = await read();
  await foldEndedHours(context);
  // 5 minutes of one hour, 2 cells and 1, by two steps at least.
  assert.equal(await deleteFoldedMinutes(context, 5), 5 * 3);
  assert.deepEqual((await pool.query(old)).rows, [{ n: 0 }]);
  assert.equal(await readKeptSince(pool, 'report_minute'), end.getTime() - 35 * 24 * hourMs);
  assert.deepEqual(await read(), before);

  await add(7, [[keyAt(-1_500, 29), delta({ receiptSuccess: 3, charged: 700 })]]);
  const late = await read();
  assert.notDeepEqual(late, before);
  assert.equal(await foldEndedHours(context), 1);
  assert.deepEqual(await read(), late);
  assert.equal(await deleteFoldedMinutes(context), 1);
  assert.deepEqual(await read(), late);
});

test('hours are deleted after three years, also those of all customers, in steps and by two at once', async () => {
  const kept = async () => (await pool.query('select count(*)::int as n from report_hour')).rows[0]!.n as number;
  const before = await kept();
  await add(
    7,
    [-1_100 * 24 - 1, -1_100 * 24, -1_200 * 24, -1_300 * 24].map((hours) => [keyAt(hours, 5), delta({ reqTotal: 1 })]),
  );
  await foldEndedHours(context);
  assert.equal(await kept(), before + 4);
  // An hour with the same of all customers counts as two.
  const [first, second] = await Promise.all([deleteOldStatistics(context, 1), deleteOldStatistics(context, 1)]);
  assert.equal(first + second, 2 * 3);
  assert.equal(await kept(), before + 1);
  assert.equal(await deleteOldStatistics(context), 0);
  assert.deepEqual(await listTotalFaults(pool, new Date(await readKeptSince(pool, 'report_hour'))), []);
});
