import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { insertCustomerLimit } from '@pahatid/db/queries/customer-limits';
import { insertRuleEvent } from '@pahatid/db/queries/threshold-rules';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerThresholds } from './routes.ts';

const api = await makeTestApi({ features: [registerThresholds] });
const { customerId, appId } = api;
const { pool } = api.db;

const volume = { kind: 'volume', period: 'day', unit: 'messages', alertAt: 80, limitAt: 100 };
const quality = { kind: 'quality', metric: 'delivered', bound: 8_000, windowMinutes: 30, act: 'pauseTasks' };
const frequency = { kind: 'frequency', perHour: 3 };
const pumping = { kind: 'pumping', minVolume: 200, factor: 4, act: 'slow', slowTo: 12 };
const post = (body: object, who: Who = 'owner') => api.ask(who, 'POST /thresholds', { body });
const make = async (body: object): Promise<string> => {
  const answer = await post(body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.thresholdId;
};
const path = (thresholdId: string): string => `/thresholds/${thresholdId}`;

test('a rule of each kind is written, read, changed in part and removed, each on record', async () => {
  for (const body of [volume, quality, frequency, pumping]) {
    const thresholdId = await make(body);
    const one = await api.ask('owner', `GET ${path(thresholdId)}`);
    assert.equal(one.status, 200);
    for (const [field, value] of Object.entries(body)) assert.deepEqual(one.body[field], value, field);
    assert.deepEqual(
      [one.body.setBy, one.body.useState, one.body.appId, one.body.silenceMinutes, one.body.lastEvent],
      ['customer', 1, null, 60, null],
    );
    const changed = await api.ask('owner', `PATCH ${path(thresholdId)}`, {
      body: { useState: 0, appId, emails: ['Ops@Shop.example'], mobileNumbers: ['0917 123 4567'] },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.body.useState, changed.body.appId, changed.body.emails, changed.body.mobileNumbers],
      [0, appId, ['ops@shop.example'], ['639171234567']],
    );
    for (const [field, value] of Object.entries(body)) assert.deepEqual(changed.body[field], value, field);
    assert.equal(changed.body.state.stage, 'idle');
    assert.equal((await api.ask('owner', `DELETE ${path(thresholdId)}`)).status, 204);
    assert.equal((await api.ask('owner', `GET ${path(thresholdId)}`)).status, 404);
    const log = await many<{ action: string }>(
      pool,
      sql`select action from audit_log where subject_id = ${thresholdId} order by audit_id`,
    );
    assert.deepEqual(
      log.map(({ action }) => action),
      ['add', 'edit', 'delete'],
    );
  }
});

test('what makes no rule is refused, with the field that is wrong', async () => {
  for (const [body, field] of [
    [{ ...volume, alertAt: null, limitAt: null }, 'limitAt'],
    [{ ...volume, alertAt: 101 }, 'alertAt'],
    [{ ...volume, metric: 'failed' }, 'metric'],
    [{ ...volume, emails: ['nobody'] }, 'emails.0'],
    [{ ...volume, mobileNumbers: ['0281234567'] }, 'mobileNumbers.0'],
    [{ ...volume, silenceMinutes: -1 }, 'silenceMinutes'],
    [{ ...volume, areaCode: 'ph' }, 'areaCode'],
    [{ ...quality, bound: 10_001 }, 'bound'],
    [{ ...quality, windowMinutes: 4 }, 'windowMinutes'],
    [{ ...quality, windowMinutes: 1_441 }, 'windowMinutes'],
    [{ ...quality, act: 'pauseApplication' }, 'appId'],
    [{ kind: 'frequency' }, 'perDay'],
    [{ ...frequency, perHour: 0 }, 'perHour'],
    [{ ...frequency, exempt: ['x'.repeat(6)] }, 'exempt.0'],
    [{ ...quality, act: 'slow' }, 'act'],
    [{ ...pumping, act: 'pauseTasks' }, 'act'],
    [{ ...pumping, factor: 1 }, 'factor'],
    [{ ...pumping, factor: 101 }, 'factor'],
    [{ ...pumping, slowTo: 0 }, 'slowTo'],
    [{ ...pumping, minVolume: 0 }, 'minVolume'],
    [{ ...pumping, smsType: 1 }, 'smsType'],
    [{ ...pumping, windowMinutes: 30 }, 'windowMinutes'],
    [{ kind: 'other' }, 'kind'],
  ] as const) {
    const answer = await post(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.errors[0].field, field, answer.text);
  }
  const foreign = await post({ ...volume, appId: api.otherAppId });
  assert.deepEqual([foreign.status, foreign.body.code], [400, 'APP_NOT_FOUND']);
  const thresholdId = await make(frequency);
  const patch = (body: object) => api.ask('owner', `PATCH ${path(thresholdId)}`, { body });
  assert.equal((await patch({ period: 'day' })).body.errors[0].field, 'period');
  assert.equal((await patch({ perHour: null })).body.errors[0].field, 'perDay');
  assert.equal((await patch({ kind: 'volume' })).body.errors[0].field, 'kind');
  assert.equal((await patch({ appId: api.otherAppId })).body.code, 'APP_NOT_FOUND');
});

test('owners write, members and viewers read, phones masked for viewers; others find nothing', async () => {
  const thresholdId = await make({ ...frequency, exempt: ['+639171234567'], mobileNumbers: ['+639181234567'] });
  for (const who of ['member', 'viewer'] as const) {
    const one = await api.ask(who, `GET ${path(thresholdId)}`);
    assert.equal(one.status, 200);
    assert.deepEqual(
      [one.body.exempt[0], one.body.mobileNumbers[0]],
      who === 'viewer' ? ['63******4567', '63******4567'] : ['639171234567', '639181234567'],
    );
    assert.equal((await api.ask(who, `GET ${path(thresholdId)}/events`)).status, 200);
    assert.equal((await api.ask(who, 'POST /thresholds/forecast', { body: frequency })).status, 200);
    for (const [route, body] of [
      ['POST /thresholds', volume],
      [`PATCH ${path(thresholdId)}`, { perDay: 9 }],
      [`DELETE ${path(thresholdId)}`, undefined],
      [`POST ${path(thresholdId)}/resume`, undefined],
    ] as const)
      assert.equal((await api.ask(who, route, { body })).status, 403, `${who} ${route}`);
  }
  for (const [route, forStaff] of [
    [`GET ${path(thresholdId)}`, 200],
    [`GET ${path(thresholdId)}/events`, 200],
    [`DELETE ${path(thresholdId)}`, 403],
    [`POST ${path(thresholdId)}/resume`, 403],
  ] as const) {
    assert.equal((await api.ask('other', route)).status, 404, route);
    for (const who of ['reviewer', 'operator', 'admin'] as const)
      assert.equal((await api.ask(who, route)).status, forStaff, `${who} ${route}`);
  }
  assert.equal((await api.ask('other', `PATCH ${path(thresholdId)}`, { body: { perDay: 9 } })).status, 404);
  assert.equal((await api.ask('other', 'GET /thresholds')).body.items.length, 0);
  assert.equal((await api.ask(null, 'GET /thresholds')).status, 401);
});

test('what staff have set is seen and left alone', async () => {
  const thresholdId = uuidV7();
  await insertCustomerLimit(pool, customerId, {
    thresholdId,
    kind: 'volume',
    appId: null,
    areaCode: null,
    carrier: null,
    smsType: null,
    sameContentPer30s: null,
    perMinute: null,
    perHour: null,
    perDay: null,
    period: 'month',
    unit: 'cost',
    limitAt: 1_000_000,
  });
  assert.equal((await api.ask('owner', `GET ${path(thresholdId)}`)).body.setBy, 'staff');
  for (const [route, body] of [
    [`PATCH ${path(thresholdId)}`, { limitAt: 2_000_000 }],
    [`DELETE ${path(thresholdId)}`, undefined],
  ] as const) {
    const answer = await api.ask('owner', route, { body });
    assert.deepEqual([answer.status, answer.body.code], [403, 'THRESHOLD_SET_BY_STAFF']);
  }
});

test('the gauge shows what the period has taken, of this rule alone', async () => {
  const thresholdId = await make(volume);
  const stateAt = async (used: number) => {
    await run(
      pool,
      sql`insert into volume_count (customer_id, threshold_id, period_start, used)
          values (${customerId}, ${thresholdId}, date_trunc('day', now() at time zone 'Asia/Manila') at time zone 'Asia/Manila', ${used})
          on conflict (customer_id, threshold_id, period_start) do update set used = excluded.used`,
    );
    const { state } = (await api.ask('owner', `GET ${path(thresholdId)}`)).body;
    return [state.value, state.stage];
  };
  assert.deepEqual(await stateAt(79), [79, 'ok']);
  assert.deepEqual(await stateAt(80), [80, 'alert']);
  assert.deepEqual(await stateAt(100), [100, 'limit']);
});

test('a volume that counts something else from now on begins at nothing; another bound leaves what was counted', async () => {
  for (const change of [{ unit: 'cost' }, { period: 'month' }, { smsType: 3 }, { appId }, { carrier: 'Globe' }]) {
    const thresholdId = await make(volume);
    const today = sql`date_trunc('day', now() at time zone 'Asia/Manila') at time zone 'Asia/Manila'`;
    await run(
      pool,
      sql`insert into volume_count (customer_id, threshold_id, period_start, used) values (${customerId}, ${thresholdId}, ${today}, 90)`,
    );
    const valueAfter = async (body: object) => {
      const answer = await api.ask('owner', `PATCH ${path(thresholdId)}`, { body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.state.value;
    };
    assert.equal(await valueAfter({ limitAt: 95, emails: ['ops@shop.example'] }), 90);
    assert.equal(await valueAfter(change), 0, JSON.stringify(change));
    const left = await many(pool, sql`select used from volume_count where threshold_id = ${thresholdId}`);
    assert.deepEqual(left, []);
    await api.ask('owner', `DELETE ${path(thresholdId)}`);
  }
});

test('a raised limit is no longer reached, whatever the lower one blocked', async () => {
  const thresholdId = await make(volume);
  const today = sql`date_trunc('day', now() at time zone 'Asia/Manila') at time zone 'Asia/Manila'`;
  const keys = sql`${customerId}::uuid, ${thresholdId}::uuid`;
  await run(
    pool,
    sql`insert into volume_count (customer_id, threshold_id, period_start, used) values (${keys}, ${today}, 79)`,
  );
  await run(
    pool,
    sql`insert into threshold_refusal (customer_id, threshold_id, hour, refused) values (${keys}, date_trunc('hour', clock_timestamp()), 5)`,
  );
  const stageAfter = async (body: object) =>
    (await api.ask('owner', `PATCH ${path(thresholdId)}`, { body })).body.state.stage;
  assert.equal(await stageAfter({ emails: ['ops@shop.example'] }), 'limit');
  assert.equal(await stageAfter({ limitAt: 500 }), 'ok');
});

test('the history is paged, newest first; the list shows the last event; csv has the same rules', async () => {
  const thresholdId = await make({ ...volume, appId });
  for (const [index, kind] of (['alert', 'limit', 'over'] as const).entries())
    await insertRuleEvent(pool, {
      customerId,
      thresholdId,
      kind,
      value: index,
      bound: 80,
      amount: null,
      notified: index === 0,
      userId: null,
    });
  const first = await api.ask('viewer', `GET ${path(thresholdId)}/events`, { query: { limit: '2' } });
  const second = await api.ask('viewer', `GET ${path(thresholdId)}/events`, {
    query: { limit: '2', cursor: first.body.nextCursor },
  });
  const events = [...first.body.items, ...second.body.items].map(({ event }: { event: string }) => event);
  assert.deepEqual(events, ['over', 'limit', 'alert']);
  const { body } = await api.ask('viewer', 'GET /thresholds', { query: { kind: 'volume', appId } });
  assert.equal(body.items.length, 1);
  assert.equal(body.items[0].lastEvent.event, 'over');
  const csv = await api.ask('viewer', 'GET /thresholds', {
    query: { kind: 'volume', appId },
    headers: { accept: 'text/csv' },
  });
  assert.ok(csv.text.includes(thresholdId) && csv.text.includes('over'));
});

test('a forecast shows on how many days of the last week a volume would have been reached, and by how much', async () => {
  const day = (ago: number, total: number) =>
    run(
      pool,
      sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
            req_total, req_success, receipt_success, receipt_fail)
          values (${customerId}, date_trunc('minute', now()) - ${ago}::int * interval '1 day', ${appId}, 'PH', 'Globe', 'SHOP', 2,
            ${uuidV7()}, 1, ${total}, ${total}, ${total - 30}, 30)`,
    );
  for (const [ago, total] of [
    [1, 90],
    [2, 120],
    [3, 50],
    [9, 1_000],
  ] as const)
    await day(ago, total);
  const forecast = async (rule: object) => (await api.ask('owner', 'POST /thresholds/forecast', { body: rule })).body;
  const told = await forecast(volume);
  assert.deepEqual([told.periods, told.alerts, told.limits, told.peak], [7, 2, 1, 120]);
  assert.equal((await forecast({ ...volume, carrier: 'Smart' })).messages, 0);
  // 60 of 90, 90 of 120 and 20 of 50 were delivered: all below 80 %, the last the worst.
  const rate = await forecast({ ...quality, minVolume: 50 });
  assert.deepEqual([rate.alerts, rate.peak], [1, 4_000], 'days without traffic end no alert');
  assert.equal((await forecast({ ...quality, minVolume: 1_000 })).alerts, 0);
  assert.equal((await forecast({ ...quality, metric: 'delay', bound: 30 })).peak, null);
});

test('a forecast of a frequency finds the phones that would have had too many', async () => {
  const base = (BigInt(Date.now() - 86_400_000) - 1_735_689_600_000n) << 18n;
  const send = (n: number, offsetMs: number, msisdn: string) =>
    run(
      pool,
      sql`insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
            charge_type, price, route_id, supplier_id, send_status)
          values (${customerId}, ${String(base + (BigInt(offsetMs) << 18n) + BigInt(n))}::bigint, ${appId}, 1, ${msisdn}, 'PH', 'SHOP',
            'same', 1, 'SenderPays', 1, ${uuidV7()}, ${uuidV7()}, 3)`,
    );
  for (let n = 0; n < 4; n += 1) await send(n, n * 10_000, '639171234567');
  await send(9, 0, '639181234567');
  const held = async (rule: object): Promise<number> =>
    (await api.ask('owner', 'POST /thresholds/forecast', { body: { kind: 'frequency', ...rule } })).body.limits;
  assert.equal(await held({ perMinute: 2 }), 2);
  assert.equal(await held({ perMinute: 4 }), 0);
  assert.equal(await held({ sameContentPer30s: 2 }), 2);
  assert.equal(await held({ perMinute: 2, exempt: ['+639171234567'] }), 0);
  assert.equal(await held({ perMinute: 2, smsType: 3 }), 0);
});

test('a forecast of pumping counts the days on which an application would have had an alarm', async () => {
  const note = (ago: number, messages: number, toRange: number) =>
    run(
      pool,
      sql`insert into pumping_past (customer_id, app_id, day, signal, key, busiest)
          select ${customerId}, ${appId}, (now() at time zone 'Asia/Manila')::date - ${ago}::int, n.* from unnest(
            array['messages', 'prefix'], array['', '639171'], array[${messages}, ${toRange}]::int[]) as n`,
    );
  for (const ago of [9, 8, 7, 6, 5, 4]) await note(ago, 300, 20);
  await note(3, 900, 600);
  await note(2, 900, 150);
  await note(1, 300, 20);
  const forecast = async (rule: object) => (await api.ask('owner', 'POST /thresholds/forecast', { body: rule })).body;
  const found = await forecast({ kind: 'pumping' });
  assert.deepEqual([found.periods, found.alerts, found.peak, found.partial], [7, 1, 600, false]);
  assert.equal((await forecast({ kind: 'pumping', factor: 100 })).alerts, 0);
  assert.equal((await forecast({ kind: 'pumping', minVolume: 1_000 })).alerts, 0);
  const foreign = await api.ask('other', 'POST /thresholds/forecast', { body: { kind: 'pumping' } });
  assert.deepEqual([foreign.status, foreign.body.alerts], [200, 0]);
});

test('at most fifty, also for two concurrent requests', async () => {
  const { total } = (await api.ask('owner', 'GET /thresholds')).body;
  await run(
    pool,
    sql`insert into threshold (threshold_id, customer_id, kind, per_day)
        select gen_random_uuid(), ${customerId}, 'frequency', 9 from generate_series(1, ${49 - total}::int)`,
  );
  const answers = await Promise.all([post(frequency), post(frequency)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
});
