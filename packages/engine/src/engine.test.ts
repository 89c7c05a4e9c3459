import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsType } from '@pahatid/contract';
import fc from 'fast-check';
import { SendingEngine } from './engine.ts';
import { defaultSettings } from './engine-settings.ts';
import type { ClaimedBatch, LoadedMessage, SendStore } from './ports.ts';
import { type AnswerKind, WorldClock, WorldLink, WorldStore } from './testing-world.ts';

const makeBatch = (
  batchId: bigint,
  customerId: string,
  parts: readonly number[],
  validForMs: number | null = null,
  lane: SmsType = 2,
): ClaimedBatch => {
  const key = {
    customerId,
    minuteMs: 0,
    appId: 'app',
    areaCode: 'PH',
    carrier: 'Globe',
    clientSid: 'S',
    smsType: lane,
    routeId: 'route',
  };
  const messages = parts.map(
    (pkgTotal, position): LoadedMessage => ({
      position,
      msisdn: `63917${batchId}${String(position).padStart(4, '0')}`,
      content: String(pkgTotal),
      pkgTotal,
      price: 1,
      chargeType: 'SenderPays',
      key,
      templateId: null,
      optedOut: false,
    }),
  );
  return {
    batchId,
    customerId,
    taskId: null,
    appId: 'app',
    lane,
    supplierId: 'supplier',
    messageCount: parts.length,
    intentMark: 0,
    doubtPolicy: 'hold',
    validForMs,
    messages,
  };
};

const scenario = fc.record({
  batches: fc.array(fc.array(fc.constantFrom(1, 1, 1, 2, 3), { minLength: 1, maxLength: 60 }), {
    minLength: 1,
    maxLength: 4,
  }),
  /** Codes, that pass a flush, or notices; of each batch in turn. */
  lanes: fc.array(fc.constantFrom<SmsType>(1, 2, 2), { minLength: 1, maxLength: 3 }),
  commitMs: fc.constantFrom(3, 30),
  /** Of each batch in turn. */
  lives: fc.array(fc.option(fc.integer({ min: 1, max: 600 })), { minLength: 1, maxLength: 4 }),
  windowSize: fc.integer({ min: 1, max: 30 }),
  tps: fc.constantFrom(200, 1_000, 100_000),
  flushRows: fc.constantFrom(2, 7, 2_000),
  /** Drawn from in turn: the outcome of each submit, and all durations. */
  answerKinds: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constant<AnswerKind>('ok') },
      { weight: 3, arbitrary: fc.constant<AnswerKind>('early') },
      { weight: 1, arbitrary: fc.constantFrom<AnswerKind>('throttled', 'queueFull', 'temporary', 'refused') },
    ),
    { minLength: 5, maxLength: 60 },
  ),
  delays: fc.array(fc.nat(25), { minLength: 3, maxLength: 30 }),
  events: fc.array(
    fc.constantFrom('nothing', 'cut', 'code', 'retire', 'crash', 'takenOver', 'databaseAway', 'commitLost'),
    {
      maxLength: 12,
    },
  ),
});

