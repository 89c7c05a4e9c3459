/** A preset is never refused for its number of cells: it is narrowed, and the response states to what. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statisticsRowLimit } from '@pahatid/contract';
import { run, sql } from '@pahatid/db';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId, otherCustomerId, otherAppId } = api;
const { pool } = api.db;
const now = new Date('2026-03-10T06:30:20Z');
/** Back to the instant of the rows, however long the tests before took. */
const setClock = () => api.advance(now.getTime() - api.deps.now().getTime());
setClock();
await run(pool, sql`update session set last_seen_at = ${now}, expires_at = ${new Date(now.getTime() + 3_600_000)}`);

interface Cells {
  customer: string;
  app: string;
  senders: number;
  /** How many minutes back. */
  minutes: number;
}
/** One message of each sender ID in each minute, two of the first. */
const addCells = ({ customer, app, senders, minutes }: Cells) =>
  run(
    pool,
    sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id,
          writer, req_total, req_success)
        select ${customer}, date_trunc('minute', ${now}::timestamptz) - make_interval(mins => m), ${app}, 'PH', 'Globe',
          'S' || s, 2, ${customer}, 0, case s when 1 then 2 else 1 end, 1
        from generate_series(0, ${minutes}::int - 1) m, generate_series(1, ${senders}::int) s`,
  );
await addCells({ customer: customerId, app: appId, senders: 15, minutes: 2 * 1_440 });
await addCells({ customer: otherCustomerId, app: otherAppId, senders: 400, minutes: 120 });

const presets = ['last24Hours', 'last7Days', 'last14Days', 'lastMonth', 'last3Months'];
const read = async (query: Record<string, string>, who: 'owner' | 'operator' = 'owner') => {
  setClock();
  const { status, body, text } = await api.ask(who, 'GET /statistics', {
    query: { unit: '0', dimensions: 'logDate,clientSid', ...query },
  });
  assert.equal(status, 200, text);
  return body;
};
interface Cell {
  clientSid?: string;
  isOthers?: true;
  reqTotalNum: number;
}
const sumOf = (items: Cell[]) => items.reduce((sum, cell) => sum + cell.reqTotalNum, 0);

test('by minute a preset of too many cells is narrowed to the last hours that fit, with the period before', async () => {
  for (const preset of presets) {
    for (const compare of ['0', '1']) {
      const body = await read({ preset, compare });
      assert.deepEqual(
        [body.isShortened, body.times.length, body.largestGroups, body.from],
        [true, 720, null, '2026-03-09T18:31:00.000Z'],
        preset,
      );
      assert.equal(body.items.length, 15 * 720);
      assert.equal(sumOf(body.items), body.totals.reqTotalNum);
      if (compare === '1')
        assert.deepEqual(
          [body.before.to, body.before.times.length, body.before.items.length],
          [body.from, 720, 10_800],
        );
    }
    const whole = await read({ preset, dimensions: 'logDate' });
    assert.deepEqual([whole.times.length, whole.isShortened], [1_440, preset !== 'last24Hours']);
  }
});

test('where even one hour is too much, the largest groups are separate and the others are one', async () => {
  const body = await read({ preset: 'last7Days', customerId: otherCustomerId, compare: '1' }, 'operator');
  assert.deepEqual([body.isShortened, body.times.length], [true, 60]);
  assert.equal(body.largestGroups, Math.floor(statisticsRowLimit / 60) - 1);
  for (const period of [body, body.before]) {
    assert.ok(period.items.length <= statisticsRowLimit);
    assert.equal(period.totals.reqTotalNum, 60 * 401);
    assert.equal(sumOf(period.items), 60 * 401);
    const others = period.items.filter((cell: Cell) => cell.isOthers);
    assert.equal(others.length, 60);
    assert.ok(others.every((cell: Cell) => cell.clientSid === undefined));
    assert.equal(sumOf(others), 60 * (400 - body.largestGroups));
    assert.equal(sumOf(period.items.filter((cell: Cell) => cell.clientSid === 'S1')), 120);
  }
  setClock();
  const { text } = await api.ask('operator', 'GET /statistics', {
    query: { unit: '0', dimensions: 'logDate,clientSid', preset: 'last7Days', customerId: otherCustomerId },
    headers: { accept: 'text/csv', 'accept-language': 'en' },
  });
  assert.equal(text.match(/,Others,/g)?.length, 60);
});

test('a range that the caller set itself is refused beyond the bound, not narrowed', async () => {
  setClock();
  const { status, body } = await api.ask('owner', 'GET /statistics', {
    query: { unit: '0', dimensions: 'logDate,clientSid', from: '2026-03-09T06:31:00Z', to: now.toISOString() },
  });
  assert.deepEqual([status, body.code], [400, 'STATISTICS_TOO_WIDE']);
});
