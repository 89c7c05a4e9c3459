import assert from 'node:assert/strict';
import { test } from 'node:test';
import { one, sql } from '@pahatid/db';
import { sweepSmppDeliveries } from '@pahatid/db/queries/smpp-deliveries';
import {
  type DataSm,
  type DeliverSm,
  decodeText,
  encodeText,
  findTlv,
  makePdu,
  readDataCoding,
  readReceipt,
  STATUS,
  TLV,
} from '@pahatid/smpp';
import { until } from '@pahatid/testkit';
import { makeSmppWorld, sender } from './testing/smpp-world.ts';

const { db, scene, world } = await makeSmppWorld();
await world.startServer();
await scene.startSender();

const HOUR_MS = 3_600_000;

const countWaiting = async (appId: string): Promise<number> =>
  (await one<{ n: number }>(db.pool, sql`select count(*)::int as n from smpp_delivery where app_id = ${appId}`)).n;

const textOf = (pdu: DeliverSm | DataSm): string | undefined => {
  const octets =
    findTlv(pdu.tlvs, TLV.message_payload.tag)?.value ?? ('short_message' in pdu ? pdu.short_message : null);
  return octets === null ? undefined : decodeText(octets, readDataCoding(pdu.data_coding).alphabet);
};

test('D13 replies of phones come as deliver_sm, whole, in their alphabet, and are no receipts', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const phone = '639171234567';
  await client.submit(phone, 'Did it arrive?');
  await until(() => client.delivered.length === 1);
  const texts = ['Yes, thank you', '到了，谢谢', `It did. ${'All of it is in good shape. '.repeat(20)}`];
  for (const text of texts) {
    const before = client.delivered.length;
    scene.simulator!.carrier('globe').sendInbound({ from: phone, to: sender, text });
    await until(() => client.delivered.length > before, { what: text });
  }
  const replies = client.delivered.slice(1);
  assert.deepEqual(replies.map(textOf), texts);
  for (const reply of replies) {
    assert.equal(readReceipt(reply), undefined);
    assert.deepEqual([reply.esm_class & 0x3c, reply.source_addr, reply.destination_addr], [0, phone, sender]);
  }
  await until(async () => (await countWaiting(appId)) === 0);
});

test('P24 what waits is delivered after 71 hours, and deleted after 72', async () => {
  const { appId } = await world.addApplication();
  const transmitter = await world.bind(appId, { mode: 'transmitter' });
  const ids: (string | undefined)[] = [];
  for (const n of [1, 2]) ids.push((await transmitter.submit(`63917123450${n}`, 'Wait')).messageId);
  await until(async () => (await countWaiting(appId)) === 2);
  const later = await world.startServer({}, 71 * HOUR_MS);
  const receiver = await world.bind(appId, { mode: 'receiver', port: later.port });
  await until(() => receiver.delivered.length === 2);
  assert.deepEqual(receiver.delivered.map((pdu) => readReceipt(pdu)?.id).toSorted(), ids.toSorted());
  await until(async () => (await countWaiting(appId)) === 0);
  await receiver.session.stop();

  await transmitter.submit('639171234503', 'Wait');
  await until(async () => (await countWaiting(appId)) === 1);
  const sweep = (hours: number) =>
    sweepSmppDeliveries(db.pool, {
      ...{ nowMs: Date.now() + hours * HOUR_MS, keptMs: 72 * HOUR_MS },
      ...{ refusedMs: HOUR_MS, limit: 100 },
    });
  assert.equal(await sweep(71), 0);
  assert.equal(await sweep(73), 1);
});

test('D10 more than can wait to be stored is refused with 0x14, and nothing of it is kept', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const numbers = (n: number) =>
    Array.from({ length: 250 }, (_, index) => ({
      ...{ dest_addr_ton: 1, dest_addr_npi: 1 },
      destination_addr: `63917${String(n * 250 + index).padStart(7, '0')}`,
    }));
  const blocker = await db.pool.connect();
  let statuses: number[] = [];
  try {
    await blocker.query('begin; lock table batch in share mode');
    const answers = Array.from({ length: 100 }, async (_, n) => {
      const pdu = { source_addr_ton: 5, source_addr: sender, dest_address: numbers(n) };
      const short_message = encodeText('To many', 'gsm7');
      return (await client.ask(makePdu('submit_multi', { ...pdu, short_message })))?.status ?? -1;
    });
    await until(() => client.answered > 0, { what: 'a refusal' });
    await blocker.query('rollback');
    statuses = await Promise.all(answers);
  } finally {
    blocker.release();
  }
  assert.deepEqual(new Set(statuses), new Set([STATUS.ESME_ROK, STATUS.ESME_RMSGQFUL]));
  const taken = statuses.filter((status) => status === STATUS.ESME_ROK).length;
  const { n } = await one<{ n: number }>(db.pool, sql`select count(*)::int as n from message where app_id = ${appId}`);
  assert.equal(n, taken * 250);
});