test('in any case: nothing is written without committed intent, begun after its time, sent twice, lost, or acknowledged and forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenario,
      async ({ batches, lanes, commitMs, lives, windowSize, tps, flushRows, answerKinds, delays, events }) => {
        const clock = new WorldClock();
        const store = new WorldStore(clock);
        let f = 0;
        let d = 0;
        /** Parts whose receipts were acknowledged before they were durable. */
        const tooEarly: string[] = [];
        const written = new Set<bigint>();
        const link = new WorldLink({
          clock,
          windowSize,
          tps,
          answerKind: () => answerKinds[f++ % answerKinds.length]!,
          delay: () => delays[d++ % delays.length]!,
          check: (messageId, position, part) => {
            written.add(messageId);
            const batchId = messageId - BigInt(position);
            assert.ok(store.mayBeWritten(batchId, position), 'written without intent');
            const { validUntil, claimed } = store.batches.get(batchId)!;
            const parts = claimed.messages[position]!.pkgTotal;
            const isBegun = Array.from({ length: parts }, (_, n) => `${messageId}/${n + 1}`).some((name) =>
              link.copies.has(name),
            );
            assert.ok(part > 1 || isBegun || clock.now() < validUntil, 'begun after its time');
          },
          onAcknowledged: (id, messageId, position, part) => {
            const isKept = store.hasReceipt(id, messageId - BigInt(position), position, part);
            if (!isKept) tooEarly.push(`${messageId}/${part}`);
          },
        });
        for (const [index, parts] of batches.entries())
          store.add(
            makeBatch(
              BigInt(index + 1) * 1_000n,
              `customer${index % 2}`,
              parts,
              lives[index % lives.length],
              lanes[index % lanes.length],
            ),
          );
        store.commitMs = () => commitMs;
        let loadOn: SendingEngine['loadOn'];
        const begin = (): (() => void) => {
          const process = store.forProcess();
          const engine = new SendingEngine(
            process.store,
            clock,
            {},
            {
              leaseMs: 1e9,
              renewEveryMs: 300,
              stopEveryMs: 1_000,
              unboundMs: 10_000,
              claimEveryMs: 50,
              firstRetryMs: 20,
              flushRows,
              flushBytes: 1e6,
            },
          );
          engine.start();
          engine.addLink(link);
          loadOn = (supplierId) => engine.loadOn(supplierId);
          link.bind('1');
          link.bind('2');
          return () => {
            process.kill();
            link.detach();
            // It writes nothing on the binds of the next one.
            void engine.finish(0);
          };
        };
        let kill = begin();
        let binds = 2;
        let codes = 0;
        // Parts of a message in progress count individually; the store counts messages.
        const windows = 2 * windowSize + 3;
        let granted = 0;
        for (const event of events) {
          granted = Math.max(granted, loadOn!('supplier').ahead);
          await clock.advance(40);
          const { ahead } = loadOn!('supplier');
          granted = Math.max(granted, ahead);
          assert.ok(
            store.allDoubtful <= windows + granted,
            `${store.allDoubtful} in doubt with windows of ${windows} and ${granted} ahead`,
          );
          // What was granted before the carrier throttled stays granted: until it is written, the pace of then counts.
          if (store.allDoubtful <= windows + ahead) granted = ahead;
          if (event === 'cut' && link.binds.length > 0) {
            link.cut(link.binds[0]!.id);
            binds += 1;
            link.bind(String(binds));
          }
          if (event === 'code') {
            codes += 1;
            store.add(makeBatch(1_000_000n * BigInt(codes), 'bank', [1, 1, 2], null, 1));
            await clock.advance(60 + codes);
          }
          if (event === 'retire' && link.binds.length > 0) {
            link.retire(link.binds[0]!.id);
            binds += 1;
            link.bind(String(binds));
          }
          if (event === 'crash') {
            kill();
            // A transaction of the dead process that was in progress ends, either way.
            await clock.advance(10);
            store.recover();
            kill = begin();
          }
          // Its leases expired because a clock was set ahead, and it is still running.
          if (event === 'takenOver') store.recover();
          if (event === 'databaseAway' || event === 'commitLost') {
            const until = clock.now() + 150;
            const how = event === 'commitLost' ? 'after' : 'before';
            store.failing = () => (clock.now() < until ? how : null);
          }
        }
        await clock.advance(60_000);
        assert.deepEqual(tooEarly, [], 'acknowledged before it was durable');
        store.sweep();
        for (const batch of store.batches.values()) {
          assert.equal(batch.state, 'done');
          for (const [position, { state }] of batch.rows.entries()) {
            const messageId = batch.claimed.batchId + BigInt(position);
            const parts = batch.claimed.messages[position]!.pkgTotal;
            const copies = Array.from({ length: parts }, (_, part) => link.copies.get(`${messageId}/${part + 1}`) ?? 0);
            const name = `${messageId}: ${JSON.stringify({ state, copies })}`;
            assert.ok(Math.max(...copies) <= 1, `sent twice ${name}`);
            assert.notEqual(state.sendStatus, 0, `never sent ${name}`);
            // A sender that lives knows what it has not written; after a crash, or a commit of unknown outcome, no other does.
            if (state.sendStatus === 1 && !events.includes('crash') && !events.includes('commitLost'))
              assert.ok(written.has(messageId), `in doubt and never written ${name}`);
            if (state.sendStatus === 3) assert.ok(Math.min(...copies) === 1, `never seen ${name}`);
            if (state.sendStatus === 3) assert.equal(state.clientStatus, 2, `receipt lost ${name}`);
            if (state.sendStatus === 2 && parts === 1) assert.equal(copies[0], 0, `refused and taken ${name}`);
          }
        }
        kill();
      },
    ),
    { numRuns: Number(process.env['RUNS'] ?? 100) },
  );
});

