import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pumpingDefaults } from '@pahatid/contract';
import { SmsType, TaskStatus } from '@pahatid/contract/enums';
import { many, one, run, sql, withTransaction } from '@pahatid/db';
import { buildApplication } from '@pahatid/db/builders';
import { notePumping } from '@pahatid/db/queries/pumping-past';
import { insertRule, type RuleInput } from '@pahatid/db/queries/threshold-rules';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { acceptMessages } from '../../sending/accept/accept.ts';
import type { SendCallResult } from '../../sending/accept/send-call.ts';
import { writeGroup } from '../../sending/accept/write-group.ts';
import { registerMessages } from '../messages/routes.ts';
import { registerThresholds } from './routes.ts';
import { watchPumping } from './watch-pumping.ts';

const api = await makeTestApi({ features: [registerMessages, registerThresholds] });
const { pool } = api.db;
const { customerId } = api;
const world = await makeTaskWorld(pool, customerId, api.appId);
const jobs = await world.jobs();
const minuteMs = 60_000;
const dayMs = 86_400_000;
const watch = (offsetMs = 0) => watchPumping({ ...jobs, offsetMs }, { publicUrl: 'https://pahatid.example' });

type Pumping = Extract<RuleInput, { kind: 'pumping' }>;
const rule = (more: Partial<Pumping> = {}): Pumping => ({
  kind: 'pumping',
  appId: null,
  areaCode: null,
  carrier: null,
  smsType: null,
  useState: 1,
  emails: [],
  mobileNumbers: [],
  msisdns: [],
  webhooks: [],
  silenceMinutes: 0,
  ...pumpingDefaults,
  minVolume: 50,
  ...more,
});
const addRule = (more: Partial<Pumping> = {}): Promise<string> =>
  insertRule(pool, customerId, rule(more), { userId: null });
/** Leaves nothing for the next test to find. */
const clear = async (): Promise<void> => {
  await run(pool, sql`update application set paused_by = null`);
  await run(pool, sql`delete from threshold where kind = 'pumping'`);
  await run(pool, sql`delete from message`);
  await run(pool, sql`delete from batch`);
};
const makeApp = () => buildApplication(pool, { customerId });

const numbers = (count: number, at: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => at(index));
/** Numbers of one range, far apart. */
const ofRange = (range: string, count: number): string[] =>
  numbers(count, (index) => `${range}${String((index * 7_919) % 1_000_000).padStart(6, '0')}`);
/** Numbers of many ranges, few of each. */
const spread = (count: number): string[] =>
  numbers(count, (index) => `63917${index % 10}${String((index * 7_919) % 1_000_000).padStart(6, '0')}`);

/** Sends by API; returns the code of each message, or of the whole call. */
const send = async (
  appId: string,
  msisdns: readonly string[],
  { smsType = SmsType.Verification, of = customerId }: { smsType?: SmsType; of?: string } = {},
): Promise<string[]> => {
  const codes: string[] = [];
  const answer = (results: readonly SendCallResult[]) => {
    codes.push(...results.map((result) => ('refusal' in result ? result.refusal.code : result.messageId)));
    return { status: 202, response: {} };
  };
  const messages = msisdns.map((msisdn) => ({
    msisdn,
    areaCode: 'PH',
    content: 'Your code is 123456',
    pkgTotal: 1,
    templateId: null,
    smsType,
    clientSid: 'TESTSHOP',
  }));
  const accept = await jobs.accept();
  await withTransaction(pool, async (tx) => {
    const { outcomes } = await writeGroup(tx, accept, [{ customerId: of, appId, key: null, messages, answer }], 'wait');
    const [outcome] = outcomes;
    if (typeof outcome === 'object' && outcome.kind === 'refusedCall') codes.push(outcome.refusal.code);
  });
  return codes;
};
type Counts = Parameters<typeof notePumping>[2];
/** What the application sent in its busiest window on each of the last days. */
const past = async (appId: string, counts: Counts, codes = { sent: 0, used: 0 }): Promise<void> => {
  for (const ago of [1, 2, 3]) await notePumping(pool, { customerId, appId }, counts, codes, Date.now() - ago * dayMs);
};
const messages = (value: number) => ({ signal: 'messages', key: '', value }) as const;
const range = (key: string, value: number) => ({ signal: 'prefix', key, value }) as const;
const country = (value: number) => ({ signal: 'country', key: 'PH', value }) as const;

