import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { uuidV7, withTransaction } from '@pahatid/db';
import { buildBatch, buildFile, defaultPassword } from '@pahatid/db/builders';
import { useNumberHash } from '@pahatid/db/queries/erased-opt-outs';
import { findOptedOut } from '@pahatid/db/queries/files';
import { loadWaitingMessages } from '@pahatid/db/queries/messages';
import { decodeBlock, encodeBlock } from '../../files/blocks.ts';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { assertAgrees } from '../../verify/testing/agrees.ts';
import { registerFiles } from '../files/routes.ts';
import { registerRecords } from '../records/routes.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';
import { prepareNextTask } from '../tasks/prepare-next-task.ts';
import { registerTasks } from '../tasks/routes.ts';
import { finishErasures } from './finish-erasures.ts';
import { registerPrivacy } from './routes.ts';

const api = await makeTestApi({ features: [registerPrivacy, registerRecords, registerTasks, registerFiles] });
const { customerId, otherCustomerId } = api;
const { pool } = api.db;
useNumberHash(api.deps.secrets.hashNumber);
const world = await makeTaskWorld(pool, customerId, api.appId);
const jobs = await world.jobs();

const canary = '639171234567';
const typed = '+63 917 123-4567';
const rowsOf = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pool.query(text, values)).rows as T[];
const act = (who: Who, what: string, body: object = {}, of = customerId) =>
  api.ask(who, `POST /privacy/${of}/${what}`, { body: { mobileNumber: typed, ...body } });
const erase = (who: Who = 'owner', of = customerId) => act(who, 'erase', { currentPassword: defaultPassword }, of);

/** Every row of every table as text, with what lies compressed in it unpacked. */
async function dump(): Promise<Map<string, string>> {
  const tables = await rowsOf<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await rowsOf<{ text: string }>(`select t::text as text from ${name} t`);
    texts.set(name, rows.map(({ text }) => text).join('\n'));
  }
  const blocks = await rowsOf<{ bytes: Buffer }>('select bytes from file_block');
  texts.set('file_block', JSON.stringify(blocks.map(({ bytes }) => decodeBlock(bytes))));
  const chunks = await rowsOf<{ bytes: Buffer }>('select bytes from file_chunk');
  texts.set('file_chunk', chunks.map(({ bytes }) => bytes.toString('latin1')).join('\n'));
  return texts;
}
const holders = async (digits = canary.slice(2)): Promise<string[]> =>
  [...(await dump())]
    .filter(([, text]) =>
      text
        .normalize('NFKC')
        .replaceAll(/[ +()-]/g, '')
        .includes(digits),
    )
    .map(([name]) => name);

const sent = (msisdn: string, clientStatus: ClientStatus = ClientStatus.Delivered) => ({
  msisdn,
  content: `Dear customer of ${msisdn}, your order is ready.`,
  carrier: 'Globe',
  clientStatus,
  dealResult: 'DELIVERED',
  receiptAfterMs: 900,
});