test('a drained engine leaves nothing claimed and nothing in doubt', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const link = new WorldLink({
    clock,
    windowSize: 10,
    tps: 500,
    answerKind: () => 'ok',
    delay: () => 10,
    check: () => {},
  });
  for (let n = 1; n <= 5; n++) store.add(makeBatch(BigInt(n) * 1_000n, 'customer', new Array<number>(100).fill(1)));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(400);
  const drained = engine.drain(5_000);
  await clock.advance(300);
  assert.equal(await drained, true);
  assert.equal(store.allDoubtful, 0);
  assert.ok([...store.batches.values()].every(({ state }) => state !== 'claimed'));
  assert.ok(link.times.length > 0 && link.times.length < 500);
  const finished = engine.finish(100);
  await clock.advance(100);
  assert.equal(await finished, true);
});

test('what is under way when the engine ends is waited for: a batch claimed meanwhile is handed back', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const pause = () => new Promise<void>((resolve) => clock.setTimer(resolve, 200));
  let running = 0;
  const slowly = async <T>(work: Promise<T>): Promise<T> => {
    running += 1;
    await pause();
    running -= 1;
    return await work;
  };
  const slowStore: SendStore = {
    findWaiting: () => store.findWaiting(),
    claim: (request) => slowly(store.claim(request)),
    renew: (batchIds) => slowly(store.renew(batchIds)),
    findStopped: () => slowly(store.findStopped()),
    commit: (flush) => store.commit(flush),
  };
  const link = new WorldLink({
    clock,
    windowSize: 10,
    tps: 500,
    answerKind: () => 'ok',
    delay: () => 10,
    check: () => {},
  });
  const engine = new SendingEngine(slowStore, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(10);
  store.add(makeBatch(1_000n, 'customer', new Array<number>(100).fill(1)));
  engine.wake();
  await clock.advance(10);
  assert.equal(running, 1);
  const ended = engine.drain(5_000).then(() => engine.finish(100));
  await clock.advance(1_000);
  assert.equal(await ended, true);
  assert.deepEqual(
    [...store.batches.values()].map(({ state }) => state),
    ['ready'],
  );
  assert.equal(running, 0);
});