interface Event {
  kind: string;
  value: number;
  bound: number;
  amount: number;
  told: boolean;
  facts: { appId: string; signal: string; key: string; usual: number | null };
}
const eventsOf = (thresholdId: string): Promise<Event[]> =>
  many<Event>(
    pool,
    sql`select kind, value, bound, amount, told, facts from threshold_event where threshold_id = ${thresholdId} order by event_id`,
  );
const kindsOf = async (thresholdId: string) => (await eventsOf(thresholdId)).map(({ kind }) => kind);

test('S19 a burst to one range is reported once with its numbers, by however many watchers, to the owners alone', async () => {
  const [appId, thresholdId] = [await makeApp(), await addRule()];
  await past(appId, [messages(60), range('639175', 8), country(60)]);
  await send(appId, [...spread(50), ...ofRange('639175', 70)]);
  await Promise.all([watch(), watch(), watch()]);
  await watch();
  const [event, ...more] = await eventsOf(thresholdId);
  assert.deepEqual(more, []);
  assert.deepEqual([event?.kind, event?.value, event?.bound, event?.amount, event?.told], ['alert', 75, 50, 120, true]);
  assert.deepEqual(
    [event?.facts.appId, event?.facts.signal, event?.facts.key, event?.facts.usual],
    [appId, 'prefix', '639175', 8],
  );
  const notices = await many<{ userId: string; signal: string }>(
    pool,
    sql`select user_id as "userId", params -> 'pumping' ->> 'signal' as signal from notice
        where params ->> 'thresholdId' = ${thresholdId}`,
  );
  assert.deepEqual(notices, [{ userId: api.users.owner.userId, signal: 'prefix' }]);
  const { body } = await api.ask('viewer', `GET /thresholds/${thresholdId}/events`);
  assert.deepEqual([body.items[0].pumping.key, body.items[0].value], ['639175', 75]);
  const { state } = (await api.ask('viewer', `GET /thresholds/${thresholdId}`)).body;
  assert.deepEqual([state.value, state.stage], [1, 'alert']);
  assert.equal((await api.ask('other', `GET /thresholds/${thresholdId}/events`)).status, 404);
  await clear();
});

test('another customer’s burst is reported to it alone', async () => {
  const thresholdId = await addRule();
  const other = await insertRule(pool, api.otherCustomerId, rule(), { userId: null });
  const codes = await send(api.otherAppId, ofRange('639175', 250), { of: api.otherCustomerId });
  assert.equal(codes.length, 250);
  await watch();
  assert.deepEqual(await kindsOf(thresholdId), []);
  assert.deepEqual(await kindsOf(other), ['alert']);
  await clear();
});

test('ordinary growth is not reported, nor is a launch, and neither is too little to judge', async () => {
  const [grown, launched, small, thresholdId] = [await makeApp(), await makeApp(), await makeApp(), await addRule()];
  const ranges = numbers(10, (index) => `63917${index}`).map((key) => range(key, 10));
  await past(grown, [messages(100), country(100), ...ranges]);
  await send(grown, spread(300));
  await send(launched, spread(300));
  await past(small, [messages(10)]);
  await send(small, ofRange('639171', 49));
  await watch();
  assert.deepEqual(await eventsOf(thresholdId), []);
  await clear();
});

test('consecutive numbers are reported, but not those of a task or of marketing', async () => {
  const [appId, thresholdId] = [await makeApp(), await addRule()];
  const sorted = numbers(60, (index) => `63917${1_000_000 + index}`);
  await send(appId, sorted, { smsType: SmsType.Marketing });
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending, appId });
  const accept = await jobs.accept();
  await withTransaction(pool, (tx) =>
    acceptMessages(tx, accept, {
      customerId,
      appId,
      smsType: SmsType.Notification,
      clientSid: 'TESTSHOP',
      chargeType: 'SenderPays',
      taskId,
      round: 0,
      notBefore: null,
      recipients: sorted.map((msisdn) => ({ msisdn, areaCode: 'PH', content: 'Hello', pkgTotal: 1 })),
    }),
  );
  await watch();
  assert.deepEqual(await eventsOf(thresholdId), []);
  await send(appId, sorted, { smsType: SmsType.Notification });
  await watch();
  const [event] = await eventsOf(thresholdId);
  assert.deepEqual([event?.facts.signal, event?.facts.key, event?.value], ['sequence', '639171', 60]);
  await clear();
});

test('the same numbers again and again are reported', async () => {
  const [appId, thresholdId] = [await makeApp(), await addRule()];
  await past(appId, [
    messages(60),
    country(60),
    ...numbers(10, (index) => `63917${index}`).map((key) => range(key, 30)),
  ]);
  const ten = spread(10);
  for (let round = 0; round < 12; round += 1) await send(appId, ten);
  await watch();
  const [event] = await eventsOf(thresholdId);
  assert.deepEqual([event?.facts.signal, event?.value, event?.facts.usual], ['repeats', 120, 0]);
  await clear();
});

