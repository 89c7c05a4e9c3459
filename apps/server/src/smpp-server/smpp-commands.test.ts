import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, run, sql } from '@pahatid/db';
import { buildTemplate } from '@pahatid/db/builders';
import {
  type DeliverSm,
  encodeText,
  integerTlv,
  MESSAGE_STATE,
  makePdu,
  octetsTlv,
  readReceipt,
  STATUS,
  type SubmitFailure,
  segmentText,
} from '@pahatid/smpp';
import { until } from '@pahatid/testkit';
import { assertAgrees } from '../verify/testing/agrees.ts';
import { makeSmppWorld, type SmppClient, sender, submitSm } from './testing/smpp-world.ts';

const { db, scene, world } = await makeSmppWorld();
await world.startServer();
await scene.startSender();

const long = `A text of three parts, ${'which goes on and on, '.repeat(17)}and ends here.`;

interface Row {
  message_id: string;
  content: string;
  pkg_total: number;
  sms_type: number;
  send_status: number;
  client_status: number;
  deal_result: string | null;
}
const rowsOf = (appId: string) =>
  many<Row>(
    db.pool,
    sql`select message_id::text, content, pkg_total, sms_type, send_status, client_status, deal_result from message
        where app_id = ${appId} order by message_id`,
  );
const receiptsOf = (client: SmppClient) =>
  client.delivered.map((pdu) => readReceipt(pdu as DeliverSm)).map((receipt) => `${receipt?.id} ${receipt?.stat}`);

test('D17 parts by user data header, in any order and repeated, are one message counted by its parts, each part with a receipt', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId, { window: 1 });
  const { parts } = segmentText(long, 77);
  assert.equal(parts.length, 3);
  const ids: (string | undefined)[] = [];
  for (const index of [2, 0, 0, 1]) {
    const answer = await client.submit('639171234567', '', { short_message: parts[index]!, esm_class: 0x40 });
    assert.equal(answer.status, STATUS.ESME_ROK);
    ids.push(answer.messageId);
  }
  assert.equal(ids[1], ids[2]);
  const distinct = [...new Set(ids)];
  assert.equal(distinct.length, 3);
  const [row, ...others] = await rowsOf(appId);
  assert.partialDeepStrictEqual(row, { content: long, pkg_total: 3 });
  assert.deepEqual(others, []);
  await until(() => client.delivered.length === 3);
  assert.deepEqual(receiptsOf(client).toSorted(), distinct.map((id) => `${id} DELIVRD`).toSorted());
});

test('D17 parts by SAR TLVs, and a text as message_payload', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  for (const [n, text] of ['Ang unang ', 'bahagi: ₱5'].entries()) {
    const tlvs = [
      integerTlv('sar_msg_ref_num', 300),
      integerTlv('sar_total_segments', 2),
      integerTlv('sar_segment_seqnum', n + 1),
    ];
    const body = { short_message: encodeText(text, 'ucs2'), data_coding: 8, tlvs };
    assert.equal((await client.submit('639171234567', '', body)).status, STATUS.ESME_ROK);
  }
  const payload = { short_message: Buffer.alloc(0), tlvs: [octetsTlv('message_payload', encodeText(long, 'gsm7'))] };
  assert.equal((await client.submit('639171234568', '', payload)).status, STATUS.ESME_ROK);
  const rows = await rowsOf(appId);
  assert.deepEqual(
    rows.map(({ content, pkg_total }) => [content, pkg_total]),
    [
      ['Ang unang bahagi: ₱5', 1],
      [long, 3],
    ],
  );
  assert.equal(
    (await client.submit('639171234568', 'Both', { tlvs: payload.tlvs })).status,
    STATUS.ESME_ROPTPARNOTALLWD,
  );
});

