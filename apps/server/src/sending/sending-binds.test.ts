/** C1: accounts that submit on a transmitter and hear on a receiver. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listBinds } from '@pahatid/db/queries/traffic';
import { until } from '@pahatid/testkit';
import { BindGate } from './testing/bind-gate.ts';
import { clean, makeScene, to } from './testing/make-scene.ts';

const globe = (count: number) => Array.from({ length: count }, (_, n) => to(`63917${String(n).padStart(7, '0')}`));

/** A carrier reached by pairs of binds, with a hand on each of the two. */
const makePairs = async (t: TestContext, bindCount: number, tps: number) => {
  let gate: BindGate | null = null;
  t.after(() => gate?.close());
  const scene = await makeScene(t, { bindCount, tps, windowSize: 20 });
  gate = await BindGate.start(scene.simulator!.port);
  await scene.pool.query(`update supplier set bind_type = 'transmitter+receiver', port = $1`, [gate.port]);
  const counted = async () => {
    const row = (await listBinds(scene.pool)).find(({ carrier }) => carrier === 'Globe');
    return [row?.bound, row?.wanted];
  };
  return { scene, gate, counted };
};

test('C1: with pairs of binds all is submitted on transmitters, receipts come on receivers, and both are counted', async (t) => {
  const { scene, gate, counted } = await makePairs(t, 2, 5_000);
  await scene.accept(scene.recipients(300));
  await scene.startSender();
  await scene.untilStates({ '3/2': 300 });
  // The last of them may bind after the work is done.
  const kinds = ['transmitter', 'receiver', 'transceiver'] as const;
  await until(() => String(kinds.map((kind) => gate.count(kind))) === '6,6,0', { what: 'two pairs of each carrier' });
  await until(async () => String(await counted()) === '4,4');
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 300 });
});

test('C1: while the receiver is lost submits go on, and the receipts come when it is back', async (t) => {
  const { scene, gate, counted } = await makePairs(t, 1, 5_000);
  await scene.startSender();
  await until(() => gate.count('receiver') === 3);
  gate.refuse('receiver');
  await scene.accept(globe(200));
  await scene.untilStates({ '3/1': 200 });
  await until(async () => String(await counted()) === '1,2');
  gate.allow('receiver');
  await scene.untilStates({ '3/2': 200 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 200 });
});

test('C1: while the transmitter is lost receipts are heard, nothing is sent twice, and the rest goes when it is back', async (t) => {
  const { scene, gate } = await makePairs(t, 1, 400);
  await scene.accept(globe(400));
  await scene.startSender();
  await scene.untilSeen(100);
  gate.refuse('transmitter');
  // Submitted messages get a receipt, and so are settled; those lost in transit stay in doubt.
  await until(async () => (await scene.states())['3/2'] === scene.seen);
  gate.allow('transmitter');
  // A loss is detected some time after it happened, possibly after the rest was sent.
  let lost = 0;
  const isSettled = async (): Promise<boolean> => {
    const { '1/0': doubts = 0, '3/2': delivered = 0 } = await scene.states();
    lost = doubts;
    return delivered === scene.seen && delivered + doubts === 400;
  };
  await until(isSettled, { what: 'the rest' });
  assert.ok(lost <= 20, `${lost} in doubt`);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, inDoubt: lost, delivered: 400 - lost });
});
