/** P2 on Citus: each node dies while messages are sent. What an operator does is to start it again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { CitusNode, whyNoNodes } from './citus-nodes.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const missing = await whyNoNodes();
if (missing !== false) console.warn(`NODES OF CITUS THAT DIE ARE NOT TESTED HERE: ${missing}`);

test('P2: a worker or the coordinator of Citus is killed and started again: nothing acknowledged is lost or sent twice, and sending goes on by itself', {
  timeout: patience(300_000),
  skip: missing,
}, async (t) => {
  const chance = Chance.of(t);
  const nodes = await CitusNode.list();
  t.after(() => Promise.all(nodes.map((node) => node.ensureRunning())));
  // With three more customers and three accounts, messages and routes are on both workers.
  const world = await World.make(t, { otherCustomers: 3, tps: size(100, 300) });
  await world.startSender();
  // The coordinator last.
  const round = [...nodes.slice(1), ...nodes.slice(0, 1)];
  const turns = Array.from({ length: size(1, 3) }, () => round).flat();
  const half = size(300, 1_100);
  const outages: { name: string; diedMs: number; backMs: number }[] = [];
  for (const node of turns) {
    await load(world, half);
    const loading = load(world, half);
    const { submits } = await world.carriers.counters();
    await world.carriers.untilSeen(submits + half / 10);
    const diedMs = Date.now();
    await node.kill();
    await chance.pause(1_000, 3_000);
    await node.start();
    outages.push({ name: node.name, diedMs, backMs: Date.now() });
    await loading;
    const { journal } = await world.carriers.counters();
    await load(world, EACH);
    await until(async () => (await world.carriers.counters()).journal > journal, {
      timeoutMs: patience(90_000),
      what: `a submit after the return of the ${node.name}`,
    });
  }
  await world.untilQuiet({ timeoutMs: patience(180_000) });
  const verdict = await world.audit();
  const times: number[] = [];
  for await (const { timeMs } of world.carriers.submits()) times.push(timeMs);
  const waits = outages.map(({ name, diedMs, backMs }) => ({
    name,
    outage: backMs - diedMs,
    resumed: (times.find((at) => at >= backMs) ?? Number.NaN) - backMs,
  }));
  t.diagnostic(
    `${JSON.stringify(waits)} ms; ${world.accepted.size} acknowledged, ${world.uncertain.size} without a response, ${verdict.doubted} ever in doubt`,
  );
  assert.equal(verdict.extraCopies, 0);
});

const EACH = 100;

/** In small steps, each of another customer. */
const load = async (world: World, count: number): Promise<void> => {
  for (let left = count; left > 0; left -= EACH) await world.accept(Math.min(EACH, left));
};