test('D17 S54 a text that breaks a rule only when it is joined is refused, and its other part gets a receipt', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const parts = ['Smile: :', ') is what it says'].map((text, n) =>
    Buffer.concat([Buffer.from([5, 0, 3, 9, 2, n + 1]), encodeText(text, 'gsm7')]),
  );
  const first = await client.submit('639171234567', '', { short_message: parts[0]!, esm_class: 0x40 });
  assert.equal(first.status, STATUS.ESME_ROK);
  const second = await client.submit('639171234567', '', { short_message: parts[1]!, esm_class: 0x40 });
  assert.equal(second.status, 0x401);
  assert.partialDeepStrictEqual(await rowsOf(appId), [
    { send_status: 2, client_status: 7, deal_result: 'BLOCKED_TEXT' },
  ]);
  await until(() => client.delivered.length === 1);
  assert.deepEqual(receiptsOf(client), [`${first.messageId} REJECTD`]);
});

test('D17 a text whose parts do not all come in time ends unsent, and the part that came gets a receipt', async () => {
  const later = await world.startServer({}, 6 * 60_000);
  const { appId } = await world.addApplication();
  const client = await world.bind(appId, { port: later.port });
  const short_message = Buffer.concat([Buffer.from([5, 0, 3, 9, 2, 1]), encodeText('Only this', 'gsm7')]);
  const { messageId } = await client.submit('639171234567', '', { short_message, esm_class: 0x40 });
  await until(() => client.delivered.length === 1);
  assert.deepEqual(receiptsOf(client), [`${messageId} EXPIRED`]);
  assert.partialDeepStrictEqual(await rowsOf(appId), [{ client_status: 7, deal_result: 'NOT_SENT_IN_TIME' }]);
});

test('D17 data_sm, query_sm and submit_multi with one id for all its numbers', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const address = { source_addr_ton: 5, source_addr: sender, registered_delivery: 1 };
  const data = await client.ask(
    makePdu('data_sm', {
      ...address,
      dest_addr_ton: 1,
      destination_addr: '639171234567',
      tlvs: [octetsTlv('message_payload', encodeText('By data_sm', 'gsm7'))],
    }),
  );
  assert.equal(data?.status, STATUS.ESME_ROK);
  const numbers = ['639171234501', '639181234502', '12'];
  const multi = await client.ask(
    makePdu('submit_multi', {
      ...address,
      dest_address: numbers.map((destination_addr) => ({ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr })),
      short_message: encodeText('To several', 'gsm7'),
    }),
  );
  assert.ok(multi !== null && data !== null);
  assert.equal(multi.status, STATUS.ESME_ROK);
  const { unsuccess_sme: failures } = multi.pdu as { unsuccess_sme?: SubmitFailure[] };
  assert.deepEqual(
    failures?.map((each) => [each.destination_addr, each.error_status_code]),
    [['12', STATUS.ESME_RINVDSTADR]],
  );
  await until(() => client.delivered.length === 3);
  assert.deepEqual(
    client.delivered.map((pdu) => `${pdu.source_addr} ${readReceipt(pdu)?.id}`).toSorted(),
    [`639171234501 ${multi.messageId}`, `639171234567 ${data.messageId}`, `639181234502 ${multi.messageId}`].toSorted(),
  );
  const query = async (message_id: string) => await client.ask(makePdu('query_sm', { message_id, ...address }));
  const state = await query(data.messageId!);
  assert.partialDeepStrictEqual(state?.pdu, { message_id: data.messageId, message_state: 2, error_code: 0 });
  assert.ok(state !== null);
  assert.match((state.pdu as { final_date?: string }).final_date ?? '', /^\d{13}32\+$/);
  assert.equal((await query('123'))?.status, STATUS.ESME_RQUERYFAIL);
  const other = await world.bind((await world.addApplication()).appId);
  const foreign = await other.ask(makePdu('query_sm', { message_id: data.messageId!, ...address }));
  assert.equal(foreign?.status, STATUS.ESME_RQUERYFAIL);
});

