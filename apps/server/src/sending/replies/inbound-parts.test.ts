import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { uuidV7 } from '@pahatid/db';
import type { InboundPart, InboundText, SendStore } from '@pahatid/engine';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { storeWaitingParts } from '../store-waiting-parts.ts';
import { makeSendStore } from '../submit/send-store.ts';
import { makeScene, to } from '../testing/make-scene.ts';

const minuteMs = 60_000;
const log = pino({ level: 'silent' });
const phone = '639170000001';
/** Of three parts. */
const long = `A question of three parts. ${'What are the opening hours? '.repeat(12)}`.trim();

type Built = Awaited<ReturnType<typeof makeScene>>;

/** Phones that were written to, and stores as two senders have them. */
async function makeReplies(t: Parameters<typeof makeScene>[0], phones = [phone]) {
  const scene = await makeScene(t);
  await scene.pool.query(
    `insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state)
     values ($1, $2, 'application', $3, 'https://shop.example/', 'enabled')`,
    [uuidV7(), scene.customerId, scene.appId],
  );
  const { messageIds } = await scene.accept(phones.map((msisdn) => to(msisdn)));
  const sender = await scene.startSender();
  await scene.untilStates({ '3/2': phones.length });
  const { rows } = await scene.pool.query<{ supplier_id: string }>('select distinct supplier_id from message');
  const { pool, writer } = scene;
  const stores = [1, 2].map(() =>
    makeSendStore({ pool, owner: uuidV7(), writer, leaseMs: 5_000, inbound: { sharedNumber: null, log } }),
  );
  return { scene, sender, messageIds, supplierId: rows[0]!.supplier_id, stores };
}

const sweep = ({ pool }: Built, offsetMs: number) => storeWaitingParts({ pool, log, owner: uuidV7(), offsetMs });
const keep = (store: SendStore, ...inbound: InboundText[]) =>
  store.commit({ changes: [], marks: [], resent: [], receipts: [], matchedReceipts: [], inbound });
const kept = async ({ pool }: Built) =>
  (await pool.query('select msisdn, content, is_opt_out from inbound order by msisdn, inbound_id')).rows;
const refused = async ({ pool }: Built): Promise<string[]> =>
  (await pool.query('select msisdn from opt_out order by 1')).rows.map((row) => row.msisdn);
const told = async ({ pool }: Built): Promise<number> =>
  (await pool.query(`select from callback_event where type = 'message.inbound'`)).rowCount ?? 0;
const waiting = async ({ pool }: Built): Promise<number> =>
  (await pool.query('select from inbound_part where not is_stored')).rowCount ?? 0;

const partsOf = (
  supplierId: string,
  contents: string[],
  more: Partial<InboundText & InboundPart> = {},
): InboundText[] =>
  contents.map((content, index) => ({
    supplierId,
    content,
    inboundId: uuidV7(),
    msisdn: more.msisdn ?? phone,
    destination: 'PAHATID',
    receivedMs: Date.now(),
    part: { reference: more.reference ?? 7, referenceBits: 8, total: contents.length, sequence: index + 1 },
  }));

test('C20: parts at two senders concurrently, in any order and duplicated, are one text of each phone, reported once', async (t) => {
  const phones = Array.from({ length: 30 }, (_, n) => `6391700000${10 + n}`);
  const { scene, stores, supplierId, messageIds } = await makeReplies(t, phones);
  // All with the same reference; a character cut in two, a refusal cut in three.
  const contents = phones.map((msisdn, n) => (n % 3 === 0 ? ['S', 'TO', 'P'] : [`${msisdn} \ud83d`, '\ude00', ' end']));
  const parts = phones.map((msisdn, n) => partsOf(supplierId, contents[n]!, { msisdn }));
  const turns = [
    [2, 0],
    [0, 2],
    [1, 1],
    [0, 0],
  ] as const;
  for (const [a, b] of turns)
    await Promise.all([
      keep(stores[0]!, ...parts.map((each) => each[a]!)),
      keep(stores[1]!, ...parts.map((each) => each[b]!).reverse()),
    ]);
  assert.deepEqual(
    await kept(scene),
    phones.map((msisdn, n) => ({ msisdn, content: contents[n]!.join(''), is_opt_out: n % 3 === 0 })),
  );
  assert.deepEqual(
    await refused(scene),
    phones.filter((_, n) => n % 3 === 0),
  );
  assert.equal(await told(scene), phones.length);
  const { rows } = await scene.pool.query('select message_id from inbound order by msisdn');
  assert.deepEqual(
    rows.map((row) => row.message_id),
    messageIds.map(String),
  );
});

test('C20: parts that come to a sender and, after its end, to another are one text', async (t) => {
  const { scene, sender } = await makeReplies(t);
  const carrier = scene.simulator!.carrier('globe');
  const answered = () =>
    until(() => carrier.counters().deliveries.acknowledged === carrier.counters().deliveries.queued);
  carrier.sendInbound({ from: phone, to: 'PAHATID', text: long, order: [3, 1] });
  await answered();
  assert.deepEqual([await waiting(scene), await kept(scene)], [1, []]);
  await sender.stop();
  await scene.startSender();
  carrier.sendInbound({ from: phone, to: 'PAHATID', text: long, order: [1, 2, 2] });
  await answered();
  assert.deepEqual(await kept(scene), [{ msisdn: phone, content: long, is_opt_out: false }]);
  assert.deepEqual([await waiting(scene), await told(scene)], [0, 1]);
});

