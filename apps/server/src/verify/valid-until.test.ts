/** Messages that are not sent in time (decision 095): never written, uncharged, notified; and every count agrees. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { getFunds, uuidV7, withTransaction } from '@pahatid/db';
import { findReadyQueues } from '@pahatid/db/queries/batch-claims';
import { parkHeld } from '@pahatid/db/queries/batch-parking';
import { until } from '@pahatid/testkit';
import { CallAcceptor } from '../sending/accept/accept-calls.ts';
import { endOutdated } from '../sending/settle/end-outdated.ts';
import { BindGate } from '../sending/testing/bind-gate.ts';
import { clean, makeScene } from '../sending/testing/make-scene.ts';
import type { Scene } from '../sending/testing/scene.ts';
import { assertAgrees } from './testing/agrees.ts';

/** Codes of no task, as software sends them, with this life. */
const sendCodes = async (scene: Scene, from: number, count: number, validFor: number | null): Promise<void> => {
  const acceptor = new CallAcceptor({
    control: scene.pool,
    accept: async () => ({ ids: scene.writer.ids, routing: scene.routing }),
    notifySenders: () => {},
  });
  const messages = scene.recipients(count, from).map((recipient) => ({
    ...recipient,
    smsType: 1 as const,
    templateId: null,
    clientSid: 'PAHATID',
    validFor,
  }));
  const { appId, customerId } = scene;
  const outcome = await acceptor.accept({
    appId,
    customerId,
    messages,
    key: null,
    answer: () => ({ status: 202, response: null }),
  });
  assert.equal(outcome.kind, 'answered');
};

const makeCodes = (t: TestContext, more: Parameters<typeof makeScene>[1] = {}) => makeScene(t, { smsType: 1, ...more });

/** What the job does until nothing is left. */
const endAll = async (scene: Scene): Promise<number> => {
  let ended = 0;
  for (;;) {
    const { batches, messages } = await endOutdated(scene.pool, scene.writer);
    if (batches === 0) return ended;
    ended += messages;
  }
};

const reserved = async ({ pool, customerId }: Scene): Promise<number> => (await getFunds(pool, customerId)).reserved;

const addEndpoint = ({ pool, customerId, appId }: Scene) =>
  pool.query(
    `insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state)
     values ($1, $2, 'application', $3, 'https://shop.example/', 'enabled')`,
    [uuidV7(), customerId, appId],
  );

const listEvents = async (scene: Scene) => {
  const { rows } = await scene.pool.query(
    `select facts->>'clientStatus' as status, facts->>'dealResult' as result, count(*)::int as n
     from callback_event group by 1, 2`,
  );
  return rows;
};

test('codes that no carrier took in time are not sent when it returns, cost nothing, and are notified', async (t) => {
  let gate: BindGate | null = null;
  t.after(() => gate?.close());
  const scene = await makeCodes(t, { bindCount: 1 });
  gate = await BindGate.start(scene.simulator!.port);
  await scene.pool.query('update supplier set port = $1', [gate.port]);
  await addEndpoint(scene);
  gate.refuse('transceiver');
  await scene.startSender();
  await sendCodes(scene, 0, 30, 1);
  await sendCodes(scene, 30, 6, null);
  assert.ok((await reserved(scene)) > 0);
  assert.equal(await endAll(scene), 0);
  await until(async () => (await endAll(scene)) === 30, { what: 'codes ended by the job' });
  assert.deepEqual(await scene.states(), { '0/0': 6, '2/7': 30 });
  assert.deepEqual(await listEvents(scene), [{ status: '7', result: 'NOT_SENT_IN_TIME', n: 30 }]);
  gate.allow('transceiver');
  await scene.untilStates({ '2/7': 30, '3/2': 6 });
  assert.equal(scene.seen, 6);
  assert.equal(await reserved(scene), 0);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, failed: 30, delivered: 6 });
  await assertAgrees(scene.pool);
});

test('a sender ends what its pace did not reach in time', async (t) => {
  const scene = await makeCodes(t, { tps: 5, windowSize: 5 });
  await addEndpoint(scene);
  await sendCodes(scene, 0, 90, 2);
  await scene.startSender();
  await until(async () => (await scene.states())['0/0'] === undefined, { what: 'an outcome of all' });
  const { '2/7': unsent = 0 } = await scene.states();
  assert.ok(unsent > 0 && unsent < 90, `${unsent} unsent`);
  await scene.untilStates({ '2/7': unsent, '3/2': 90 - unsent });
  const seen = new Set([...scene.simulator!.journal.entries()].map(({ destination }) => destination));
  assert.equal(seen.size, 90 - unsent);
  const events = await listEvents(scene);
  assert.equal(events.find(({ result }) => result === 'NOT_SENT_IN_TIME')?.n, unsent);
  assert.equal(await reserved(scene), 0);
  await assertAgrees(scene.pool);
});

test('parked batches are ended by the job; what has no end, or time left, stays', async (t) => {
  const scene = await makeCodes(t);
  await sendCodes(scene, 0, 30, 1);
  await sendCodes(scene, 30, 30, null);
  await scene.pool.query('update application set use_state = 0');
  const { rows } = await scene.pool.query<{ id: string }>('select supplier_id as id from supplier');
  const { queues } = await findReadyQueues(
    scene.pool,
    rows.map(({ id }) => id),
    new Map(),
  );
  assert.equal(await withTransaction(scene.pool, (tx) => parkHeld(tx, queues, 12)), 6);
  const before = await reserved(scene);
  await until(async () => (await endAll(scene)) === 30, { what: 'codes ended by the job' });
  assert.deepEqual(await scene.states(), { '0/0': 30, '2/7': 30 });
  assert.equal(await reserved(scene), before / 2);
  const { rows: costs } = await scene.pool.query('select sum(amount)::int as parked from parked_cost');
  assert.deepEqual(costs, [{ parked: before / 2 }]);
  await assertAgrees(scene.pool);
});

test('the life of a batch: by send type, as its application and the call shorten it, from when it may be sent', async (t) => {
  const scene = await makeCodes(t);
  const setOf = (verification: number | null, notification: number | null) =>
    scene.pool.query('update application set valid_for = $1', [
      JSON.stringify({ verification, notification, marketing: null }),
    ]);
  const [one] = scene.recipients(1);
  assert.ok(one);
  const lifeOf = async (make: () => Promise<unknown>): Promise<number | null> => {
    await scene.pool.query('delete from batch');
    await make();
    const { rows } = await scene.pool.query<{ s: number | null }>(
      'select round(extract(epoch from valid_until - greatest(now(), coalesce(not_before, now()))))::int as s from batch',
    );
    return rows[0]?.s ?? null;
  };
  const accept = (smsType: number, more: { notBefore?: Date } = {}) =>
    lifeOf(() => scene.accept([one], { taskId: null, smsType, ...more }));
  assert.deepEqual([await accept(1), await accept(2), await accept(3)], [300, 86_400, null]);
  assert.equal(await accept(2, { notBefore: new Date(Date.now() + 3_600_000) }), 86_400);
  assert.equal(await lifeOf(() => sendCodes(scene, 0, 1, 60)), 60);
  await setOf(120, 3_600);
  assert.deepEqual([await accept(1), await accept(2), await accept(3)], [120, 3_600, null]);
  assert.equal(await lifeOf(() => sendCodes(scene, 0, 1, 200)), 120);
  assert.equal(await lifeOf(() => sendCodes(scene, 0, 1, null)), 120);
});
