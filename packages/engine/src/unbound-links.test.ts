import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType } from '@pahatid/contract/enums';
import { SendingEngine } from './engine.ts';
import { defaultSettings } from './engine-settings.ts';
import { type AnswerKind, makeWorldBatch, WorldClock, WorldLink, WorldStore } from './testing-world.ts';

/** An engine with one bind and a batch of this lane in progress. */
const makeWorld = async (lane: SmsType, answerKind: (messageId: bigint) => AnswerKind = () => 'ok') => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const link = new WorldLink({ clock, windowSize: 10, tps: 50, answerKind, delay: () => 10, check: () => {} });
  store.add(makeWorldBatch({ batchId: 1_000n, customerId: 'customer', lane, count: 100, parts: 1 }));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(500);
  const stateOf = () => store.batches.get(1_000n)?.state;
  return { clock, store, link, stateOf };
};

test('batches of an account without a bind are handed back after a while, and not claimed again', async () => {
  const { clock, store, link, stateOf } = await makeWorld(SmsType.Notification);
  assert.ok(link.times.length > 0);
  link.cut('1');
  await clock.advance(defaultSettings.unboundMs - 1_000);
  assert.equal(stateOf(), 'claimed');
  await clock.advance(2_000);
  assert.equal(stateOf(), 'ready');
  await clock.advance(60_000);
  assert.equal(stateOf(), 'ready');
  assert.equal(store.allDoubtful, 0);
});

test('a bind that is back in time moves nothing', async () => {
  const { clock, link, stateOf } = await makeWorld(SmsType.Notification);
  for (let turn = 2; turn < 6; turn++) {
    link.cut(String(turn - 1));
    await clock.advance(defaultSettings.unboundMs - 1_000);
    assert.equal(stateOf(), 'claimed');
    link.bind(String(turn));
    await clock.advance(100);
  }
});

test('codes are handed back immediately', async () => {
  const { clock, link, stateOf } = await makeWorld(SmsType.Verification);
  link.cut('1');
  await clock.advance(100);
  assert.equal(stateOf(), 'ready');
});

test('a code that ends every session is not handed back each time: it fails after some sessions', async () => {
  const { clock, store, link } = await makeWorld(SmsType.Verification, (messageId) =>
    messageId === 1_000n ? 'bindFatal' : 'ok',
  );
  for (let turn = 2; turn < 400; turn++) {
    if (link.binds.length === 0) link.bind(String(turn));
    await clock.advance(1_000);
  }
  assert.equal(store.batches.get(1_000n)?.rows[0]?.state.sendStatus, 2);
});