test('D17 D12 schedule_delivery_time holds a message, cancel_sm ends it before it is handed over, and replace_sm is refused', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const held = await client.submit('639171234567', 'Later', {
    schedule_delivery_time: '000000010000000R',
    validity_period: '000000020000000R',
  });
  const sent = await client.submit('639171234567', 'Now');
  await until(() => client.delivered.length === 1);
  const [batch] = await many<{ hours: number; life: number }>(
    db.pool,
    sql`select round(extract(epoch from not_before - clock_timestamp()) / 360) / 10 as hours,
          round(extract(epoch from valid_until - not_before) / 360) / 10 as life
        from batch where batch_id = ${held.messageId}::bigint`,
  );
  assert.deepEqual(batch && [Number(batch.hours), Number(batch.life)], [1, 1]);
  const cancel = async (messageId: string | undefined) => {
    const pdu = makePdu('cancel_sm', { message_id: messageId!, source_addr: sender, destination_addr: '639171234567' });
    return (await client.ask(pdu))?.status;
  };
  assert.equal(await cancel(sent.messageId), STATUS.ESME_RCANCELFAIL);
  assert.equal(await cancel('1'), STATUS.ESME_RINVMSGID);
  assert.equal(await cancel(held.messageId), STATUS.ESME_ROK);
  assert.equal(await cancel(held.messageId), STATUS.ESME_RCANCELFAIL, 'it has ended');
  await until(() => client.delivered.length === 2);
  assert.ok(receiptsOf(client).includes(`${held.messageId} DELETED`));
  const { open } = await one<{ open: number }>(
    db.pool,
    sql`select count(*)::int as open from batch where app_id = ${appId} and state < 2`,
  );
  assert.equal(open, 0);
  const replace = makePdu('replace_sm', { message_id: sent.messageId!, short_message: Buffer.from('x') });
  assert.equal((await client.ask(replace))?.status, STATUS.ESME_RREPLACEFAIL);
});

test('D17 cancel_sm of a submit_multi ends all its messages, or that of the number it names', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const address = { source_addr_ton: 5, source_addr: sender };
  const numbers = ['639171234601', '639171234602', '639171234603'];
  const multi = await client.ask(
    makePdu('submit_multi', {
      ...address,
      dest_address: numbers.map((destination_addr) => ({ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr })),
      schedule_delivery_time: '000000010000000R',
      short_message: encodeText('To several', 'gsm7'),
    }),
  );
  const ask = async (command: 'cancel_sm' | 'query_sm', fields: Record<string, unknown> = {}) =>
    await client.ask(makePdu(command, { message_id: multi!.messageId!, ...address, ...fields }));
  const cancel = async (fields: Record<string, unknown> = {}) => (await ask('cancel_sm', fields))?.status;
  const results = async () => (await rowsOf(appId)).map(({ deal_result }) => deal_result ?? null);
  const query = async () => ((await ask('query_sm'))?.pdu as { message_state?: number } | undefined)?.message_state;
  assert.equal(await cancel({ source_addr: 'OTHER' }), STATUS.ESME_RCANCELFAIL);
  assert.equal(await cancel({ destination_addr: '639171234699' }), STATUS.ESME_RCANCELFAIL);
  assert.deepEqual(await results(), [null, null, null]);
  assert.equal(await cancel({ destination_addr: '09171234601' }), STATUS.ESME_ROK);
  assert.deepEqual(await results(), ['CANCELLED', null, null]);
  assert.equal(await query(), MESSAGE_STATE.ENROUTE);
  assert.equal(await cancel(), STATUS.ESME_ROK);
  assert.deepEqual(await results(), ['CANCELLED', 'CANCELLED', 'CANCELLED']);
  assert.equal(await query(), MESSAGE_STATE.DELETED);
  assert.equal(await cancel(), STATUS.ESME_RCANCELFAIL);
});

test('D17 cancel_sm immediately after the response waits for who has the batch for a moment', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const held = await client.submit('639171234567', 'Later', { schedule_delivery_time: '000000010000000R' });
  const other = await db.pool.connect();
  try {
    await other.query('begin');
    await other.query('select from batch where batch_id = $1 for update', [held.messageId]);
    const cancelled = client.ask(makePdu('cancel_sm', { message_id: held.messageId!, source_addr: sender }));
    // Until it was tried.
    for (let n = 0; n < 5; n++)
      await client.ask(makePdu('query_sm', { message_id: held.messageId!, source_addr: sender }));
    await other.query('commit');
    assert.equal((await cancelled)?.status, STATUS.ESME_ROK);
  } finally {
    other.release(true);
  }
});