/** The number in every place that can hold it, of one customer; messages are at their end. */
async function plant(of: { customerId: string; appId: string }, writer: number): Promise<string> {
  const fileId = await buildFile(pool, {
    customerId: of.customerId,
    columns: ['phone', 'name', 'friend'],
    rows: [
      { msisdn: canary, values: ['Juan', '0918 000 0001'] },
      { msisdn: '639180000001', values: ['Ana', '0917-123-4567'] },
      { msisdn: '639180000002', values: ['Bo', ''] },
    ],
    rejects: [[5, '0917 123 4567 x', 'DUPLICATE']],
    encodeBlock,
  });
  await pool.query('insert into file_chunk (file_id, seq, customer_id, bytes) values ($1, 0, $2, $3)', [
    fileId,
    of.customerId,
    Buffer.from('phone\n0917 123 4567\n'),
  ]);
  const [supplierId, routeId] = [world.carriers.suppliers.Globe, world.carriers.routes.Globe];
  const client = await pool.connect();
  const base = { ...of, smsType: 2, clientSid: 'SHOP', supplierId, routeId, writer } as const;
  const first = await buildBatch(client, {
    ...base,
    at: new Date(Date.now() - 3_600_000 - writer * 60_000),
    messages: [sent(canary), sent('639180000001'), sent(canary, ClientStatus.Unknown)],
  });
  client.release();
  const at = new Date();
  await pool.query(
    `insert into in_doubt (customer_id, message_id, supplier_id, msisdn, since, resolved_at) values ($1, $2, $3, $4, $5, $5)`,
    [of.customerId, String(first), supplierId, canary, at],
  );
  await pool.query(
    `insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final, received_at, matched_at)
     select supplier_id, $1, carrier_message_id, '09171234567', 'SHOP', 2, true, $2, $2 from dlr_route where customer_id = $3 and message_id = $4`,
    [uuidV7(), at, of.customerId, String(first)],
  );
  await pool.query(`insert into opt_out values ($1, $2, 'inbound', 'T from 0917 123 4567', $3)`, [
    of.customerId,
    canary,
    at,
  ]);
  const evidenceId = uuidV7();
  await pool.query(
    `insert into consent_evidence (customer_id, evidence_id, source, wording, created_at) values ($1, $2, 'sms', $3, $4)`,
    [of.customerId, evidenceId, `Yes, of ${canary}`, at],
  );
  await pool.query(
    `insert into consent (customer_id, msisdn, given_at, evidence_id, created_at) values ($1, $2, $4, $3, $4)`,
    [of.customerId, canary, evidenceId, at],
  );
  await pool.query(`insert into inbound values ($1, $2, $3, $4, '2345', 'T', $5)`, [
    of.customerId,
    uuidV7(),
    supplierId,
    canary,
    at,
  ]);
  await pool.query(
    `insert into inbound_part (supplier_id, msisdn, destination, reference_bits, reference, total, customer_id, message_id, app_id,
       inbound_id, parts, received_at, due_at) values ($1, $2, '2345', 8, $3, 2, $4, 1, $5, $6, $7, $8, $8)`,
    [supplierId, canary, writer, of.customerId, of.appId, uuidV7(), [Buffer.from('T', 'utf16le'), null], at],
  );
  await pool.query(
    `insert into callback_attempt (attempt_id, customer_id, event_id, endpoint_id, at, status, ms, response) values ($1, $2, $1, $1, $3, 200, 9, $4)`,
    [uuidV7(), of.customerId, at, `got +${canary}`],
  );
  await pool.query(
    `insert into callback_attempt (attempt_id, customer_id, event_id, endpoint_id, at, status, ms, response) values ($1, $2, $1, $1, $3, 200, 9, $4)`,
    [uuidV7(), of.customerId, at, '收到 ０９１７-１２３-４５６７'],
  );
  await pool.query(
    `insert into threshold (threshold_id, customer_id, kind, per_day, exempt) values ($1, $2, 'frequency', 3, $3)`,
    [uuidV7(), of.customerId, [canary, '639180000001']],
  );
  return fileId;
}

await plant({ customerId: otherCustomerId, appId: api.otherAppId }, 11);
const fileId = await plant({ customerId, appId: api.appId }, 10);
const everywhere = await holders();

test('access: the owner for their own customer, an admin for any; for all others it does not exist', async () => {
  for (const who of ['member', 'viewer', 'reviewer', 'operator', 'other'] as const)
    for (const [route, body] of [
      [`GET /privacy/${customerId}`, undefined],
      [`PUT /privacy/${customerId}`, { recordDays: 30, uploadDays: 1 }],
      [`POST /privacy/${customerId}/find`, { mobileNumber: typed }],
      [`POST /privacy/${customerId}/export`, { mobileNumber: typed }],
      [`POST /privacy/${customerId}/erase`, { mobileNumber: typed, currentPassword: defaultPassword }],
    ] as const) {
      const { status } = await api.ask(who, route, { body });
      assert.equal(status, 404, `${who} ${route}`);
    }
  assert.equal((await api.ask(null, `GET /privacy/${customerId}`)).status, 401);
  for (const who of ['owner', 'admin'] as const)
    assert.equal((await api.ask(who, `GET /privacy/${customerId}`)).body.customerName, 'Customer A');
  assert.equal((await api.ask('admin', `GET /privacy/${uuidV7()}`)).status, 404);
  const damaged = await act('owner', 'find', { mobileNumber: '9.17E+09' });
  assert.deepEqual([damaged.status, damaged.body.code], [400, 'MOBILE_NUMBER_INVALID']);
});

test('S58 retention: 180 and 30 days by default, within the limits, audited', async () => {
  const { body } = await api.ask('owner', `GET /privacy/${customerId}`);
  assert.deepEqual([body.recordDays, body.uploadDays, body.recordsBefore, body.erasures], [180, 30, null, []]);
  for (const days of [
    { recordDays: 29, uploadDays: 30 },
    { recordDays: 401, uploadDays: 30 },
    { recordDays: 180, uploadDays: 0 },
    { recordDays: 180, uploadDays: 31 },
    { recordDays: 180.5, uploadDays: 30 },
  ])
    assert.equal((await api.ask('owner', `PUT /privacy/${customerId}`, { body: days })).status, 400);
  const set = (who: Who, recordDays: number) =>
    api.ask(who, `PUT /privacy/${customerId}`, { body: { recordDays, uploadDays: 7 } });
  const both = await Promise.all([set('owner', 90), set('admin', 90)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await api.ask('owner', `GET /privacy/${customerId}`)).body.recordDays, 90);
  const log = await rowsOf(`select before, after from audit_log where action = 'setRetention' and customer_id = $1`, [
    customerId,
  ]);
  assert.equal(log.length, 2);
  assert.deepEqual(log[1]?.after, { recordDays: 90, uploadDays: 7 });
});

