/** Messages that are cancelled at the instant from which they may be sent: each is sent or cancelled, never both. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { many, one, sql } from '@pahatid/db';
import { buildApplication, buildSender } from '@pahatid/db/builders';
import { listFunds } from '@pahatid/db/queries/customer-admin';
import { until } from '@pahatid/testkit';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { makeSecrets } from '../../secrets/secrets.ts';
import { masterKey, Scene } from '../../sending/testing/scene.ts';
import { assertAgrees } from '../../verify/testing/agrees.ts';
import { registerMessages } from './routes.ts';

let scene: Scene | null = null;
after(async () => {
  await scene?.close();
});
const api = await makeTestApi({ features: [registerMessages] });
const { pool } = api.db;
Object.assign(api.deps, { secrets: makeSecrets(masterKey) });

test('a message that is due while it is cancelled is sent and charged, or cancelled and free', async () => {
  scene = await Scene.build({ pool, tps: 100, windowSize: 2, bindCount: 1 });
  const { customerId } = scene;
  const credentials = { appSecret: 'race-secret', smppPassword: 'racepass', secrets: api.deps.secrets };
  const appId = await buildApplication(pool, { customerId, credentials });
  await buildSender(pool, { customerId, appId, senderId: 'RACE' });
  const headers = { authorization: `Basic ${Buffer.from(`${appId}:race-secret`).toString('base64')}` };
  await scene.startSender();
  const sendAt = new Date(Date.now() + 1_500).toISOString();
  const messages = scene.recipients(60).map(({ msisdn, content }) => ({ to: msisdn, smsType: 2, content, sendAt }));
  const bulk = await api.ask(null, 'POST /messages', { headers, body: { messages: messages.slice(0, 30) } });
  const ids: string[] = bulk.body.messages.map((each: { messageId: string }) => each.messageId);
  for (const body of messages.slice(30))
    ids.push((await api.ask(null, 'POST /messages', { headers, body })).body.messageId);
  // Some are on their way by then.
  await until(async () => {
    const { n } = await one<{ n: number }>(pool, sql`select count(*)::int as n from message where send_status <> 0`);
    return n > 0;
  });
  const answers = await Promise.all(
    ids.toReversed().map(async (messageId) => {
      const { status } = await api.ask(null, `DELETE /messages/${messageId}`, { headers });
      return [messageId, status] as const;
    }),
  );
  const cancelled = new Set(answers.filter(([, status]) => status === 204).map(([id]) => id));
  assert.deepEqual(
    answers.filter(([, status]) => status !== 204 && status !== 409),
    [],
  );
  const read = () =>
    many<{ id: string; clientStatus: number; msisdn: string }>(
      pool,
      sql`select message_id::text as id, client_status as "clientStatus", msisdn from message where app_id = ${appId}`,
    );
  await until(async () => (await read()).every(({ clientStatus }) => clientStatus >= 2));
  const rows = await read();
  const submitted = new Set([...scene.simulator!.journal.entries()].map(({ destination }) => destination));
  for (const { id, clientStatus, msisdn } of rows) {
    assert.equal(clientStatus, cancelled.has(id) ? 7 : 2, id);
    assert.equal(submitted.has(msisdn), !cancelled.has(id), msisdn);
  }
  await until(async () => (await listFunds(pool, [customerId])).get(customerId)?.reserved === 0);
  await assertAgrees(pool);
});
