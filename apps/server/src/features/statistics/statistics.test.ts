import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  ClientStatus,
  recordsOfMetric,
  type StatisticsDimension,
  type StatisticsMetric,
  statisticsDimensions,
  statisticsMetrics,
} from '@pahatid/contract';
import { many, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildBatches, buildRoute, buildSupplier } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId, otherCustomerId, otherAppId } = api;
const { pool } = api.db;

/** 2026-03-10 14:30 in Manila. */
const now = new Date('2026-03-10T06:30:00Z');
api.advance(now.getTime() - Date.now());
await run(pool, sql`update session set last_seen_at = ${now}, expires_at = ${new Date(now.getTime() + 3_600_000)}`);

const supplierId = await buildSupplier(pool, {
  supplierAccount: 'stats',
  port: 2775,
  systemId: 'stats',
  password: 'stats',
  secrets: api.deps.secrets,
});
const routeId = await buildRoute(pool, { routeName: 'All of it', supplierId });
const secondApp = await buildApplication(pool, { customerId });

const kinds = [
  ClientStatus.Delivered,
  ClientStatus.Undelivered,
  ClientStatus.Unknown,
  ClientStatus.Rejected,
  ClientStatus.Blocked,
  ClientStatus.Submitted,
  ClientStatus.Accepted,
] as const;
const carriers = ['Globe', 'Smart', 'DITO', null] as const;
/**
 * Instants around the ends of days and months in Manila, Kolkata, New York and UTC; 40 messages each, of every outcome.
 */
const instants = [
  '2025-02-28T16:30:00Z',
  '2025-03-09T06:59:00Z',
  '2025-03-09T07:01:00Z',
  '2025-11-02T05:30:00Z',
  '2025-11-02T06:30:00Z',
  '2026-01-31T15:59:59Z',
  '2026-01-31T16:00:00Z',
  '2026-02-28T18:29:00Z',
  '2026-02-28T18:31:00Z',
  '2026-03-03T15:59:00Z',
  '2026-03-03T16:00:00Z',
  '2026-03-09T16:00:00Z',
  '2026-03-10T05:59:30Z',
  '2026-03-10T06:29:10Z',
];
await withTransaction(pool, (tx) =>
  buildBatches(
    tx,
    instants.flatMap((at, index) => [
      ...[appId, secondApp].map((app, part) => ({
        customerId,
        appId: app,
        smsType: 2 as const,
        clientSid: part === 0 ? 'SHOP' : 'STORE',
        supplierId,
        routeId,
        at: new Date(Date.parse(at) + part * 10),
        messages: Array.from({ length: 20 }, (_, n) => ({
          msisdn: '639171234567',
          content: 'Hello',
          clientStatus: kinds[(n + index) % kinds.length]!,
          carrier: carriers[(n * 3 + part) % carriers.length]!,
        })),
      })),
      {
        customerId: otherCustomerId,
        appId: otherAppId,
        smsType: 2 as const,
        clientSid: 'THEIRS',
        supplierId,
        routeId,
        at: new Date(Date.parse(at) + 20),
        messages: [{ msisdn: '639171234568', content: 'x', carrier: 'Smart', clientStatus: ClientStatus.Delivered }],
      },
    ]),
  ),
);

const ask = (who: Parameters<typeof api.ask>[0], query: Record<string, string> = {}) =>
  api.ask(who, 'GET /statistics', { query });
const read = async (query: Record<string, string> = {}, who: Parameters<typeof api.ask>[0] = 'owner') => {
  const { status, body, text } = await ask(who, query);
  assert.equal(status, 200, text);
  return body;
};

interface Recounted {
  at: Date;
  customer: string;
  app: string;
  carrier: string | null;
  sid: string;
  send: number;
  client: number;
}
const rows = await many(
  pool,
  sql<Recounted>`select to_timestamp((message_id >> 18) / 1000.0) + interval '20089 days' as at, customer_id as customer,
      app_id as app, carrier, client_sid as sid, send_status as send, client_status as client from message`,
);
// Ids count from 2025: 20,089 days after 1970.
assert.equal(Date.UTC(2025, 0, 1), 20_089 * 86_400_000);