test('an engine that ends waits for leases that are being renewed', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  let isRenewing = false;
  const link = new WorldLink({
    clock,
    windowSize: 10,
    tps: 5,
    answerKind: () => 'silent',
    delay: () => 10,
    check: () => {},
  });
  const engine = new SendingEngine(
    {
      findWaiting: () => store.findWaiting(),
      claim: (request) => store.claim(request),
      renew: async (batchIds) => {
        isRenewing = true;
        await new Promise<void>((resolve) => clock.setTimer(resolve, 5_000));
        isRenewing = false;
        return [...batchIds];
      },
      findStopped: () => store.findStopped(),
      commit: (flush) => store.commit(flush),
    },
    clock,
  );
  engine.start();
  engine.addLink(link);
  link.bind('1');
  store.add(makeBatch(1_000n, 'customer', new Array<number>(100).fill(1)));
  engine.wake();
  for (let step = 0; step < 1_000 && !isRenewing; step++) await clock.advance(10);
  assert.equal(isRenewing, true);
  const finished = engine.finish(10).then(() => isRenewing);
  await clock.advance(10_000);
  assert.equal(await finished, false);
  link.detach();
});

test('batches taken over from a running process: ready messages are still written, and each message is sent once', async () => {
  for (const tps of [100, 1_000]) {
    const clock = new WorldClock();
    const store = new WorldStore(clock);
    const link = new WorldLink({
      clock,
      windowSize: 10,
      tps,
      answerKind: () => 'ok',
      delay: () => 10,
      check: () => {},
    });
    for (let n = 1; n <= 3; n++)
      store.add(
        makeBatch(
          BigInt(n) * 1_000n,
          'customer',
          Array.from({ length: 100 }, (_, i) => 1 + (i % 3)),
        ),
      );
    const lost: bigint[] = [];
    const engine = new SendingEngine(store.forProcess().store, clock, { onLost: (ids) => lost.push(...ids) });
    engine.start();
    engine.addLink(link);
    link.bind('1');
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(217);
      store.recover();
    }
    await clock.advance(20_000);
    assert.ok(lost.length >= 3);
    assert.deepEqual([...new Set(link.copies.values())], [1]);
    assert.equal(link.copies.size, 3 * (34 + 2 * 33 + 3 * 33));
    for (const { state, rows } of store.batches.values()) {
      assert.equal(state, 'done');
      assert.deepEqual(
        new Set(rows.map((row) => `${row.state.sendStatus}/${row.state.clientStatus}`)),
        new Set(['3/2']),
      );
    }
    const finished = engine.finish(100);
    await clock.advance(100);
    assert.equal(await finished, true);
  }
});

test('a process away longer than its leases writes nothing of them, and what it holds blocks nothing else', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const written: string[] = [];
  const check = (id: bigint) => written.push(String(id));
  const link = new WorldLink({ clock, windowSize: 10, tps: 20, answerKind: () => 'ok', delay: () => 10, check });
  const settings = {
    ...defaultSettings,
    leaseMs: 500,
    renewEveryMs: 1_500,
    stopEveryMs: 1_000,
    claimEveryMs: 50,
    firstRetryMs: 20,
  };
  const engine = new SendingEngine(store.forProcess().store, clock, {}, settings);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  // Of ten parts each: the lease ends in the middle of one.
  store.add(makeBatch(1_000n, 'customer', new Array<number>(20).fill(10)));
  await clock.advance(1_200);
  const before = written.length;
  assert.ok(before > 0 && before % 10 !== 0);
  store.recover();
  store.batches.get(1_000n)!.state = 'done';
  store.add(makeBatch(2_000n, 'other', [1]));
  await clock.advance(3_000);
  assert.deepEqual(written.slice(before), ['2000']);
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});