test('P1 C20: a sender killed before the part is stored, or before it is answered, loses nothing and doubles nothing', async (t) => {
  const { scene, sender, stores, supplierId } = await makeReplies(t);
  await sender.stop();
  const carrier = scene.simulator!.carrier('globe');
  const before = carrier.counters().deliveries.sent;
  const process = await scene.spawnSender(scene.database.url);
  const client = await scene.pool.connect();
  await client.query('begin');
  await client.query('lock table inbound_part in access exclusive mode');
  carrier.sendInbound({ from: phone, to: 'PAHATID', text: long });
  await until(() => carrier.counters().deliveries.sent >= before + 3);
  process.kill('SIGKILL');
  await once(process, 'exit');
  await client.query('rollback');
  client.release();
  // The dead one's transaction, as if it had come through: the carrier does not know.
  assert.ok(long.length > 306 && long.length <= 459);
  const parts = [long.slice(0, 153), long.slice(153, 306), long.slice(306)];
  await keep(stores[0]!, ...partsOf(supplierId, parts, { reference: 1 }).slice(0, 2));
  await scene.startSender();
  await until(() => carrier.counters().deliveries.acknowledged === carrier.counters().deliveries.queued);
  assert.deepEqual(await kept(scene), [{ msisdn: phone, content: long, is_opt_out: false }]);
  assert.deepEqual([await waiting(scene), await told(scene)], [0, 1]);
});

test('C20: what is never whole is stored as it is after minutes; a part that comes later still is put in its place', async (t) => {
  const other = '639170000002';
  const { scene, stores, supplierId } = await makeReplies(t, [phone, other]);
  const [store] = stores as [SendStore];
  const [first, second, third] = partsOf(supplierId, ['one ', 'two ', 'three']) as [
    InboundText,
    InboundText,
    InboundText,
  ];
  const [stop, thanks] = partsOf(supplierId, ['Stop', ', thanks'], { msisdn: other }) as [InboundText, InboundText];
  await keep(store, third, stop, first);
  await sweep(scene, 4 * minuteMs);
  assert.deepEqual([await kept(scene), await waiting(scene)], [[], 2]);
  await Promise.all([sweep(scene, 6 * minuteMs), sweep(scene, 6 * minuteMs)]);
  const refusal = { msisdn: other, content: 'Stop…', is_opt_out: true };
  assert.deepEqual(await kept(scene), [{ msisdn: phone, content: 'one …three', is_opt_out: false }, refusal]);
  assert.deepEqual([await refused(scene), await told(scene)], [[other], 2]);
  // A part again changes nothing, the missing one completes the row; a refusal that was taken for one stays.
  await keep(store, first, second, thanks, second);
  assert.deepEqual(await kept(scene), [
    { msisdn: phone, content: 'one two three', is_opt_out: false },
    { ...refusal, content: 'Stop, thanks' },
  ]);
  assert.deepEqual([await refused(scene), await told(scene)], [[other], 4]);
  await sweep(scene, 25 * 60 * minuteMs);
  assert.equal((await scene.pool.query('select from inbound_part')).rowCount, 0);
  assert.equal((await kept(scene)).length, 2);
});

test('C20: a reference used again begins another text, and what waited under it is stored as it is', async (t) => {
  const { scene, stores, supplierId } = await makeReplies(t);
  const [store] = stores as [SendStore];
  const texts = [
    ['a1', 'a2'],
    ['b1', 'b2'],
    ['c1', 'c2'],
  ].map((contents) => partsOf(supplierId, contents));
  await keep(store, ...texts[0]!);
  await keep(store, texts[1]![1]!);
  await keep(store, texts[2]![1]!);
  await keep(store, texts[2]![0]!);
  assert.deepEqual(
    (await kept(scene)).map((row) => row.content),
    ['a1a2', '…b2', 'c1c2'],
  );
  // No message was sent to this phone.
  await keep(store, ...partsOf(supplierId, ['STO', 'P'], { msisdn: '639179999999' }));
  assert.deepEqual([(await kept(scene)).length, await refused(scene), await waiting(scene)], [3, [], 0]);
});

test('C20 S59: an opt-out stored late, after a database outage, still removes its phone from a batch in progress', async (t) => {
  const { scene, sender, stores, supplierId } = await makeReplies(t);
  await sender.stop();
  const { messageIds } = await scene.accept([to(phone)]);
  await scene.pool.query('update batch set lane = 3 where batch_id = $1', [String(messageIds[0])]);
  const [store] = stores as [SendStore];
  const receivedMs = Date.now() - 10 * minuteMs;
  await keep(store, {
    supplierId,
    inboundId: uuidV7(receivedMs),
    msisdn: phone,
    destination: 'PAHATID',
    content: 'STOP',
    receivedMs,
    part: null,
  });
  assert.deepEqual(await refused(scene), [phone]);
  assert.deepEqual(await store.findStopped(messageIds), messageIds);
});