const recount = (some: readonly Recounted[]) => {
  const of = (test: (row: Recounted) => boolean) => some.filter(test).length;
  return {
    reqTotalNum: some.length,
    reqSuccessNum: of((row) => row.send === 3),
    reqFailNum: of((row) => row.send === 2),
    reqBlockedNum: of((row) => row.send === 2 && row.client === 7),
    receiptSuccessNum: of((row) => row.send === 3 && row.client === 2),
    receiptFailNum: of((row) => row.send === 3 && [3, 4, 5].includes(row.client)),
    receiptUnknownNum: of((row) => row.send === 3 && row.client === 6),
  };
};
const counted = (cell: object) =>
  Object.fromEntries(Object.keys(recount([])).map((name) => [name, toFigures(cell)[name]]));
/** The local day or month of an instant, by the calendar of the runtime and no arithmetic of ours. */
const makeClock = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
const clocks = new Map(
  ['Asia/Manila', 'UTC', 'Asia/Kolkata', 'America/New_York'].map((zone) => [zone, makeClock(zone)]),
);
const localDay = (at: Date | string, zone: string, length: number) =>
  clocks.get(zone)!.format(new Date(at)).slice(0, length);

/** A cell also has the values of its dimensions, which are not read by name here. */
const toFigures = (cell: object) => cell as Record<string, number>;

const handedOverOf = (cell: object): number =>
  toFigures(cell)['reqSuccessNum']! + toFigures(cell)['reqFailNum']! - toFigures(cell)['reqBlockedNum']!;

const reconciles = (figures: object) => {
  const cell = toFigures(figures);
  assert.equal(cell['reqTotalNum'], cell['reqSuccessNum']! + cell['reqFailNum']! + cell['reqInFlightNum']!);
  assert.equal(
    cell['reqSuccessNum'],
    ['receiptSuccessNum', 'receiptFailNum', 'receiptUnknownNum', 'receiptAwaitedNum'].reduce((n, k) => n + cell[k]!, 0),
  );
  assert.ok(cell['reqInFlightNum']! >= 0 && cell['receiptAwaitedNum']! >= 0);
  // What is not handed over, or never was because it was blocked or terminated, is in neither of the two rates.
  const handedOver = handedOverOf(cell);
  assert.equal(cell['reqSuccessRate'], handedOver === 0 ? null : cell['reqSuccessNum'] / handedOver);
  for (const outcome of ['Success', 'Fail'])
    assert.equal(
      cell[`receipt${outcome}Rate`],
      cell['reqSuccessNum'] === 0 ? null : cell[`receipt${outcome}Num`]! / cell['reqSuccessNum'],
    );
  if (cell['reqSuccessRate'] !== null) assert.ok(Math.abs(cell['reqSuccessRate'] + cell['reqFailRate']! - 1) < 1e-12);
};

test('P25 every day and month of any zone equals a recount of the message rows, and every cell reconciles', async () => {
  const mine = rows.filter((row) => row.customer === customerId);
  for (const zone of ['Asia/Manila', 'UTC', 'Asia/Kolkata', 'America/New_York'])
    for (const [unit, length, from] of [
      ['1', 10, '2025-02-20T00:00:00Z'],
      ['2', 7, '2025-02-01T00:00:00Z'],
    ] as const) {
      const body = await read({ zone, unit, from, to: now.toISOString(), dimensions: 'logDate,carrier' });
      const inRange = mine
        .filter((row) => row.at >= new Date(from))
        .map((row) => ({ ...row, day: localDay(row.at, zone, length) }));
      assert.deepEqual(counted(body.totals), recount(inRange), `${zone} ${unit}`);
      reconciles(body.totals);
      assert.equal(new Set(body.times).size, body.times.length);
      for (const cell of body.items) {
        reconciles(cell);
        const same = inRange.filter(
          (row) => row.day === localDay(cell.logDate, zone, length) && row.carrier === cell.carrier,
        );
        assert.deepEqual(counted(cell), recount(same), `${zone} ${cell.logDate} ${cell.carrier}`);
        assert.ok(body.times.includes(cell.logDate));
      }
    }
});

