import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuditStatus } from '@pahatid/contract';
import { clearAttempts, countAttempt, run, saveBindStates, sql, uuidV7 } from '@pahatid/db';
import { buildRoute, buildSupplier, buildTemplate } from '@pahatid/db/builders';
import { clearJobFailure, saveJobFailure, saveVerifyRun } from '@pahatid/db/queries/alerts';
import { sweepSetAside } from '@pahatid/db/queries/set-aside';
import { listBinds, saveTraffic, sweepTraffic } from '@pahatid/db/queries/traffic';
import { conversionLeast, conversionShare, conversionWindowMs, smsPerRange } from '../../codes/code-rules.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { TrafficCounts } from '../../sending/settle/traffic-counts.ts';
import { readAlerts } from './read-alerts.ts';
import { registerTraffic } from './routes.ts';

const api = await makeTestApi({ features: [registerTraffic({ freshForMs: 0 })] });
const { pool } = api.db;
const { customerId, appId } = api;
const secrets = api.deps.secrets;

const supplier = (supplierAccount: string, bindCount = 1) =>
  buildSupplier(pool, {
    supplierAccount,
    carrier: 'Globe',
    port: 2776,
    systemId: 'x',
    password: 'x',
    bindCount,
    secrets,
  });
const look = async () => {
  const { status, body } = await api.ask('reviewer', 'GET /traffic');
  assert.equal(status, 200, JSON.stringify(body));
  // The cluster of the tests may have no fsync; another test is about those alerts.
  return { ...body, alerts: body.alerts.filter(({ kind }) => kind !== 'databaseRisk') };
};
const alertsOf = async (kind: string) => (await look()).alerts.filter((each: { kind: string }) => each.kind === kind);
const bind = (supplierId: string, bindNo: number, state: string, lostMs: number | null = null, lastError = '') => ({
  supplierId,
  bindNo,
  state,
  sinceMs: Date.now(),
  lostMs,
  lastError: lastError || null,
});
/** What went out and came back so many seconds ago. */
const flow = (
  secondsAgo: number,
  routeId: string,
  counts: { accepted?: number; refused?: number; receipts?: number },
) =>
  run(
    pool,
    sql`insert into traffic (at, owner, customer_id, route_id, carrier, accepted, refused, receipts)
        values (to_timestamp(floor(extract(epoch from clock_timestamp()) / 10) * 10 - ${secondsAgo}::int), ${uuidV7()}, ${customerId},
                ${routeId}, 'Globe', ${counts.accepted ?? 0}, ${counts.refused ?? 0}, ${counts.receipts ?? 0})`,
  );

test('it is the staff’s alone', async () => {
  assert.equal((await api.ask(null, 'GET /traffic')).status, 401);
  for (const role of ['owner', 'member', 'viewer'] as const)
    assert.equal((await api.ask(role, 'GET /traffic')).status, 404);
  for (const role of ['operator', 'admin'] as const) assert.equal((await api.ask(role, 'GET /traffic')).status, 200);
});

test('an idle system shows no alerts, zero rates, half an hour of empty minutes', async () => {
  const body = await look();
  assert.deepEqual(body.alerts, []);
  assert.deepEqual(body.now, { perSecond: 0, perMinute: 0, refused: 0, receipts: 0 });
  assert.equal(body.minutes.length, 30);
});

