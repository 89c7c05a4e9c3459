import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { readSubmitStatus } from '@pahatid/domain';
import { AccountRefusals } from './account-refusals.ts';
import { answerPart, doubtMessage, receivePart, SESSION_LIMIT, THROTTLES_AT_HEAD, TRY_LIMIT } from './answers.ts';
import { BatchProgress } from './batch-progress.ts';
import { LinkSender } from './link-sender.ts';
import { IN_DOUBT, type Outgoing, REFUSED } from './outgoing.ts';
import type { CarrierReceipt, ClaimedBatch } from './ports.ts';
import { ReceiptIndex } from './receipt-index.ts';
import { makeWorldBatch, WorldClock, WorldLink } from './testing-world.ts';

const FIRST_RETRY_MS = 1_000;

const makeProgress = (count: number, parts = 1, batchId = 1_000n): BatchProgress => {
  const batch: ClaimedBatch = makeWorldBatch({ batchId, customerId: 'customer', lane: 2, count, parts });
  return new BatchProgress(batch, 1e9);
};

const granted = (batch: BatchProgress, parts = 1): Outgoing => {
  const outgoing = batch.peek(0)!;
  outgoing.parts = parts;
  batch.grant(outgoing);
  outgoing.phase = 'sent';
  return outgoing;
};

const answer = (outgoing: Outgoing, status: number, now: number, part = outgoing.takePart()) => {
  outgoing.awaited += 1;
  outgoing.phase = 'sent';
  return answerPart(outgoing, part, status, readSubmitStatus(status), 0, now, FIRST_RETRY_MS);
};

for (const status of [0x08, 0x3f7, 0x401]) {
  test(`C5: status ${status} is tried again after 1, 2, 4 and 8 s, and then has failed with its code`, () => {
    const outgoing = granted(makeProgress(1));
    const waits: number[] = [];
    for (let tries = 1; tries < TRY_LIMIT; tries++) {
      assert.equal(answer(outgoing, status, 0), 'notTaken');
      waits.push(outgoing.notBefore);
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000]);
    assert.equal(answer(outgoing, status, 0), 'settled');
    assert.equal(outgoing.carrierCode, `0x${status.toString(16).toUpperCase().padStart(2, '0')}`);
    assert.equal(outgoing.dealResult, 'TRIES_USED_UP');
  });
}

test('C4: throttled is no try: however often, the message goes back and has not failed', () => {
  const outgoing = granted(makeProgress(1));
  for (let n = 0; n < 50; n++) for (const status of [0x58, 0x14]) assert.equal(answer(outgoing, status, n), 'notTaken');
  assert.equal(outgoing.tries, 0);
  assert.equal(answer(outgoing, 0, 60), 'settled');
});