test('S58 all that is held about a number comes out, in json and csv, and nothing of another customer', async () => {
  const found = await act('owner', 'find');
  assert.deepEqual(found.body, {
    mobileNumber: canary,
    messageCount: 2,
    underWayCount: 0,
    optOutCount: 1,
    consentCount: 1,
    inboundCount: 1,
    fileCount: 1,
    exemptionCount: 1,
    groupCount: 0,
    clickCount: 0,
  });
  const { body } = await act('admin', 'export');
  assert.deepEqual(
    [body.messages.length, body.optOuts.length, body.consents.length, body.inbound.length],
    [2, 1, 1, 1],
  );
  assert.ok(body.messages.every((each: { fullMessage: string }) => each.fullMessage.includes(canary)));
  assert.deepEqual(
    body.files.map((each: { fileId: string; rows: { line: number }[] }) => [
      each.fileId,
      each.rows.map(({ line }) => line),
    ]),
    [[fileId, [2, 3, 5]]],
  );
  const csv = await api.ask('owner', `POST /privacy/${customerId}/export`, {
    body: { mobileNumber: typed },
    headers: { accept: 'text/csv' },
  });
  assert.match(String(csv.headers['content-type']), /text\/csv/);
  assert.equal(csv.text.trim().split('\r\n').length, 1 + 2 + 1 + 1 + 1 + 3);
  const log = await rowsOf<{ action: string; subject_id: string; whole: string }>(
    `select action, subject_id, a::text as whole from audit_log a where subject_type = 'number' order by audit_id`,
  );
  assert.deepEqual(
    log.map((row) => [row.action, row.subject_id]),
    [
      ['find', '63******4567'],
      ['export', '63******4567'],
      ['export', '63******4567'],
    ],
  );
  assert.ok(log.every((row) => !row.whole.includes(canary.slice(2))));
});

test('erasing asks for the password', async () => {
  const wrong = await act('owner', 'erase', { currentPassword: 'not-mine' });
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'REAUTHENTICATE']);
  assert.equal((await act('owner', 'find')).body.messageCount, 2);
});

test('S58 an erased number is in no table of the database any more; what is counted, charged and refused stays', async () => {
  const tables = [
    'message',
    'in_doubt',
    'receipt_inbox',
    'opt_out',
    'consent',
    'consent_evidence',
    'inbound',
    'inbound_part',
    'callback_attempt',
    'threshold',
    'file',
    'file_block',
    'file_chunk',
    'file_reject',
  ];
  assert.deepEqual(
    tables.filter((name) => !everywhere.includes(name)),
    [],
  );
  const sum = `select count(*)::int as n, sum(pkg_total)::int as s from message where customer_id = $1`;
  const before = await rowsOf(sum, [customerId]);
  const [first, second] = await Promise.all([erase(), erase('admin')]);
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.equal(first.body.erasureId, second.body.erasureId, 'two at once are one');
  // Only those of the other customer: a request to one customer applies to that one alone.
  assert.equal((await act('owner', 'find')).body.messageCount, 0);
  assert.equal((await act('other', 'find', {}, otherCustomerId)).body.messageCount, 2);
  assert.deepEqual(await rowsOf(sum, [customerId]), before);
  const sees = await api.ask('owner', 'GET /records', { query: { limit: '50' } });
  assert.deepEqual(
    sees.body.items.map((row: { phoneAddress: string }) => row.phoneAddress),
    ['', '639180000001', ''],
  );
  const marketing = [canary, '639180000009'];
  assert.deepEqual([...(await findOptedOut(pool, customerId, marketing))], [canary]);
  await erase('other', otherCustomerId);
  assert.equal(await finishErasures({ ...jobs, offsetMs: 120_000 }, api.deps.secrets), true);
  assert.deepEqual(await holders(), []);
  const { body } = await api.ask('owner', `GET /privacy/${customerId}`);
  const [done] = body.erasures;
  assert.deepEqual(
    [done.mobileNumber, done.doneTime !== null, done.counts],
    [
      '63******4567',
      true,
      {
        messageCount: 2,
        underWayCount: 0,
        optOutCount: 1,
        consentCount: 1,
        inboundCount: 1,
        fileCount: 1,
        exemptionCount: 1,
        groupCount: 0,
        clickCount: 0,
      },
    ],
  );
  // The seal and the hash go with the end of it.
  assert.deepEqual(
    await rowsOf('select 1 from erasure where number_sealed is not null or msisdn_hash is not null'),
    [],
  );
  await assertAgrees(pool);
});