test('codes that are entered less than half as often as usual are reported, with both shares', async () => {
  const [appId, thresholdId] = [api.appId, await addRule()];
  await past(appId, [messages(100), country(100)], { sent: 1_000, used: 800 });
  const sent = await send(appId, spread(60));
  const enter = (messageId: string, authorization = api.basic.app) =>
    api.ask(null, `POST /messages/${messageId}/conversion`, { headers: { authorization } });
  for (const messageId of sent.slice(0, 12)) {
    assert.equal((await enter(messageId)).status, 204);
    assert.equal((await enter(messageId)).status, 204, 'reported twice, counted once');
  }
  await watch();
  assert.deepEqual(await eventsOf(thresholdId), [], 'they may still be entered');
  await watch(12 * minuteMs);
  const [event] = await eventsOf(thresholdId);
  assert.deepEqual(
    [event?.facts.signal, event?.value, event?.bound, event?.facts.usual],
    ['conversion', 2_000, 4_000, 8_000],
  );
  await clear();
});

test('only codes of the calling application can be reported as entered', async () => {
  const [code] = await send(api.appId, ofRange('639176', 1));
  const [notice] = await send(api.appId, ofRange('639176', 1), { smsType: SmsType.Notification });
  const [foreign] = await send(await makeApp(), ofRange('639176', 1));
  const enter = (messageId: string | undefined, authorization: string | undefined = api.basic.app) =>
    api.ask(null, `POST /messages/${messageId}/conversion`, { ...(authorization && { headers: { authorization } }) });
  assert.equal((await enter(notice)).body.code, 'NOT_FOUND');
  assert.equal((await enter(foreign)).status, 404);
  assert.equal((await enter('1')).status, 404);
  assert.equal((await enter('x')).status, 404);
  assert.equal((await enter(code, '')).status, 401);
  assert.equal((await enter(code, api.basic.otherApp)).status, 404);
  const stored = () =>
    one<{ n: number }>(
      pool,
      sql`select count(*)::int as n from message_conversion where message_id = ${code ?? ''}::bigint`,
    );
  assert.equal((await stored()).n, 0);
  assert.equal((await enter(code)).status, 204);
  assert.equal((await stored()).n, 1);
});

test('a slowed application sends so many messages per minute by API, until a user resumes it', async () => {
  const [appId, other] = [await makeApp(), await makeApp()];
  const thresholdId = await addRule({ act: 'slow', slowTo: 3 });
  await send(appId, ofRange('639175', 250));
  await watch();
  const [event] = await eventsOf(thresholdId);
  assert.deepEqual([event?.kind, event?.facts.appId, event?.facts.usual], ['slow', appId, null]);
  const codes = async (of: string) => (await send(of, spread(20))).filter((code) => code === 'VOLUME_LIMITED').length;
  assert.equal(await codes(appId), 17);
  assert.equal(await codes(other), 0);
  const { state } = (await api.ask('viewer', `GET /thresholds/${thresholdId}`)).body;
  assert.deepEqual([state.slowedApplication, state.pausedApplication], [true, false]);
  assert.equal((await api.ask('viewer', `POST /thresholds/${thresholdId}/resume`)).status, 403);
  assert.equal((await api.ask('owner', `POST /thresholds/${thresholdId}/resume`)).status, 200);
  assert.equal((await api.ask('owner', `POST /thresholds/${thresholdId}/resume`)).body.code, 'THRESHOLD_HOLDS_NOTHING');
  assert.equal(await codes(appId), 0);
  await watch();
  assert.equal(await codes(appId), 0, 'not slowed again by the same burst');
  assert.deepEqual(await kindsOf(thresholdId), ['slow', 'resume']);
  await clear();
});