test('batches taken over from a running process: ready messages leave when there is pace again, unless stopped', async () => {
  for (const isStopped of [false, true]) {
    const clock = new WorldClock();
    const store = new WorldStore(clock);
    const link = new WorldLink({
      clock,
      windowSize: 10,
      tps: 100,
      answerKind: () => 'ok',
      delay: () => 10,
      check: () => {},
    });
    store.add(makeBatch(1_000n, 'customer', new Array<number>(100).fill(1)));
    let unwritten = 0;
    const onUnwritten = (messages: number): void => {
      unwritten += messages;
    };
    const engine = new SendingEngine(store.forProcess().store, clock, { onUnwritten });
    engine.start();
    engine.addLink(link);
    link.bind('1');
    await clock.advance(300);
    link.tps = 0;
    await clock.advance(100);
    const { size } = link.copies;
    store.recover();
    store.batches.get(1_000n)!.state = 'done';
    // Between 2 s, when the lease is renewed and found lost, and 7 s, when it would have ended.
    await clock.advance(3_000);
    assert.equal(link.copies.size, size);
    if (isStopped) store.stopped.add(1_000n);
    await clock.advance(1_000);
    link.tps = 100;
    link.bind('2');
    await clock.advance(1_000);
    const doubtful = [...store.batches.get(1_000n)!.rows].filter(({ state }) => state.sendStatus === 1).length;
    if (isStopped) assert.deepEqual([link.copies.size, doubtful > 0], [size, true]);
    else assert.deepEqual([link.copies.size > size, doubtful], [true, 0]);
    assert.equal(unwritten, doubtful);
    link.detach();
    void engine.finish(0);
    await clock.advance(1);
  }
});

test('parts of one message follow each other on one bind', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const order: string[] = [];
  const link = new WorldLink({
    clock,
    windowSize: 3,
    tps: 100_000,
    answerKind: () => 'ok',
    delay: () => 3,
    check: (id) => order.push(String(id)),
  });
  store.add(makeBatch(1_000n, 'customer', [3, 2, 1, 4, 2]));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(2_000);
  assert.deepEqual(order, [
    '1000',
    '1000',
    '1000',
    '1001',
    '1001',
    '1002',
    '1003',
    '1003',
    '1003',
    '1003',
    '1004',
    '1004',
  ]);
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});

for (const others of [1, 0])
  test(`a bind is given up between the parts of a message, ${others} others are left: the rest follows on the next`, async () => {
    const clock = new WorldClock();
    const store = new WorldStore(clock);
    const link = new WorldLink({
      clock,
      windowSize: 1,
      tps: 100_000,
      answerKind: () => 'ok',
      delay: () => 20,
      check: () => {},
    });
    store.add(makeBatch(1_000n, 'customer', [3, 3, 1]));
    const engine = new SendingEngine(store, clock);
    engine.start();
    engine.addLink(link);
    link.bind('1');
    if (others > 0) link.bind('2');
    // The first part of each is on the wire.
    await clock.advance(15);
    assert.equal(link.times.length, 1 + others);
    link.retire('1');
    await clock.advance(500);
    if (others === 0) link.bind('2');
    await clock.advance(2_000);
    assert.deepEqual(
      store.batches.get(1_000n)?.rows.map(({ state }) => state.sendStatus),
      [3, 3, 3],
    );
    assert.deepEqual([...link.copies.values()], Array(7).fill(1));
    link.detach();
    void engine.finish(0);
    await clock.advance(1);
  });

test('a message that is throttled for ever keeps no other from leaving, then or later, and has not failed', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const poisoned = 1_000n;
  const link = new WorldLink({
    clock,
    windowSize: 10,
    tps: 500,
    answerKind: (messageId) => (messageId === poisoned ? 'throttled' : 'ok'),
    delay: () => 5,
    check: () => {},
  });
  store.add(makeBatch(1_000n, 'customer', new Array<number>(200).fill(1)));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(30_000);
  const first = store.batches.get(1_000n)!;
  assert.ok(first.rows.slice(1).every(({ state }) => state.clientStatus === 2));
  assert.equal(first.rows[0]!.state.sendStatus, 0);
  // A long time in which it is the only one that is tried.
  await clock.advance(120_000);
  const before = link.times.length;
  store.add(makeBatch(5_000n, 'customer', new Array<number>(900).fill(1)));
  await clock.advance(5_000);
  assert.ok(
    store.batches.get(5_000n)!.rows.every(({ state }) => state.clientStatus === 2),
    'sent at the full pace',
  );
  assert.ok(link.times.length - before <= 905);
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});