test('the neighbours in the file keep what is theirs, and such a file is not read again', async () => {
  const [block] = await rowsOf<{ bytes: Buffer }>('select bytes from file_block where file_id = $1', [fileId]);
  assert.deepEqual(
    decodeBlock(block?.bytes ?? Buffer.alloc(0)).map(({ msisdn, values }) => [msisdn, ...values]),
    [
      ['', '', '', ''],
      ['639180000001', '', 'Ana', ''],
      ['639180000002', '', 'Bo', ''],
    ],
  );
  const again = await api.ask('owner', `POST /files/${fileId}/read`, { body: { hasHeader: true, phoneColumn: 0 } });
  assert.deepEqual([again.status, again.body.code], [409, 'FILE_EXPIRED']);
});

test('a task checked before sends to the others alone, and its counts add up', async () => {
  const held = await world.addFile(3, (index) => ({
    msisdn: index === 1 ? canary : `63917000000${index}`,
    values: ['x', 'y'],
  }));
  const taskId = await world.addTask({ taskStatus: TaskStatus.Initialized, fileId: held });
  assert.equal(await checkNextTask(jobs), true);
  await pool.query(`update task set task_status = 4, confirmed_at = now() where task_id = $1`, [taskId]);
  await erase();
  while (await prepareNextTask(jobs));
  const [task] = await rowsOf('select total_count, prepared_count, opted_out_count from task where task_id = $1', [
    taskId,
  ]);
  assert.deepEqual(task, { total_count: 2, prepared_count: 2, opted_out_count: 1 });
  const later = await world.addTask({ taskStatus: TaskStatus.Initialized, fileId: held });
  assert.equal(await checkNextTask(jobs), true);
  const [fresh] = await rowsOf('select total_count, opted_out_count from task where task_id = $1', [later]);
  assert.deepEqual(fresh, { total_count: 2, opted_out_count: 1 });
  await pool.query('delete from batch where task_id = $1', [taskId]);
});

test('pending messages are sent first; the request stays open until then', async () => {
  const number = '639175550000';
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending, totalCount: 2 });
  const batchId = await world.addBatch(taskId, [
    { ...sent(number, ClientStatus.Accepted) },
    { ...sent(number, ClientStatus.Undelivered) },
  ]);
  const asked = await act('owner', 'erase', { mobileNumber: number, currentPassword: defaultPassword });
  assert.deepEqual(
    [asked.body.doneTime, asked.body.counts.messageCount, asked.body.counts.underWayCount],
    [null, 1, 1],
  );
  const look = (minutes: number) => finishErasures({ ...jobs, offsetMs: minutes * 60_000 }, api.deps.secrets);
  await look(3);
  assert.deepEqual(await rowsOf('select msisdn from message where message_id = $1', [String(batchId)]), [
    { msisdn: number },
  ]);
  await pool.query('update message set send_status = 2, client_status = 7 where message_id = $1', [String(batchId)]);
  await look(6);
  assert.deepEqual(await holders('9175550000'), []);
  const { body } = await api.ask('owner', `GET /privacy/${customerId}`);
  const ended = body.erasures.find((each: { erasureId: string }) => each.erasureId === asked.body.erasureId);
  assert.deepEqual([ended.counts.messageCount, ended.counts.underWayCount], [2, 0]);
  assert.ok(ended.doneTime);
});

test('what a sender loads knows an erased refusal, and a process without the key fails rather than sends', async () => {
  const client = await pool.connect();
  const batchId = await buildBatch(client, {
    customerId,
    appId: api.appId,
    smsType: 3,
    clientSid: 'SHOP',
    supplierId: world.carriers.suppliers.Globe,
    routeId: world.carriers.routes.Globe,
    at: new Date(Date.now() - 60_000),
    writer: 77,
    messages: [{ ...sent(canary, ClientStatus.Accepted) }, { ...sent('639180000001', ClientStatus.Accepted) }],
  });
  client.release();
  const batch = { customerId, batchId, messageCount: 2, checkOptOut: true };
  const load = () => withTransaction(pool, (tx) => loadWaitingMessages(tx, [batch]));
  assert.deepEqual(
    (await load()).flat().map(({ optedOut }) => optedOut),
    [true, false],
  );
  useNumberHash(() => {
    throw new Error('no key');
  });
  await assert.rejects(load(), /no key/);
  useNumberHash(api.deps.secrets.hashNumber);
});
