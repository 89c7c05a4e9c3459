/**
 * What changes messages locks in one order: messages by customer and id, then doubts and receipts, then counters, then
 * batches. What has a batch in hand first never waits for its messages.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOnBatches, leaseWriter, lockMessages, uuidV7 } from '@pahatid/db';
import type { CarrierReceipt, Change, Flush } from '@pahatid/engine';
import { until } from '@pahatid/testkit';
import type { Pool, PoolClient } from 'pg';
import { pino } from 'pino';
import { recoverLeases } from '../submit/recover-leases.ts';
import { makeSendStore } from '../submit/send-store.ts';
import { makeScene } from '../testing/make-scene.ts';

const isAnyoneWaiting = async (pool: Pool): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return (rowCount ?? 0) > 0;
};

const deadlocks = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  );
  return rows[0]!.n;
};

/** A pool whose transactions call `after` after first locking or changing messages. */
const pausing = (pool: Pool, after: () => Promise<void>): Pool =>
  new Proxy(pool, {
    get: (target, key) =>
      key === 'connect' ? async () => pausingClient(await target.connect(), after) : Reflect.get(target, key, target),
  });

const pausingClient = (client: PoolClient, after: () => Promise<void>): PoolClient => {
  let hasPaused = false;
  return new Proxy(client, {
    get: (target, key) => {
      const value = Reflect.get(target, key, target);
      if (key !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return async (query: string | { text: string }, ...more: unknown[]) => {
        const result = await (value as (...words: unknown[]) => Promise<unknown>).call(target, query, ...more);
        const text = typeof query === 'string' ? query : query.text;
        if (!hasPaused && /update message m|from message\b[\s\S]*for update/.test(text)) {
          hasPaused = true;
          await after();
        }
        return result;
      };
    },
  });
};

test('a batch of a dead sender is taken back while its last results are being committed', async (t) => {
  const scene = await makeScene(t);
  const { pool, customerId } = scene;
  const { messageIds } = await scene.accept(scene.recipients(1));
  const messageId = messageIds[0]!;
  await pool.query(`update batch set state = 1, owner = $1, intent_mark = 1, lease_until = now() - interval '1 hour'`, [
    uuidV7(),
  ]);
  const { rows } = await pool.query<{ batch_id: string }>('select batch_id from batch');
  const flush = await pool.connect();
  try {
    await flush.query('begin');
    await lockMessages(flush, [{ customerId, messageId }]);
    let ended = false;
    const recovered = recoverLeases(pool, scene.writer).finally(() => {
      ended = true;
    });
    // It waits for the message, or has released the batch again.
    let attempts = 0;
    await until(async () => {
      attempts += 1;
      return ended || attempts > 20 || (await isAnyoneWaiting(pool));
    });
    await countOnBatches(flush, new Map([[BigInt(rows[0]!.batch_id), { success: 1, failed: 0 }]]));
    await flush.query('commit');
    // A look while the flush counts on the batch passes it by; the next one finds it.
    const taken = [...(await recovered), ...(await recoverLeases(pool, scene.writer))];
    assert.equal(taken.length, 1);
    assert.equal(await deadlocks(pool), 0);
  } finally {
    flush.release();
  }
});

test('two flushes with receipts for each other’s messages both commit at the first try', async (t) => {
  const scene = await makeScene(t);
  const { pool, customerId, taskId, appId } = scene;
  const accepted = await Promise.all([scene.accept(scene.recipients(1)), scene.accept(scene.recipients(1, 3))]);
  const { rows } = await pool.query<{ message_id: string; supplier_id: string; msisdn: string; price: number }>(
    'select message_id, supplier_id, msisdn, price from message order by message_id',
  );
  assert.equal(rows.length, accepted.length);
  const supplierId = rows[0]!.supplier_id;
  for (const { message_id: id } of rows)
    await pool.query('insert into dlr_route values ($1, $2, $3, $4, 1)', [supplierId, `id${id}`, customerId, id]);
  const changeOf = (index: number): Change => ({
    batch: {
      batchId: BigInt(rows[index]!.message_id),
      customerId,
      taskId,
      appId,
      lane: 2,
      supplierId,
      messageCount: 1,
      intentMark: 1,
      doubtPolicy: 'hold',
      validForMs: null,
      messages: [],
    },
    message: {
      position: 0,
      msisdn: rows[index]!.msisdn,
      content: '',
      pkgTotal: 1,
      price: rows[index]!.price,
      chargeType: 'SenderPays',
      templateId: null,
      optedOut: false,
      key: {
        customerId,
        minuteMs: 0,
        appId,
        areaCode: 'PH',
        carrier: '',
        clientSid: '',
        smsType: 2,
        routeId: supplierId,
      },
    },
    before: { sendStatus: 0, clientStatus: 0 },
    after: { sendStatus: 3, clientStatus: 1 },
    dealResult: null,
    carrierCode: null,
    submittedMs: 1,
    answeredMs: 2,
    reportMs: null,
    partsBefore: 0,
    partsDelivered: 0,
    routes: [],
  });
  const receiptOf = (index: number): CarrierReceipt => ({
    supplierId,
    receiptId: uuidV7(),
    candidates: [`id${rows[index]!.message_id}`],
    msisdn: rows[index]!.msisdn,
    clientSid: '',
    clientStatus: 2,
    final: true,
    dealResult: 'DELIVERED',
    carrierCode: null,
    reportMs: null,
    receivedMs: Date.now(),
    needsPhone: false,
  });
  const flushOf = (own: number, other: number): Flush => ({
    changes: [changeOf(own)],
    receipts: [receiptOf(other)],
    resent: [],
    matchedReceipts: [],
    inbound: [],
    marks: [],
  });
  let inside = 0;
  let begun = 0;
  const storeAt = async () => {
    const meet = async (): Promise<void> => {
      inside += 1;
      await until(async () => inside > 1 || (await isAnyoneWaiting(pool)));
    };
    const counting = pausing(pool, meet);
    const connect = counting.connect.bind(counting);
    const counted = new Proxy(counting, {
      get: (target, key) =>
        key === 'connect'
          ? async () => {
              begun += 1;
              return await connect();
            }
          : Reflect.get(target, key, target),
    });
    const writer = await leaseWriter(pool, uuidV7());
    const inbound = { sharedNumber: null, log: pino({ level: 'silent' }) };
    return makeSendStore({ pool: counted, owner: uuidV7(), writer, leaseMs: 7_000, inbound });
  };
  const [a, b] = [await storeAt(), await storeAt()];
  await Promise.all([a.commit(flushOf(0, 1)), b.commit(flushOf(1, 0))]);
  assert.equal(begun, 2, 'a transaction was begun again');
  const { rows: after } = await pool.query('select client_status from message');
  assert.deepEqual(after, [{ client_status: 2 }, { client_status: 2 }]);
});
