import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, SendStatus, SmsType } from '@pahatid/contract/enums';
import { SendingEngine } from './engine.ts';
import { type AnswerKind, makeWorldBatch, WorldClock, WorldLink, WorldStore } from './testing-world.ts';

interface WorldSpec {
  readonly lane?: SmsType;
  readonly validForMs: number;
  readonly windowSize?: number;
  readonly answerKind?: (messageId: bigint) => AnswerKind;
  readonly answerMs?: number;
}

const BATCH = 1_000n;
const COUNT = 20;

/** An engine with one bind and one batch. */
const makeWorld = ({ lane = SmsType.Verification, validForMs, windowSize = 1, answerMs = 10, ...more }: WorldSpec) => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const answerKind = more.answerKind ?? (() => 'ok' as const);
  const link = new WorldLink({ clock, windowSize, tps: 1_000, answerKind, delay: () => answerMs, check: () => {} });
  store.add(makeWorldBatch({ batchId: BATCH, customerId: 'customer', lane, count: COUNT, parts: 1, validForMs }));
  const errors: unknown[] = [];
  const engine = new SendingEngine(store, clock, { onError: (_, error) => errors.push(error) });
  engine.start();
  engine.addLink(link);
  const states = (): string[] =>
    store.batches.get(BATCH)!.rows.map(({ state }) => `${state.sendStatus}/${state.clientStatus}`);
  const isDone = (): boolean => store.batches.get(BATCH)?.state === 'done';
  return { clock, store, link, states, isDone, errors };
};

const UNSENT = `${SendStatus.Failed}/${ClientStatus.Blocked}`;
const DELIVERED = `${SendStatus.Successful}/${ClientStatus.Delivered}`;

test('codes behind a blocked window end unsent when their time is over, and are never written', async () => {
  const { clock, link, states, isDone, store, errors } = makeWorld({ validForMs: 5_000, answerMs: 30_000 });
  link.bind('1');
  await clock.advance(4_900);
  assert.equal(states().filter((state) => state === UNSENT).length, 0);
  await clock.advance(1_000);
  assert.equal(states().filter((state) => state === UNSENT).length, COUNT - 1);
  assert.equal(store.allDoubtful, 1);
  await clock.advance(120_000);
  assert.deepEqual([link.times.length, isDone(), errors], [1, true, []]);
  assert.deepEqual(states(), [DELIVERED, ...new Array<string>(COUNT - 1).fill(UNSENT)]);
});

test('what is claimed after its time is not sent', async () => {
  const { clock, link, states, isDone } = makeWorld({ validForMs: 0, windowSize: 10 });
  link.bind('1');
  await clock.advance(100);
  assert.deepEqual([link.times.length, isDone(), new Set(states())], [0, true, new Set([UNSENT])]);
});

test('what waits for a lost bind ends unsent, without another', async () => {
  const { clock, link, states, isDone, store } = makeWorld({ lane: SmsType.Notification, validForMs: 3_000 });
  link.bind('1');
  await clock.advance(55);
  link.cut('1');
  const written = link.times.length;
  await clock.advance(4_000);
  assert.equal(states().filter((state) => state === UNSENT).length, COUNT - written);
  assert.ok(isDone());
  link.bind('2');
  await clock.advance(10_000);
  assert.deepEqual([link.times.length, store.allDoubtful], [written, 0]);
});

test('a message that the carrier does not take is not tried after its time', async () => {
  const { clock, link, states, isDone, store } = makeWorld({
    validForMs: 2_000,
    windowSize: 50,
    answerKind: (messageId) => (messageId < BATCH + 10n ? 'queueFull' : 'ok'),
  });
  link.bind('1');
  await clock.advance(60_000);
  const late = link.times.filter((at) => at >= 2_000).length;
  assert.deepEqual([late, isDone(), store.allDoubtful], [0, true, 0]);
  assert.deepEqual(states(), [...new Array<string>(10).fill(UNSENT), ...new Array<string>(10).fill(DELIVERED)]);
});