test('what was blocked before the column was there is counted by its migration, once for each cell', async () => {
  const counts = () =>
    many(
      pool,
      sql<{ cell: string; blocked: number }>`
        select concat_ws('|', customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id) as cell,
          sum(req_blocked)::int as blocked from report_minute group by 1 order by 1`,
    );
  const before = await counts();
  assert.ok(before.some(({ blocked }) => blocked > 0));
  const url = new URL('../../../../../packages/db/migrations/0082_blocked_requests_so_far.sql', import.meta.url);
  await run(pool, sql`update report_minute set req_blocked = 0`);
  // Another writer's row of the same cell.
  await run(
    pool,
    sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer)
        select customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, 99 from report_minute
        where writer <> 99`,
  );
  await pool.query(readFileSync(url, 'utf8'));
  assert.deepEqual(await counts(), before);
});

test('a filter and any dimension give the same numbers as the matching rows', async () => {
  const range = { from: '2026-01-01T00:00:00Z', to: now.toISOString(), unit: '1' };
  const mine = rows.filter((row) => row.customer === customerId && row.at >= new Date(range.from));
  const byApp = await read({ ...range, dimensions: 'appId,clientSid' });
  assert.equal(byApp.items.length, 2);
  for (const cell of byApp.items)
    assert.deepEqual(
      counted(cell),
      recount(mine.filter((row) => row.app === cell.appId && row.sid === cell.clientSid)),
    );
  assert.equal(typeof byApp.names[appId], 'string');
  assert.deepEqual(
    counted((await read({ ...range, carrier: 'Smart', dimensions: '' })).totals),
    recount(mine.filter((row) => row.carrier === 'Smart')),
  );
  assert.deepEqual(
    counted((await read({ ...range, carrier: 'unknown', clientSid: 'shop' })).totals),
    recount(mine.filter((row) => row.carrier === null && row.sid === 'SHOP')),
  );
  const country = await read({ ...range, areaCode: 'PH', dimensions: 'areaCode' });
  assert.deepEqual(counted(country.items[0]), recount(mine));
  const none = await read({ ...range, areaCode: 'US', dimensions: 'logDate' });
  assert.deepEqual([none.totals.reqTotalNum, none.totals.reqSuccessRate, none.items], [0, null, []]);
});

test('presets begin at midnight of the zone in any unit; minutes reach back 24 hours', async () => {
  const from = async (query: Record<string, string>) => (await read({ zone: 'Asia/Manila', ...query })).from;
  assert.equal(await from({}), '2026-03-03T16:00:00.000Z');
  assert.equal(await from({ preset: 'last7Days' }), '2026-03-03T16:00:00.000Z');
  assert.equal(await from({ preset: 'last14Days' }), '2026-02-24T16:00:00.000Z');
  assert.equal(await from({ preset: 'lastMonth' }), '2026-02-08T16:00:00.000Z');
  assert.equal(await from({ preset: 'last3Months' }), '2025-12-10T16:00:00.000Z');
  const minutes = await read({ preset: 'last24Hours', unit: '0', dimensions: 'logDate' });
  assert.equal(minutes.times.length, 1_440);
  assert.deepEqual(
    minutes.items.map((cell: { logDate: string; reqTotalNum: number }) => [cell.logDate, cell.reqTotalNum]),
    [
      ['2026-03-09T16:00:00.000Z', 40],
      ['2026-03-10T05:59:00.000Z', 40],
      ['2026-03-10T06:29:00.000Z', 40],
    ],
  );
});

test('by minute every preset shows its last 24 hours and is marked as shortened', async () => {
  const day = await read({ zone: 'Asia/Manila', preset: 'last24Hours', unit: '0' });
  assert.equal(day.isShortened, false);
  assert.ok(day.totals.reqTotalNum > 0);
  for (const preset of ['last7Days', 'last14Days', 'lastMonth', 'last3Months']) {
    const minutes = await read({ zone: 'Asia/Manila', preset, unit: '0', compare: '1' });
    assert.equal(minutes.isShortened, true, preset);
    assert.deepEqual([minutes.from, minutes.times.length], [day.from, 1_440]);
    assert.deepEqual(minutes.items, day.items);
    assert.equal(minutes.before.to, minutes.from);
    reconciles(minutes.totals);
    assert.equal((await read({ preset, unit: '1' })).isShortened, false);
  }
});

test('by month a preset counts the days that it counts by day', async () => {
  const zone = 'Asia/Manila';
  for (const preset of ['last7Days', 'last14Days', 'lastMonth', 'last3Months']) {
    const [byDay, byMonth] = [await read({ zone, preset, unit: '1' }), await read({ zone, preset, unit: '2' })];
    assert.deepEqual([byMonth.from, byMonth.isShortened], [byDay.from, false], preset);
    assert.deepEqual(byMonth.totals, byDay.totals, preset);
    const months = new Set(byDay.times.map((time: string) => localDay(time, zone, 7)));
    assert.deepEqual(
      byMonth.times.map((time: string) => localDay(time, zone, 7)),
      [...months],
    );
    for (const cell of byMonth.items) reconciles(cell);
  }
});

test('the period before is as long, right before it, in days and months of the zone', async () => {
  const week = await read({ zone: 'Asia/Manila', compare: '1' });
  assert.equal(week.before.from, '2026-02-24T16:00:00.000Z');
  assert.equal(Date.parse(week.to) - Date.parse(week.before.to), 7 * 86_400_000);
  assert.equal(week.before.times.length, week.times.length);
  const mine = rows.filter((row) => row.customer === customerId);
  assert.deepEqual(
    counted(week.before.totals),
    recount(mine.filter((row) => row.at >= new Date(week.before.from) && row.at < new Date(week.before.to))),
  );
  const march = await read({
    zone: 'America/New_York',
    unit: '2',
    compare: '1',
    from: '2025-12-01T05:00:00Z',
    to: '2026-03-10T00:00:00Z',
  });
  assert.equal(march.before.from, '2025-08-01T04:00:00.000Z');
  assert.equal((await read({})).before, null);
});

test('past the bounds of a unit the answer is a clear refusal with the bound', async () => {
  const refused = async (query: Record<string, string>) => {
    const { status, body } = await ask('owner', { zone: 'Asia/Manila', ...query });
    return [status, body.code, body.params?.limit];
  };
  const to = '2026-03-09T16:00:00Z';
  assert.deepEqual(await refused({ unit: '0', from: '2026-03-08T15:59:00Z', to }), [400, 'RANGE_TOO_LONG', 24]);
  assert.deepEqual(await refused({ unit: '1', from: '2025-02-01T00:00:00Z', to }), [400, 'RANGE_TOO_LONG', 400]);
  assert.deepEqual(await refused({ unit: '2', from: '2023-03-01T00:00:00Z', to }), [400, 'RANGE_TOO_LONG', 36]);
  assert.deepEqual(await refused({ unit: '2', from: '0001-01-01T00:00:00Z' }), [400, 'RANGE_TOO_LONG', 36]);
  // Exactly the bound is allowed.
  await read({ unit: '0', from: '2026-03-08T16:00:00Z', to });
  assert.equal((await read({ unit: '1', zone: 'UTC', from: '2025-02-03T00:00:00Z', to })).times.length, 400);
  assert.equal((await read({ unit: '2', zone: 'UTC', from: '2023-04-01T00:00:00Z', to })).times.length, 36);
});

test('what is no question is refused by field', async () => {
  for (const [query, field] of [
    [{ unit: '3' }, 'unit'],
    [{ zone: 'Mars/Base' }, 'zone'],
    [{ dimensions: 'logDate,msisdn' }, 'dimensions'],
    [{ dimensions: 'appId,appId' }, 'dimensions'],
    [{ metrics: 'reqTotalNum,charged' }, 'metrics'],
    [{ preset: 'lastYear' }, 'preset'],
    [{ preset: 'last7Days', from: '2026-03-01T00:00:00Z' }, 'preset'],
    [{ from: '2026-03-09T00:00:00Z', to: '2026-03-08T00:00:00Z' }, 'to'],
    [{ from: 'yesterday' }, 'from'],
    [{ carrier: 'Sun' }, 'carrier'],
    [{ compare: 'yes' }, 'compare'],
    [{ limit: '5' }, 'limit'],
  ] as const) {
    const { status, body } = await ask('owner', query);
    assert.equal(status, 400, JSON.stringify(query));
    assert.equal(body.errors[0].field, field);
  }
});

test('S3 a customer sees only its own figures, and neither customers nor routes', async () => {
  assert.equal((await ask(null)).status, 401);
  const range = { from: '2025-03-01T00:00:00Z', to: now.toISOString() };
  const theirs = await read({ ...range, dimensions: 'appId' }, 'other');
  assert.deepEqual(Object.keys(theirs.names), [otherAppId]);
  assert.equal(theirs.totals.reqTotalNum, rows.filter((row) => row.customer === otherCustomerId).length - 1);
  const foreign = await ask('other', { ...range, appId });
  assert.ok(foreign.status === 400 || foreign.body.totals.reqTotalNum === 0, foreign.text);
  for (const query of [
    { customerId: otherCustomerId },
    { routeId },
    { dimensions: 'customerId' },
    { dimensions: 'logDate,routeId' },
  ])
    assert.equal((await ask('owner', query)).status, 400, JSON.stringify(query));
  for (const role of ['viewer', 'member'] as const)
    assert.deepEqual((await read(range, role)).totals, (await read(range)).totals);
});

test('staff see all customers, or one, by every dimension, with names', async () => {
  const range = { from: '2025-03-01T00:00:00Z', to: now.toISOString() };
  for (const role of ['reviewer', 'operator', 'admin'] as const) {
    const all = await read({ ...range, dimensions: 'customerId,routeId' }, role);
    assert.equal(all.items.length, 2);
    assert.ok(all.items.every((cell: { customerId: string }) => all.names[cell.customerId]));
    assert.equal(all.items[0].routeId, routeId);
    assert.equal(all.names[routeId], 'All of it');
  }
  const one = await read({ ...range, customerId: otherCustomerId }, 'admin');
  assert.deepEqual(one.totals, (await read(range, 'other')).totals);
  const everything = await read({ ...range, dimensions: statisticsDimensions.join(',') }, 'admin');
  assert.equal(
    everything.items.reduce((sum: number, cell: { reqTotalNum: number }) => sum + cell.reqTotalNum, 0),
    everything.totals.reqTotalNum,
  );
  assert.equal((await read({ ...range, customerId: uuidV7() }, 'admin')).totals.reqTotalNum, 0);
});

test('csv has the requested columns, with days in the zone', async () => {
  const answer = await api.ask('viewer', 'GET /statistics', {
    query: {
      dimensions: 'logDate,appId',
      metrics: 'reqTotalNum,reqSuccessRate',
      zone: 'Asia/Manila',
      from: '2026-03-03T15:00:00Z',
      to: '2026-03-04T00:00:00Z',
    },
    headers: { accept: 'text/csv', 'accept-language': 'en' },
  });
  assert.equal(answer.status, 200, answer.text);
  const lines = answer.text.trim().split('\r\n');
  assert.equal(
    lines[0]?.replace('\ufeff', ''),
    'Date (Asia/Manila),Application ID,Application,Requests,Acceptance rate',
  );
  assert.deepEqual(
    lines
      .slice(1)
      .map((line) => line.slice(0, 10))
      .sort(),
    ['2026-03-03', '2026-03-03', '2026-03-04', '2026-03-04'],
  );
  const zh = await api.ask('viewer', 'GET /statistics', {
    headers: { accept: 'text/csv', 'accept-language': 'zh-CN' },
  });
  // The metrics of the specification; further ones only by name.
  assert.match(zh.text, /请求总数.*回执未知数\r\n/);
  const shares = await api.ask('viewer', 'GET /statistics', {
    query: { metrics: 'receiptSuccessRate,receiptFailRate' },
    headers: { accept: 'text/csv', 'accept-language': 'zh-CN' },
  });
  assert.match(shares.text, /,回执成功率,回执失败率\r\n/);
});

test('csv with the previous period: its day and its figures, and both periods add up', async () => {
  const asked = { compare: '1', zone: 'Asia/Manila', from: '2026-03-02T16:00:00Z', to: '2026-03-10T06:30:00Z' };
  const answer = await api.ask('owner', 'GET /statistics', {
    query: { ...asked, dimensions: 'logDate,carrier', metrics: 'reqTotalNum,reqSuccessRate' },
    headers: { accept: 'text/csv', 'accept-language': 'en' },
  });
  const [heads, ...lines] = answer.text
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  assert.deepEqual(heads, [
    ...['Date (Asia/Manila)', 'Date (Asia/Manila) (previous period)', 'Carrier'],
    ...['Requests', 'Requests (previous period)', 'Acceptance rate', 'Acceptance rate (previous period)'],
  ]);
  const body = await read({ ...asked, dimensions: 'logDate,carrier' });
  const sum = (at: number) => lines.reduce((all, line) => all + Number(line[at]), 0);
  assert.deepEqual([sum(3), sum(4)], [body.totals.reqTotalNum, body.before.totals.reqTotalNum]);
  assert.ok(sum(3) > 0 && sum(4) > 0);
  const day = (time: string) => localDay(time, 'Asia/Manila', 10);
  for (const [now = '', then = ''] of lines)
    assert.equal(body.times.map(day).indexOf(now), body.before.times.map(day).indexOf(then), `${now} ${then}`);
  // Includes rows that only the period before has, and rows that only this one has.
  assert.ok(lines.some((line) => line[3] === '0' && Number(line[4]) > 0 && line[5] === ''));
  assert.ok(lines.some((line) => Number(line[3]) > 0 && line[4] === '0' && line[6] === ''));
});

/** How many records a filter finds, page after page. */
const countRecords = async (who: Parameters<typeof api.ask>[0], query: Record<string, string>) => {
  let [count, cursor]: [number, string | null] = [0, ''];
  while (cursor !== null) {
    const pageQuery: Record<string, string> = { ...query, limit: '200', ...(cursor && { cursor }) };
    const page = await api.ask(who, 'GET /records', { query: pageQuery });
    assert.equal(page.status, 200, page.text);
    count += page.body.items.length;
    cursor = page.body.nextCursor;
  }
  return count;
};

test('the records behind a point are as many as it counts, by every metric and dimension', async () => {
  const range = { from: '2026-01-31T16:00:00Z', to: now.toISOString() };
  const zone = 'Asia/Manila';
  let points = 0;
  for (const [who, dimensions, unit] of [
    ['viewer', 'logDate,carrier', '2'],
    ['owner', 'appId,areaCode', '1'],
    ['member', 'clientSid,carrier', '1'],
    ['admin', 'customerId,carrier', '1'],
    ['operator', 'logDate,routeId', '2'],
  ] as const) {
    const body = await read({ ...range, zone, unit, dimensions }, who);
    for (const { logDate, ...dimensionValues } of body.items) {
      const cell: Partial<Record<StatisticsDimension, string>> & Record<StatisticsMetric, number> = dimensionValues;
      const at = body.times.indexOf(logDate);
      const span = at < 0 ? range : { from: logDate, to: body.times[at + 1] ?? range.to };
      const values = Object.fromEntries(
        statisticsDimensions.flatMap((name) => (name in cell ? [[name, cell[name] ?? 'unknown']] : [])),
      );
      for (const metric of statisticsMetrics) {
        const states = Object.entries(recordsOfMetric[metric]).map(([name, list]) => [name, list.join(',')]);
        const found = await countRecords(who, { ...span, ...values, ...Object.fromEntries(states) });
        const whole = metric.startsWith('receipt') ? cell.reqSuccessNum : handedOverOf(cell);
        const counted = metric.endsWith('Rate') ? Math.round((cell[metric] ?? 0) * whole) : cell[metric];
        assert.equal(found, counted, `${who} ${metric} ${JSON.stringify(values)} ${span.from}`);
        points += found > 0 ? 1 : 0;
      }
    }
  }
  assert.ok(points > 100, String(points));
});

test('S3 customers filter their records neither by customer nor by route', async () => {
  for (const query of [{ customerId: otherCustomerId }, { customerId }, { routeId }])
    for (const path of ['GET /records', 'POST /exports'] as const) {
      const asked = path === 'GET /records' ? { query } : { body: { list: 'records', query } };
      const { status, body } = await api.ask('owner', path, asked);
      assert.deepEqual([status, body.errors?.[0]?.field.replace('query.', '')], [400, Object.keys(query)[0]], path);
    }
  const one = await api.ask('admin', 'GET /records', {
    query: { customerId: otherCustomerId, from: '2025-02-01T00:00:00Z' },
  });
  assert.equal(one.body.items.length, instants.length);
});

test('waiting and in-progress messages are distinguished, and can be found together', async () => {
  const count = (sendStatus: string) => countRecords('owner', { sendStatus, from: '2025-02-01T00:00:00Z' });
  const [waiting, under, both] = await Promise.all([count('0'), count('1'), count('0,1')]);
  assert.equal(waiting + under, both);
  assert.equal(both, rows.filter((row) => row.customer === customerId && row.send < 2).length);
  assert.ok(both > 0);
  for (const sendStatus of ['0', '1']) {
    const page = await api.ask('owner', 'GET /records', { query: { sendStatus, from: '2025-02-01T00:00:00Z' } });
    assert.ok(page.body.items.every((row: { sendStatus: number }) => String(row.sendStatus) === sendStatus));
  }
});
