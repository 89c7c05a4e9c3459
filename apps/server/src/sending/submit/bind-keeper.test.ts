import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startSimulator } from '@pahatid/carrier-simulator';
import { type Clock, makePdu, STATUS, type Timer } from '@pahatid/smpp';
import { freePort, until } from '@pahatid/testkit';
import { type BindEvents, BindKeeper } from './bind-keeper.ts';

/** Timers that are run by hand. */
class HandClock implements Clock {
  readonly timers = new Set<{ delayMs: number; run: () => void }>();

  now(): number {
    return 0;
  }

  setTimer(run: () => void, delayMs: number): Timer {
    const timer = { delayMs, run };
    this.timers.add(timer);
    return { cancel: () => void this.timers.delete(timer) };
  }

  /** The one timer there is; it is run. */
  fire(): number {
    const [timer, ...others] = this.timers;
    assert.ok(timer !== undefined && others.length === 0);
    this.timers.delete(timer);
    timer.run();
    return timer.delayMs;
  }
}

const makeKeeper = (t: TestContext, port: number, random: () => number) => {
  const clock = new HandClock();
  const refused: string[] = [];
  const events: BindEvents<number> = {
    onChange: () => {},
    onWindow: () => {},
    onRefused: (_keeper, detail) => refused.push(detail),
    onResponse: () => {},
    onUnknown: () => {},
    onDeliver: () => {},
  };
  const account = { host: '127.0.0.1', port, mode: 'transceiver', system_id: 'globe', password: 'globepw' } as const;
  const keeper = new BindKeeper(1, { ...account, clock }, events, random);
  t.after(() => keeper.stop(0));
  return { keeper, clock, refused };
};

for (const [name, random, factor] of [
  ['at the least', 0, 0.8],
  ['in the middle', 0.5, 1],
  ['at the most', 1, 1.2],
] as const) {
  test(`C6: a carrier that is away is tried again after 1 s, 2 s, 4 s … 60 s, ±20 %: ${name}`, async (t) => {
    const { keeper, clock, refused } = makeKeeper(t, await freePort(), () => random);
    keeper.start();
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      await until(() => keeper.phase === 'waiting', { everyMs: 1 });
      assert.match(keeper.lastError ?? '', /ECONNREFUSED/);
      waits.push(clock.fire());
    }
    const wanted = [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => Math.round(seconds * 1_000 * factor));
    assert.deepEqual(waits.map(Math.round), wanted);
    assert.deepEqual(refused, []);
  });
}

for (const status of [0x0d, 0x0e, 0x0f]) {
  test(`C6: an account that the carrier refuses with ${status} waits the longest from the start, and is reported`, async (t) => {
    const simulator = await startSimulator({ port: 0, controlPort: 0 });
    t.after(() => simulator.stop());
    const carrier = simulator.carrier('globe');
    carrier.setFaults({ bindStatus: status });
    const { keeper, clock, refused } = makeKeeper(t, simulator.port, () => 0.5);
    keeper.start();
    await until(() => keeper.phase === 'refused', { everyMs: 1 });
    assert.equal(refused.length, 1);
    assert.match(keeper.lastError ?? '', /^bind refused: ESME_R/);
    carrier.setFaults({ bindStatus: 0 });
    await until(() => clock.timers.size === 1, { everyMs: 1 });
    assert.equal(clock.fire(), 60_000);
    await until(() => keeper.phase === 'bound', { everyMs: 1 });
    assert.equal(keeper.lastError, null);
  });
}

test('C6: a refusal that passes, such as too many binds of a moment, is tried again soon', async (t) => {
  const simulator = await startSimulator({ port: 0, controlPort: 0 });
  t.after(() => simulator.stop());
  simulator.carrier('globe').setFaults({ bindStatus: 0x08 });
  const { keeper, clock, refused } = makeKeeper(t, simulator.port, () => 0.5);
  keeper.start();
  await until(() => keeper.phase === 'waiting', { everyMs: 1 });
  await until(() => clock.timers.size === 1, { everyMs: 1 });
  assert.equal(clock.fire(), 1_000);
  assert.deepEqual(refused, []);
});

test('other requests have only slots that submit_sm leave free, and their silence ends no session', async (t) => {
  const simulator = await startSimulator({ port: 0, controlPort: 0 });
  t.after(() => simulator.stop());
  simulator.carrier('globe').setFaults({ lostQuery: 1 });
  const account = { host: '127.0.0.1', mode: 'transceiver', system_id: 'globe', password: 'globepw' } as const;
  const unknown: number[] = [];
  const events: BindEvents<number> = {
    onChange: () => {},
    onWindow: () => {},
    onRefused: () => {},
    onResponse: () => {},
    onUnknown: (token) => unknown.push(token),
    onDeliver: () => {},
  };
  const options = { ...account, port: simulator.port, window: 4, responseTimeoutMs: 1_000 };
  const keeper = new BindKeeper(1, options, events);
  t.after(() => keeper.stop(0));
  keeper.start();
  await until(() => keeper.phase === 'bound');
  const { sessionId } = keeper;
  const answers: unknown[] = [];
  const query = () => keeper.inquire(makePdu('query_sm', { message_id: '1' }), (answer) => answers.push(answer));
  assert.equal(keeper.hasSpareSlot, true);
  query();
  assert.equal(keeper.hasSpareSlot, true);
  query();
  assert.deepEqual([keeper.hasSpareSlot, keeper.freeSlots], [false, 2]);
  // As many as the window has: submit_sm without an answer would end the session.
  query();
  query();
  await until(() => answers.length === 4);
  assert.deepEqual(answers, [null, null, null, null]);
  assert.deepEqual([keeper.phase, keeper.sessionId, keeper.freeSlots], ['bound', sessionId, 4]);
  assert.deepEqual(unknown, []);
  simulator.carrier('globe').setFaults({ lostQuery: 0 });
  query();
  await until(() => answers.length === 5);
  assert.partialDeepStrictEqual(answers[4], { status: STATUS.ESME_RINVMSGID });
});