test('rates are those of the last whole seconds: by customer, carrier and route; what is older only on the chart', async () => {
  const supplierId = await supplier('rates-1');
  const routeId = await buildRoute(pool, { routeName: 'Rates', supplierId });
  // Just past the turn of ten seconds the slot before may still be written to: then the one before it counts.
  await flow(20, routeId, { accepted: 100, refused: 10, receipts: 90 });
  await flow(30, routeId, { accepted: 30 });
  await flow(600, routeId, { accepted: 7 });
  await run(
    pool,
    sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer, req_total)
        values (${customerId}, date_trunc('minute', clock_timestamp()) - interval '5 minutes', ${appId}, 'PH', 'Globe', 'S', 2, ${routeId}, 1, 42)`,
  );
  const body = await look();
  const rate = { perMinute: 140, refused: 10, receipts: 90 };
  const [all, customer, carrier, route] = [body.now, body.customers[0], body.carriers[0], body.routes[0]];
  for (const each of [all, customer, carrier, route]) assert.partialDeepStrictEqual(each, rate);
  assert.equal(customer.operator, 'Customer A');
  assert.equal(carrier.carrier, 'Globe');
  assert.deepEqual([route.routeName, route.supplierAccount], ['Rates', 'rates-1']);
  const sum = (field: 'accepted' | 'refused' | 'receipts' | 'received') =>
    body.minutes.reduce((n, each) => n + each[field], 0);
  assert.deepEqual([sum('accepted'), sum('refused'), sum('receipts'), sum('received')], [137, 10, 90, 42]);
  await run(pool, sql`update supplier set use_state = 0`);
});

test('a sender counts sent and received messages, once each, and keeps what could not be saved', async () => {
  await run(pool, sql`delete from traffic`);
  const key = {
    customerId,
    minuteMs: 0,
    appId,
    areaCode: 'PH',
    carrier: 'Globe',
    clientSid: '',
    smsType: 2,
    routeId: uuidV7(),
  };
  const none = {
    reqTotal: 0,
    reqSuccess: 0,
    reqFail: 0,
    reqBlocked: 0,
    receiptSuccess: 0,
    receiptFail: 0,
    receiptUnknown: 0,
    segments: 0,
    charged: 0,
  };
  const counts = new TrafficCounts();
  counts.add(key, { ...none, reqSuccess: 5, reqFail: 3, reqBlocked: 2 });
  counts.add({ ...key, appId: 'another' }, { ...none, reqSuccess: 2 });
  // Delivered after all: one comes, and takes the earlier one's count back.
  counts.add(key, { ...none, receiptSuccess: 1, receiptFail: -1 });
  counts.giveBack(counts.take());
  const owner = uuidV7();
  await saveTraffic(pool, owner, counts.take());
  await saveTraffic(pool, owner, counts.take());
  counts.add(key, { ...none, receiptSuccess: 3 });
  await saveTraffic(pool, owner, counts.take());
  const { minutes } = await look();
  const sum = (field: 'accepted' | 'refused' | 'receipts' | 'received') =>
    minutes.reduce((n, each) => n + each[field], 0);
  assert.deepEqual([sum('accepted'), sum('refused'), sum('receipts')], [7, 1, 4]);
  await run(pool, sql`update traffic set at = at - interval '61 minutes'`);
  assert.ok((await sweepTraffic(pool)) >= 1);
  assert.equal(await sweepTraffic(pool), 0);
});

test('binds are counted over all sending processes, pairs as two, and those of a dead process not at all', async () => {
  const supplierId = await supplier('pairs-1', 2);
  await run(pool, sql`update supplier set bind_type = 'transmitter+receiver' where supplier_id = ${supplierId}`);
  const binds = async () => {
    const { bound, wanted, lastError } = (await look()).binds.find(
      (each: { supplierAccount: string }) => each.supplierAccount === 'pairs-1',
    );
    return [bound, wanted, lastError];
  };
  const [first, second] = [uuidV7(), uuidV7()];
  assert.deepEqual(await binds(), [0, 4, null]);
  await saveBindStates(pool, first, [bind(supplierId, 1, 'bound'), bind(supplierId, 2, 'bound')]);
  assert.deepEqual(await binds(), [2, 4, null]);
  await saveBindStates(pool, second, [bind(supplierId, 3, 'bound'), bind(supplierId, 4, 'waiting', Date.now(), 'no')]);
  assert.deepEqual(await binds(), [3, 4, 'no']);
  await run(pool, sql`update bind_state set seen_at = seen_at - interval '31 seconds' where owner = ${second}`);
  assert.deepEqual(await binds(), [2, 4, null]);
  await run(pool, sql`delete from bind_state`);
  await run(pool, sql`update supplier set use_state = 0`);
});

test('a lost bind is an alert after ten seconds, with when it was lost however often it was tried; no bind at all is a graver one', async () => {
  const supplierId = await supplier('globe-1', 2);
  const owner = uuidV7();
  assert.partialDeepStrictEqual(await alertsOf('noSender'), [{ severity: 'danger', since: null }]);
  const lostMs = Date.now() - 3_600_000;
  await saveBindStates(pool, owner, [
    bind(supplierId, 1, 'bound'),
    bind(supplierId, 2, 'waiting', Date.now(), 'ECONNREFUSED'),
  ]);
  assert.deepEqual((await look()).alerts, []);
  await saveBindStates(pool, owner, [
    bind(supplierId, 1, 'bound'),
    bind(supplierId, 2, 'connecting', lostMs, 'ECONNREFUSED'),
  ]);
  const since = new Date(lostMs).toISOString();
  assert.deepEqual((await look()).alerts, [
    {
      kind: 'bindsLost',
      severity: 'warning',
      since,
      supplierId,
      supplierAccount: 'globe-1',
      bound: 1,
      wanted: 2,
      lastError: 'ECONNREFUSED',
    },
  ]);
  await saveBindStates(pool, owner, [
    bind(supplierId, 1, 'refused', lostMs, 'bind refused: ESME_RINVPASWD'),
    bind(supplierId, 2, 'waiting', Date.now()),
  ]);
  assert.deepEqual((await look()).alerts, [
    {
      kind: 'supplierDown',
      severity: 'danger',
      since,
      supplierId,
      supplierAccount: 'globe-1',
      lastError: 'bind refused: ESME_RINVPASWD',
    },
  ]);
  await saveBindStates(pool, owner, [bind(supplierId, 1, 'bound'), bind(supplierId, 2, 'bound')]);
  assert.deepEqual((await look()).alerts, []);
  await run(pool, sql`update bind_state set seen_at = seen_at - interval '1 minute'`);
  const gone = (await alertsOf('noSender'))[0]!;
  assert.ok(Date.parse(gone.since) < Date.now() - 59_000);
  await run(pool, sql`update supplier set use_state = 0`);
});

test('an account that answers badly is an alert with its reason and figures, while it is suspended or probed', async () => {
  const supplierId = await supplier('bad-answers');
  const figures = { accepted: 0, refused: 0, errors: 12, throttled: 0, timeouts: 0, answerMs: 40 };
  await run(
    pool,
    sql`insert into supplier_breaker (supplier_id, state, reason, openings, changed_at, opened_at, figures)
        values (${supplierId}, 'open', 'errors', 1, now(), now(), ${JSON.stringify(figures)})`,
  );
  for (const state of ['open', 'halfOpen']) {
    await run(pool, sql`update supplier_breaker set state = ${state} where supplier_id = ${supplierId}`);
    assert.partialDeepStrictEqual(await alertsOf('supplierSuspended'), [
      { severity: 'danger', supplierAccount: 'bad-answers', breaker: { state, reason: 'errors', figures } },
    ]);
  }
  await run(pool, sql`update supplier_breaker set state = 'closed' where supplier_id = ${supplierId}`);
  assert.deepEqual(await alertsOf('supplierSuspended'), []);
  await run(pool, sql`update supplier set use_state = 0`);
});

test('a queue is old by its lane’s measure, and deferred messages do not count', async () => {
  const supplierId = uuidV7();
  await run(
    pool,
    sql`insert into supplier (supplier_id, supplier_account, host, port, system_id, password_sealed, use_state)
        values (${supplierId}, 'queues', 'localhost', 2776, 'x', 'x', 0)`,
  );
  let batches = 0;
  const batch = (lane: number, secondsAgo: number, notBefore: string | null = null) =>
    run(
      pool,
      sql`insert into batch (batch_id, customer_id, lane, supplier_id, route_id, message_count, success_count, created_at, not_before)
          values (${++batches * 1_000}, ${customerId}, ${lane}, ${supplierId}, ${uuidV7()}, 500, 100,
                  clock_timestamp() - ${secondsAgo}::int * interval '1 second', ${notBefore}::timestamptz)`,
    );
  await batch(1, 20);
  await batch(2, 120);
  await batch(3, 40_000, new Date(Date.now() + 3_600_000).toISOString());
  const before = await look();
  assert.deepEqual(
    before.queues.map(({ lane, messages, held, isOld }: Record<string, unknown>) => [lane, messages, held, isOld]),
    [
      [1, 400, 0, false],
      [2, 400, 0, false],
      [3, 400, 400, false],
    ],
  );
  assert.equal(before.queues[2].oldest, null);
  assert.deepEqual(before.alerts, []);
  await batch(1, 31);
  const [old, ...others] = (await look()).alerts;
  assert.partialDeepStrictEqual(old, { kind: 'queueOld', severity: 'danger', lane: 1, messages: 800 });
  assert.deepEqual(others, []);
  await run(pool, sql`delete from batch`);
});

test('receipts have stalled when a carrier takes messages for long and sends none; one receipt ends it', async () => {
  const supplierId = await supplier('silent-1');
  await run(pool, sql`update supplier set use_state = 0`);
  const routeId = await buildRoute(pool, { routeName: 'Silent', supplierId });
  await flow(1_500, routeId, { receipts: 3 });
  await flow(1_200, routeId, { accepted: 30 });
  await flow(300, routeId, { accepted: 1_000 });
  // Thirty of them are old enough for a receipt: too few for an alert.
  assert.deepEqual(await alertsOf('receiptsStalled'), []);
  await flow(800, routeId, { accepted: 40 });
  const stalled = (await alertsOf('receiptsStalled'))[0]!;
  assert.partialDeepStrictEqual(stalled, {
    severity: 'warning',
    supplierId,
    supplierAccount: 'silent-1',
    accepted: 70,
  });
  assert.ok(Math.abs(Date.parse(stalled.since) - (Date.now() - 1_500_000)) < 15_000);
  await flow(30, routeId, { receipts: 1 });
  assert.deepEqual(await alertsOf('receiptsStalled'), []);
});

test('unmatched receipts are reported by account, once the response can no longer be pending, for a week', async () => {
  const supplierId = await supplier('orphans-1');
  await run(pool, sql`update supplier set use_state = 0`);
  const receipt = (hoursAgo: number) =>
    run(
      pool,
      sql`insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final, received_at)
          values (${supplierId}, ${uuidV7()}, 'abc', '639171234567', 'S', 2, true, clock_timestamp() - ${hoursAgo}::float8 * interval '1 hour')`,
    );
  await receipt(0.15);
  await receipt(24 * 7 + 1);
  assert.deepEqual(await alertsOf('receiptsUnmatched'), []);
  await receipt(2);
  await receipt(3);
  const alert = (await alertsOf('receiptsUnmatched'))[0]!;
  assert.partialDeepStrictEqual(alert, { severity: 'warning', supplierAccount: 'orphans-1', count: 2 });
  assert.ok(Math.abs(Date.parse(alert.since) - (Date.now() - 3 * 3_600_000)) < 10_000);
  await run(pool, sql`update receipt_inbox set matched_at = now()`);
  assert.deepEqual(await alertsOf('receiptsUnmatched'), []);
});

test('requested but unused codes are reported while they are stopped', async () => {
  const now = api.deps.now();
  const count = (what: string) =>
    countAttempt(pool, { what, key: '', limit: 1_000, windowMs: conversionWindowMs, now });
  for (let n = 1; n < conversionLeast; n++) await count('code.sms.sent');
  assert.deepEqual(await alertsOf('codesStopped'), []);
  await count('code.sms.sent');
  assert.partialDeepStrictEqual(await alertsOf('codesStopped'), [
    { severity: 'danger', why: 'unused', since: now.toISOString() },
  ]);
  for (let n = 0; n < conversionLeast * conversionShare; n++) await count('code.sms.used');
  assert.deepEqual(await alertsOf('codesStopped'), []);
});

test('a range of numbers that gets too many codes is named by its first digits', async () => {
  const now = api.deps.now();
  const attempt = { what: 'code.sms.prefix', key: '639171', limit: smsPerRange, windowMs: conversionWindowMs, now };
  for (let n = 1; n < smsPerRange; n++) await countAttempt(pool, attempt);
  assert.deepEqual(await alertsOf('codesStopped'), []);
  await countAttempt(pool, attempt);
  assert.partialDeepStrictEqual(await alertsOf('codesStopped'), [
    { why: 'range', prefixes: ['639171'], since: now.toISOString() },
  ]);
  await clearAttempts(pool, attempt.what, attempt.key);
});

test('a repeatedly failing job is reported until it succeeds', async () => {
  const owner = uuidV7();
  await saveJobFailure(pool, owner, 'prepare', 1);
  await saveJobFailure(pool, owner, 'prepare', 2);
  assert.deepEqual(await alertsOf('jobFailing'), []);
  await saveJobFailure(pool, owner, 'prepare', 3);
  assert.partialDeepStrictEqual(await alertsOf('jobFailing'), [{ severity: 'danger', job: 'prepare', failures: 3 }]);
  await clearJobFailure(pool, owner, 'prepare');
  assert.deepEqual(await alertsOf('jobFailing'), []);
});

test('reviews past due are counted by the clock of review hours', async () => {
  await buildTemplate(pool, { customerId, appId, templateName: 'To read', auditStatus: AuditStatus.Pending });
  assert.deepEqual(await alertsOf('reviewsLate'), []);
  // A Tuesday at ten in the morning: due at noon.
  await run(pool, sql`update template_version set created_at = '2026-03-10T02:00:00Z' where audit_status = 0`);
  assert.partialDeepStrictEqual(await alertsOf('reviewsLate'), [
    { severity: 'warning', count: 1, since: '2026-03-10T04:00:00.000Z' },
  ]);
});

test('differences of the last comparison are reported until one finds none', async () => {
  await saveVerifyRun(pool, uuidV7(), { differences: 3, totals: { balance: 1, rollup: 2, file: 0 } });
  assert.partialDeepStrictEqual(await alertsOf('figuresDiffer'), [
    { severity: 'danger', count: 3, checks: ['balance', 'rollup'] },
  ]);
  await saveVerifyRun(pool, uuidV7(), { differences: 0, totals: {} });
  assert.deepEqual(await alertsOf('figuresDiffer'), []);
});

test('texts that no customer owns are an alert for a day', async () => {
  assert.deepEqual(await alertsOf('repliesUnowned'), []);
  const insert = (id: string, hours: number) =>
    api.db.pool.query(
      `insert into unowned_reply (inbound_id, supplier_id, msisdn, destination, content, is_opt_out, received_at)
       values ($1, $1, '639171234567', '9999', 'STOP', true, now() - $2 * interval '1 hour')`,
      [id, hours],
    );
  await insert(uuidV7(), 30);
  assert.deepEqual(await alertsOf('repliesUnowned'), []);
  await insert(uuidV7(), 2);
  assert.partialDeepStrictEqual(await alertsOf('repliesUnowned'), [{ severity: 'warning', count: 1 }]);
  await api.db.pool.query('delete from unowned_reply');
});

test('what no table could hold is an alert for a week, by account', async () => {
  const supplierId = await supplier('unstorable-1');
  await run(pool, sql`update supplier set use_state = 0`);
  const setAside = (eventKey: string, days: number) =>
    run(
      pool,
      sql`insert into set_aside_event (event_key, kind, supplier_id, error_code, content, set_aside_at)
          values (${eventKey}, 'receipt', ${supplierId}, '54000', '{}', clock_timestamp() - ${days}::float8 * interval '1 day')`,
    );
  await setAside('old', 8);
  assert.deepEqual(await alertsOf('eventsSetAside'), []);
  await setAside('one', 2);
  await setAside('two', 1);
  const alert = (await alertsOf('eventsSetAside'))[0]!;
  assert.partialDeepStrictEqual(alert, { severity: 'danger', supplierAccount: 'unstorable-1', count: 2 });
  assert.ok(Math.abs(Date.parse(alert.since) - (Date.now() - 2 * 86_400_000)) < 10_000);
  assert.equal(await sweepSetAside(pool, 7 * 86_400_000, 10), 1);
  assert.equal((await alertsOf('eventsSetAside'))[0]!.count, 2);
  await run(pool, sql`delete from set_aside_event`);
});

test('risks of the database are alerts, grave ones if senders refuse it', async () => {
  const client = await pool.connect();
  const settings = { fsync: 'fsync', full_page_writes: 'full_page_writes' };
  const off: string[] = [];
  for (const name of Object.values(settings))
    if ((await client.query(`show ${name}`)).rows[0][name] === 'off') off.push(name);
  client.release();
  const found = (await api.ask('reviewer', 'GET /traffic')).body.alerts.filter(({ kind }) => kind === 'databaseRisk');
  const risks = found.flatMap((alert) => ('risk' in alert ? [alert.risk] : []));
  for (const name of off) assert.ok(risks.includes(name as (typeof risks)[number]), name);
  assert.ok(found.every((alert) => alert.severity === 'warning' && 'stopsSending' in alert && !alert.stopsSending));
  if (off.length === 0) return;
  const supplierId = await supplier('globe-risk', 1);
  const binds = (await listBinds(pool)).filter((bind) => bind.supplierId === supplierId);
  const read = (allowsUnsafeDatabase: boolean) =>
    readAlerts(
      { ...api.deps, config: { ...api.deps.config, allowsUnsafeDatabase } },
      { binds, queues: [], now: new Date() },
      makeReviewRules(pool),
    );
  const strict = await read(false);
  assert.partialDeepStrictEqual(
    strict.find((alert) => alert.kind === 'databaseRisk'),
    { severity: 'danger', stopsSending: true },
  );
  // Senders that refuse the database have no binds, and starting them would not help.
  assert.ok(strict.every(({ kind }) => kind !== 'noSender'));
  assert.ok((await read(true)).some(({ kind }) => kind === 'noSender'));
  await run(pool, sql`update supplier set use_state = 0`);
});