test('a fifth of the phones with full queues: the others leave at the full pace, and these when there is room', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const isFull = (messageId: bigint): boolean => messageId % 5n === 0n && clock.now() < 60_000;
  const answerKind = (messageId: bigint): AnswerKind => (isFull(messageId) ? 'queueFull' : 'ok');
  const link = new WorldLink({ clock, windowSize: 50, tps: 500, answerKind, delay: () => 5, check: () => {} });
  const batchIds = [10_000n, 20_000n, 30_000n, 40_000n, 50_000n];
  for (const batchId of batchIds) store.add(makeBatch(batchId, 'customer', new Array<number>(1_000).fill(1)));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  link.bind('2');
  // 5,000 in 10 s, and retries meanwhile: 1,000 after 1, 3, 7 and 15 s.
  await clock.advance(17_000);
  const rows = batchIds.flatMap((batchId) => store.batches.get(batchId)!.rows);
  const delivered = () => rows.filter(({ state }) => state.clientStatus === 2).length;
  assert.equal(delivered(), 4_000);
  assert.equal(rows.filter(({ state }) => state.sendStatus !== 0).length, 4_000);
  await clock.advance(120_000);
  assert.equal(delivered(), 5_000);
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});

test('a part that permanently meets a full queue is retried for a while, and then no longer holds the window', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const answerKind = (messageId: bigint, part: number): AnswerKind =>
    messageId < 1_003n && part === 2 ? 'queueFull' : 'ok';
  const link = new WorldLink({ clock, windowSize: 5, tps: 500, answerKind, delay: () => 5, check: () => {} });
  store.add(makeBatch(1_000n, 'customer', new Array<number>(100).fill(2)));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(60_000);
  const batch = store.batches.get(1_000n)!;
  assert.equal(batch.state, 'done');
  assert.deepEqual(new Set(batch.rows.slice(0, 3).map(({ state }) => state.sendStatus)), new Set([2]));
  assert.deepEqual(new Set(batch.rows.slice(3).map(({ state }) => state.clientStatus)), new Set([2]));
  assert.deepEqual([...new Set(link.copies.values())], [1]);
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});

test('the queue of the account is full for a while: all of it leaves soon after, at the pace that it comes to', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const answerKind = (): AnswerKind => (clock.now() < 60_000 ? 'queueFull' : 'ok');
  const link = new WorldLink({ clock, windowSize: 50, tps: 500, answerKind, delay: () => 5, check: () => {} });
  store.add(makeBatch(10_000n, 'customer', new Array<number>(1_000).fill(1)));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(60_000);
  // Far from the 30,000 of the full pace.
  assert.ok(link.times.length < 1_000, `${link.times.length} submits while nothing was taken`);
  await clock.advance(60_000);
  const { rows, state } = store.batches.get(10_000n)!;
  assert.equal(state, 'done');
  assert.ok(rows.every((row) => row.state.clientStatus === 2));
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});

test('a code that comes during a long commit is written before that ends, and only after its intent is committed', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  const written = new Map<bigint, number>();
  const link = new WorldLink({
    clock,
    windowSize: 100,
    tps: 1_000,
    answerKind: () => 'ok',
    delay: () => 10,
    check: (id, position) => {
      assert.ok(store.mayBeWritten(id - BigInt(position), position));
      written.set(id, clock.now());
    },
  });
  store.add(makeBatch(1_000n, 'customer', new Array<number>(500).fill(1)));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(300);
  // As with much to store and a busy database.
  store.commitMs = ({ changes }) => (changes.length > 0 ? 5_000 : 5);
  await clock.advance(500);
  store.add(makeBatch(9_000n, 'bank', [1], null, 1));
  const addedAt = clock.now();
  engine.wake();
  await clock.advance(10_000);
  assert.ok(written.get(9_000n)! - addedAt < 100, `written after ${written.get(9_000n)! - addedAt} ms`);
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});
