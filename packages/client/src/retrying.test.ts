import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchWithRetries } from './retrying.ts';

/** Answers in order; an Error is one of the network. */
function scene(answers: readonly (Response | Error)[]) {
  const left = [...answers];
  const waits: number[] = [];
  let calls = 0;
  const retrying = {
    retries: 3,
    timeoutMs: 1_000,
    fetch: () => {
      calls += 1;
      const next = left.shift()!;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    sleep: async (ms: number) => {
      waits.push(ms);
    },
  };
  const run = (actsOnce: boolean) => fetchWithRetries('http://here', { method: 'POST' }, actsOnce, retrying);
  return { run, waits, calls: () => calls };
}
const answer = (status: number, headers: Record<string, string> = {}) => new Response('{}', { status, headers });

test('a refusal for too many calls is repeated after the time that the server asks for, whatever the method', async () => {
  const world = scene([answer(429, { 'retry-after': '2' }), answer(202)]);
  assert.equal((await world.run(false)).status, 202);
  assert.deepEqual(world.waits, [2_000]);
});

test('an error of the server or of the network is repeated only if the call acts once', async () => {
  const safe = scene([new Error('reset'), answer(503), answer(500), answer(200)]);
  assert.equal((await safe.run(true)).status, 200);
  assert.equal(safe.waits.length, 3);
  for (const [index, wait] of safe.waits.entries()) assert.ok(wait >= 125 * 2 ** index && wait <= 250 * 2 ** index);
  const once = scene([answer(503)]);
  assert.equal((await once.run(false)).status, 503);
  await assert.rejects(scene([new Error('reset')]).run(false), /reset/);
});

test('tries end, and a server that asks for minutes is left to the caller', async () => {
  const dead = scene([1, 2, 3, 4].map(() => new Error('refused')));
  await assert.rejects(dead.run(true), /refused/);
  assert.equal(dead.calls(), 4);
  const far = scene([answer(429, { 'retry-after': '3600' })]);
  assert.equal((await far.run(true)).status, 429);
  const refused = scene([answer(400)]);
  assert.equal((await refused.run(true)).status, 400);
});