test('C4: a message throttled again and again is put off, at most 30 s, so that others go on', () => {
  const outgoing = granted(makeProgress(1));
  const waits = Array.from({ length: THROTTLES_AT_HEAD + 8 }, () => {
    answer(outgoing, 0x58, 0);
    return outgoing.notBefore;
  });
  const atHead = new Array<number>(THROTTLES_AT_HEAD).fill(0);
  assert.deepEqual(waits, [...atHead, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

/** Writes all parts of one attempt; then these responses arrive. */
const answerAll = (outgoing: Outgoing, statuses: readonly number[], now: number, isCause = false) => {
  const parts = statuses.map(() => outgoing.takePart());
  outgoing.awaited += parts.length;
  outgoing.phase = 'sent';
  return statuses.map((status, index) =>
    answerPart(outgoing, parts[index]!, status, readSubmitStatus(status), 0, now, FIRST_RETRY_MS, isCause),
  );
};

test('C5: a text of three parts is sent as often as one of one part before it has failed', () => {
  const outgoing = granted(makeProgress(1, 3), 3);
  const waits: number[] = [];
  for (let tries = 1; tries < TRY_LIMIT; tries++) {
    assert.deepEqual(answerAll(outgoing, [0x08, 0x08, 0x08], 0), ['open', 'open', 'notTaken']);
    waits.push(outgoing.notBefore);
  }
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000]);
  assert.equal(answerAll(outgoing, [0x08, 0x08, 0x08], 0)[0], 'settled');
  assert.equal(outgoing.dealResult, 'TRIES_USED_UP');
});

test('C5: parts that were refused for a time are sent again after a wait, alone, and as often', () => {
  const outgoing = granted(makeProgress(1, 2), 2);
  assert.deepEqual(answerAll(outgoing, [0, 0x08], 0), ['open', 'resume']);
  for (const wait of [1_000, 2_000, 4_000]) {
    assert.equal(outgoing.notBefore, wait);
    assert.deepEqual(answerAll(outgoing, [0x08], 0), ['resume']);
  }
  assert.deepEqual([...outgoing.again], [2]);
  assert.deepEqual(answerAll(outgoing, [0x08], 0), ['settled']);
});

for (const status of [0x58, 0x14, 0x08, 0x04]) {
  test(`C8: a late ${status} is not the end of a message in doubt; an answer that is final is`, () => {
    const outgoing = granted(makeProgress(1));
    outgoing.takePart();
    doubtMessage(outgoing);
    const late = (code: number) => answerPart(outgoing, 1, code, readSubmitStatus(code), 0, 0, FIRST_RETRY_MS, true);
    assert.equal(late(status), 'open');
    assert.deepEqual([outgoing.phase, outgoing.wanted], ['doubt', IN_DOUBT]);
    assert.equal(late(0x0b), 'cleared');
    assert.equal(outgoing.carrierCode, '0x0B');
  });
}

test('C5: a message that ends sessions is delayed, and fails the third time; those next to it do not', () => {
  const batch = makeProgress(2);
  const [cause, other] = [granted(batch), granted(batch)];
  const waits: number[] = [];
  for (let lost = 1; lost < SESSION_LIMIT; lost++) {
    assert.deepEqual(answerAll(cause, [0x04], 0, true), ['notTaken']);
    waits.push(cause.notBefore);
    assert.deepEqual([answerAll(other, [0x04], 0), other.notBefore], [['notTaken'], 0]);
  }
  assert.deepEqual(waits, [1_000, 2_000]);
  assert.deepEqual(answerAll(cause, [0x04], 0, true), ['settled']);
  assert.deepEqual([cause.carrierCode, cause.wanted], ['0x04', REFUSED]);
  for (let n = 0; n < 50; n++) assert.deepEqual(answerAll(other, [0x04], 0), ['notTaken']);
});

test('C5: while the account refuses everything no message fails, however often it is refused', () => {
  const refusals = new AccountRefusals();
  const batch = makeProgress(4);
  const messages = [granted(batch), granted(batch), granted(batch)];
  const say = (outgoing: Outgoing, status: number) => {
    const part = outgoing.takePart();
    outgoing.awaited += 1;
    outgoing.phase = 'sent';
    const meaning = readSubmitStatus(status);
    refusals.note(outgoing, meaning.class);
    return answerPart(outgoing, part, status, meaning, 0, 0, FIRST_RETRY_MS, true, refusals.isForAll);
  };
  for (let n = 0; n < 20; n++) {
    for (const outgoing of messages) assert.equal(say(outgoing, n % 2 === 0 ? 0x08 : 0x04), 'notTaken');
  }
  assert.deepEqual(
    messages.map(({ notBefore }) => notBefore),
    [30_000, 30_000, 30_000],
  );
  // Once another message is accepted, what is refused again has as many tries as any.
  const [first] = messages;
  assert.ok(first);
  for (let n = first.tries; n < TRY_LIMIT - 1; n++) {
    say(granted(makeProgress(1, 1, 5_000n)), 0);
    assert.equal(say(first, 0x08), 'notTaken');
  }
  say(granted(makeProgress(1, 1, 6_000n)), 0);
  assert.equal(say(first, 0x08), 'settled');
});

test('C4: a full queue puts off its message alone, longer each time, and never fails it', () => {
  const outgoing = granted(makeProgress(1));
  const waits = Array.from({ length: 11 }, () => {
    assert.deepEqual(answerAll(outgoing, [0x14], 0), ['notTaken']);
    return outgoing.notBefore / 1_000;
  });
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  assert.equal(outgoing.tries, 0);
});

test('C4: what was throttled goes back to the head, in order', () => {
  const batch = makeProgress(10);
  const [first, second, third] = [granted(batch), granted(batch), granted(batch)];
  for (const outgoing of [third, first]) {
    answer(outgoing, 0x58, 0);
    batch.giveBack(outgoing);
  }
  assert.equal(second.phase, 'sent');
  assert.deepEqual(
    [granted(batch), granted(batch), granted(batch)].map(({ message }) => message.position),
    [0, 2, 3],
  );
});

const receipt = (clientStatus: ClientStatus, more: Partial<CarrierReceipt> = {}): CarrierReceipt => ({
  supplierId: 'supplier',
  receiptId: 'r',
  candidates: ['1'],
  msisdn: '639171000000',
  clientSid: 'S',
  needsPhone: false,
  clientStatus,
  final: true,
  dealResult: String(clientStatus),
  carrierCode: null,
  reportMs: null,
  receivedMs: 5,
  ...more,
});

test('C15: delivered when all parts are; failed as soon as one is; delivered after all corrects it', () => {
  const { Delivered, Undelivered, Submitted } = ClientStatus;
  const outgoing = granted(makeProgress(1, 3), 3);
  receivePart(outgoing, 1, receipt(Delivered));
  receivePart(outgoing, 1, receipt(Delivered));
  assert.equal(outgoing.receipt ?? Submitted, Submitted);
  receivePart(outgoing, 2, receipt(Undelivered));
  assert.equal(outgoing.receipt, Undelivered);
  receivePart(outgoing, 3, receipt(Delivered));
  assert.equal(outgoing.receipt, Undelivered);
  receivePart(outgoing, 2, receipt(Delivered));
  assert.equal(outgoing.receipt, Delivered);
});

test('C13: a receipt that is not final changes nothing, before a final one or after', () => {
  const outgoing = granted(makeProgress(1));
  assert.equal(receivePart(outgoing, 1, receipt(ClientStatus.Submitted, { final: false })), false);
  receivePart(outgoing, 1, receipt(ClientStatus.Expired));
  assert.equal(receivePart(outgoing, 1, receipt(ClientStatus.Submitted, { final: false })), false);
  assert.equal(outgoing.receipt, ClientStatus.Expired);
});

test('C12: of messages with equal ids the newest to the same phone matches, and none to another', () => {
  const book = new ReceiptIndex();
  const batch = makeProgress(2);
  const [old, fresh] = [granted(batch), granted(batch)];
  book.remember('1', old, 1);
  book.remember('1', fresh, 1);
  const found = book.find(receipt(ClientStatus.Delivered, { msisdn: fresh.message.msisdn }));
  assert.equal(found?.outgoing, fresh);
  assert.equal(book.find(receipt(ClientStatus.Delivered, { msisdn: '639180000000' })), null);
});

test('an account without a pace writes nothing, and goes on when it has one', () => {
  const clock = new WorldClock();
  const link = new WorldLink({ clock, windowSize: 5, tps: 0, answerKind: () => 'ok', delay: () => 1, check: () => {} });
  link.bind('1');
  const sender = new LinkSender(link);
  sender.add(makeProgress(5));
  assert.deepEqual(sender.grant(0), []);
  link.tps = 100;
  const [outgoing, ...rest] = sender.grant(0);
  sender.makeReady(outgoing!);
  assert.equal(rest.length, 4);
  link.tps = 0;
  assert.deepEqual(
    sender.pump(0, () => {}),
    { state: 'waiting' },
  );
  assert.equal(link.times.length, 0);
  link.tps = 100;
  sender.pump(0, () => {});
  assert.equal(link.times.length, 1);
});