test('D17 the first part of a text can be queried, and not cancelled', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const short_message = Buffer.concat([Buffer.from([5, 0, 3, 11, 2, 1]), encodeText('One of two', 'gsm7')]);
  const { messageId } = await client.submit('639171234567', '', { short_message, esm_class: 0x40 });
  const ask = async (command: 'cancel_sm' | 'query_sm') =>
    await client.ask(makePdu(command, { message_id: messageId!, source_addr: sender }));
  assert.partialDeepStrictEqual((await ask('query_sm'))?.pdu, { message_state: MESSAGE_STATE.ACCEPTED });
  assert.equal((await ask('cancel_sm'))?.status, STATUS.ESME_RCANCELFAIL);
});

test('service_type chooses the send type, and where staff require it a text must match a template of that type', async () => {
  const { appId, customerId } = await world.addApplication();
  await run(db.pool, sql`update application set smpp_service_types = '{"OTP": 1}' where app_id = ${appId}`);
  await buildTemplate(db.pool, { customerId, appId, smsType: 1, content: 'Your code is {1}.' });
  await run(db.pool, sql`update customer set template_required = true where customer_id = ${customerId}`);
  try {
    const client = await world.bind(appId);
    const statusFor = async (text: string, service_type: string) =>
      (await client.submit('639171234567', text, { service_type })).status;
    assert.equal(await statusFor('Your code is 123456.', 'OTP'), STATUS.ESME_ROK);
    assert.equal(await statusFor('Your code is 123456.', ''), 0x402);
    assert.equal(await statusFor('Your code was 123456.', 'OTP'), 0x402);
    const [row, ...others] = await rowsOf(appId);
    assert.deepEqual([row?.sms_type, others], [1, []]);
  } finally {
    await run(db.pool, sql`update customer set template_required = null where customer_id = ${customerId}`);
  }
});

test('P23 where the application asks for it, a message that comes again gets the ID of the first and is stored once', async () => {
  const { appId } = await world.addApplication();
  const reference = (value: number) => ({ tlvs: [integerTlv('user_message_reference', value)] });
  const before = await world.bind(appId);
  const plain = [
    await before.submit('639171234567', 'Hi', reference(1)),
    await before.submit('639171234567', 'Hi', reference(1)),
  ];
  assert.equal(new Set(plain.map(({ messageId }) => messageId)).size, 2);
  await before.session.stop();
  await run(db.pool, sql`update application set smpp_deduplication = true where app_id = ${appId}`);

  const client = await world.bind(appId);
  const submits = await Promise.all(
    Array.from({ length: 3 }, () => client.submit('639171234567', 'Hello', reference(7))),
  );
  assert.deepEqual(
    submits.map(({ status }) => status),
    [0, 0, 0],
  );
  const first = submits[0]?.messageId;
  assert.deepEqual(new Set(submits.map(({ messageId }) => messageId)), new Set([first]));
  const others = [
    await client.submit('639171234568', 'Hello', reference(7)),
    await client.submit('639171234567', 'Hello!', reference(7)),
    await client.submit('639171234567', 'Hello', reference(8)),
    await client.submit('639171234567', 'Hello'),
    await client.submit('639171234567', 'Hello'),
  ];
  assert.equal(new Set([first, ...others.map(({ messageId }) => messageId)]).size, 6);

  // A client that is gone before the response sends it again over its next connection.
  void client.ask(submitSm('639171234567', 'Lost response', reference(9)));
  await until(async () => (await rowsOf(appId)).some(({ content }) => content === 'Lost response'));
  client.session.close();
  const again = await world.bind(appId);
  const { status, messageId } = await again.submit('639171234567', 'Lost response', reference(9));
  assert.equal(status, STATUS.ESME_ROK);
  const rows = (await rowsOf(appId)).filter(({ content }) => content === 'Lost response');
  assert.deepEqual(
    rows.map(({ message_id }) => String(message_id)),
    [messageId],
  );
});

test('counts, charges and batches agree with the messages after all of it, cancelled and refused ones included', async () => {
  await assertAgrees(db.pool);
});
