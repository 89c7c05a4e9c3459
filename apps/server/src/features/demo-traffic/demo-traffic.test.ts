/** The software of the demo customer: as many messages as an hour asks for, each once. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { many, one, sql } from '@pahatid/db';
import { recipientAt, seedDemo } from '@pahatid/db/builders';
import { listDemoSenders } from '@pahatid/db/queries/demo-traffic';
import { encodeBlock } from '../../files/blocks.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { getMessageSending } from '../../messages/message-sending.ts';
import { apiFeatures } from '../../roles/api.ts';
import { makeSecrets } from '../../secrets/secrets.ts';
import { planSlot, sendDemoTraffic, shareOfHour, slotMs } from './send-demo-traffic.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const sending = getMessageSending(api.app, api.deps);

test('more is sent by day than by night, the same for the same slot', () => {
  const senders = ['a', 'b', 'c'].map((appId) => ({ customerId: 'x', appId, templateId: appId }));
  const day = Array.from({ length: 86_400_000 / slotMs }, (_, slot) => planSlot(slot, senders, recipientAt));
  const sent = day.filter((plan) => plan !== null);
  assert.ok(sent.length > 3_000 && sent.length < 6_000, `${sent.length}`);
  assert.deepEqual(day[7], planSlot(7, senders, recipientAt));
  // 00:00 to 01:00 UTC is 08:00 in Manila; 19:00 UTC is 03:00.
  const inHour = (hour: number): number =>
    day.slice((hour * 3_600_000) / slotMs, ((hour + 1) * 3_600_000) / slotMs).filter(Boolean).length;
  assert.ok(inHour(4) > inHour(19) * 4, `${inHour(4)} at noon, ${inHour(19)} at three`);
  assert.ok(sent.every(({ to, code }) => /^\+639\d{9}$/.test(to) && /^\d{6}$/.test(code)));
  assert.equal(new Set(sent.map(({ sender }) => sender.appId)).size, 3);
  for (let hour = 0; hour < 24; hour++) assert.ok(shareOfHour(hour) > 0 && shareOfHour(hour) <= 0.5, `${hour}`);
});

test('two processes send the message of a slot once', async () => {
  assert.deepEqual(await listDemoSenders(pool), []);
  await sendDemoTraffic([], sending, recipientAt);
  await seedDemo(pool, { secrets: makeSecrets(randomBytes(32)), encodeBlock, simulatorPort: null });
  const senders = await listDemoSenders(pool);
  assert.deepEqual(senders.map(({ appId }) => appId).sort(), ['clubapp', 'demoapp', 'riderapp']);
  const count = async (): Promise<number> =>
    (await one<{ n: number }>(pool, sql`select count(*)::int as n from message`)).n;
  const before = await count();
  let slot = Math.floor(Date.now() / slotMs);
  while (planSlot(slot, senders, recipientAt) === null) slot += 1;
  const deps = { ...sending, now: () => new Date(slot * slotMs) };
  await Promise.all([sendDemoTraffic(senders, deps, recipientAt), sendDemoTraffic(senders, deps, recipientAt)]);
  await sendDemoTraffic(senders, deps, recipientAt);
  assert.equal(await count(), before + 1);
  const plan = planSlot(slot, senders, recipientAt);
  const found = await many<{ content: string }>(
    pool,
    sql`select content from message where msisdn = ${plan?.to.slice(1)}`,
  );
  assert.ok(found.some(({ content }) => content.startsWith(plan?.code ?? '-')));
});