test('a slowed application refuses by HTTP with Retry-After, and its tasks go on', async () => {
  const thresholdId = await addRule({ act: 'slow', slowTo: 1, appId: api.appId });
  await send(api.appId, ofRange('639177', 600));
  await watch();
  assert.deepEqual(await kindsOf(thresholdId), ['slow']);
  const post = (to: string) =>
    api.ask(null, 'POST /messages', {
      body: { to, smsType: 1, content: 'Your code is 123456.' },
      headers: { authorization: api.basic.app },
    });
  // Three calls span two minutes at most.
  const answers = [await post('639170000001'), await post('639170000002'), await post('639170000003')];
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.body.code, 'VOLUME_LIMITED', answers.map(({ text }) => text).join());
  const retryAfter = Number(refused?.headers['retry-after']);
  assert.ok(retryAfter >= 1 && retryAfter <= 60, String(retryAfter));
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending });
  const accept = await jobs.accept();
  const { accepted, batches } = await withTransaction(pool, (tx) =>
    acceptMessages(tx, accept, {
      customerId,
      appId: api.appId,
      smsType: SmsType.Notification,
      clientSid: 'TESTSHOP',
      chargeType: 'SenderPays',
      taskId,
      round: 0,
      notBefore: null,
      recipients: spread(20).map((msisdn) => ({ msisdn, areaCode: 'PH', content: 'Hello', pkgTotal: 1 })),
    }),
  );
  assert.equal(accepted, 20);
  assert.ok(batches.every(({ notBefore }) => notBefore === null));
  await clear();
});

test('a paused application refuses until a user resumes it; other applications of the rule go on', async () => {
  const [appId, other] = [await makeApp(), await makeApp()];
  const thresholdId = await addRule({ act: 'pauseApplication' });
  await send(appId, ofRange('639175', 250));
  await watch();
  assert.deepEqual(await kindsOf(thresholdId), ['pause']);
  assert.deepEqual(await send(appId, spread(1)), ['APP_PAUSED']);
  assert.notDeepEqual(await send(other, spread(1)), ['APP_PAUSED']);
  assert.equal((await api.ask('owner', `POST /thresholds/${thresholdId}/resume`)).status, 200);
  assert.notDeepEqual(await send(appId, spread(1)), ['APP_PAUSED']);
  await clear();
});

test('an alarm is over after half an hour without a sign, and then the application is not slowed any more', async () => {
  const appId = await makeApp();
  const thresholdId = await addRule({ act: 'slow', slowTo: 1 });
  await send(appId, ofRange('639175', 250));
  await watch();
  await watch(16 * minuteMs);
  assert.deepEqual(await kindsOf(thresholdId), ['slow']);
  await watch(47 * minuteMs);
  await watch(48 * minuteMs);
  const [, over] = await eventsOf(thresholdId);
  assert.deepEqual([over?.kind, over?.told, over?.facts.appId], ['over', false, appId]);
  assert.equal((await eventsOf(thresholdId)).length, 2);
  assert.ok((await send(appId, spread(5))).every((code) => code !== 'VOLUME_LIMITED'));
  await clear();
});

test('an application’s own rule takes the place of the general one, also to switch it off', async () => {
  const appId = await makeApp();
  const general = await addRule();
  const own = await addRule({ appId, useState: 0 });
  await send(appId, ofRange('639175', 250));
  await watch();
  assert.deepEqual(await kindsOf(general), []);
  const enabled = await api.ask('owner', `PATCH /thresholds/${own}`, { body: { useState: 1 } });
  assert.equal(enabled.status, 200, enabled.text);
  await watch();
  assert.deepEqual([await kindsOf(general), await kindsOf(own)], [[], ['alert']]);
  await clear();
});

test('a rule that is disabled, or changed, ends its alarms and slows nothing', async () => {
  const appId = await makeApp();
  const thresholdId = await addRule({ act: 'slow', slowTo: 1 });
  await send(appId, ofRange('639175', 250));
  await watch();
  const changed = await api.ask('owner', `PATCH /thresholds/${thresholdId}`, { body: { useState: 0 } });
  assert.equal(changed.body.state.slowedApplication, false);
  assert.ok((await send(appId, spread(5))).every((code) => code !== 'VOLUME_LIMITED'));
  await watch();
  assert.deepEqual(await kindsOf(thresholdId), ['slow']);
  await clear();
});

test('what was sent today is remembered: the busiest window of each range, once', async () => {
  const [appId] = [await makeApp(), await addRule()];
  await send(appId, ofRange('639175', 40));
  await watch();
  await send(appId, ofRange('639175', 5));
  await watch();
  const stored = await many<{ signal: string; key: string; busiest: number }>(
    pool,
    sql`select signal, key, busiest from pumping_past where app_id = ${appId} order by signal, key`,
  );
  assert.deepEqual(stored, [
    { signal: 'country', key: 'PH', busiest: 45 },
    { signal: 'messages', key: '', busiest: 45 },
    { signal: 'prefix', key: '639175', busiest: 45 },
    { signal: 'sequence', key: '', busiest: 1 },
  ]);
  await clear();
});
