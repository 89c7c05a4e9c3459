/** Archived messages are read, counted, verified, erased and deleted as they were as rows. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus, SendStatus, TaskStatus } from '@pahatid/contract/enums';
import { compileSql, inScope, uuidV7, withTransaction } from '@pahatid/db';
import { buildBatches, buildTask, buildTemplate, type MessageSpec } from '@pahatid/db/builders';
import { archiveBlock } from '@pahatid/db/queries/archive-packing';
import { messagesOfBlock } from '@pahatid/db/queries/message-archive';
import { countNumber, eraseMessages, listNumberMessages } from '@pahatid/db/queries/numbers';
import { findRecord, listRecords, type RecordFilter } from '@pahatid/db/queries/records';
import { addMissingRetention } from '@pahatid/db/queries/retention';
import { listSendDetails } from '@pahatid/db/queries/task-details';
import { countOutcomes } from '@pahatid/db/queries/task-figures';
import { listOutcome } from '@pahatid/db/queries/task-outcomes';
import { until } from '@pahatid/testkit';
import { makeArchiver } from '../features/archive/archive-messages.ts';
import { deleteExpired } from '../features/privacy/delete-expired.ts';
import { deleteFoldedMinutes, foldEndedHours } from '../features/statistics/fold-hours.ts';
import { makeTaskWorld } from '../http/testing/task-world.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { findDifferences } from '../verify/find-differences.ts';
import { options } from '../verify/testing/agrees.ts';
import { dropPartitions } from './housekeeping.ts';

const api = await makeTestApi({ features: [] });
const { pool } = api.db;
const { customerId, otherCustomerId } = api;
const world = await makeTaskWorld(pool, customerId, api.appId);
const context = await world.jobs();
const dayMs = 86_400_000;
const noon = (daysAgo: number): number => Math.floor(Date.now() / dayMs - daysAgo) * dayMs + dayMs / 2;
const number = '639170000001';
let taskId: string;
let templateId: string;

const message = (n: number, more: Partial<MessageSpec> = {}): MessageSpec => ({
  msisdn: `63917000000${n}`,
  content: `Hello “${n}”, \\ {"a": 1}, ☎ ok`,
  carrier: 'Globe',
  clientStatus: ClientStatus.Delivered,
  dealResult: 'DELIVRD',
  receiptAfterMs: 900,
  ...more,
});
const messages = [
  message(1),
  message(2, { clientStatus: ClientStatus.Undelivered, carrierCode: '038' }),
  message(3, { carrier: null, clientStatus: ClientStatus.Rejected }),
  message(4, { carrier: 'Smart', clientStatus: ClientStatus.Unknown, pkgTotal: 3 }),
];

/** 60 to 55 days ago a batch of software, one of a task and one of the other customer each day; a batch of yesterday. */
const build = async (): Promise<void> => {
  const { suppliers, routes } = world.carriers;
  const base = { smsType: 2 as const, clientSid: 'SHOP', supplierId: suppliers.Globe, routeId: routes.Globe };
  const mine = { ...base, customerId, appId: api.appId };
  const theirs = { ...base, customerId: otherCustomerId, appId: api.otherAppId, clientSid: 'Their' };
  for (const daysAgo of [60, 59, 58, 57, 56, 55, 1]) {
    const at = noon(daysAgo);
    await withTransaction(pool, (tx) =>
      buildBatches(tx, [
        { ...mine, at: new Date(at), templateId, messages },
        { ...mine, at: new Date(at + 60_000), taskId, messages: messages.slice(0, 3) },
        { ...theirs, at: new Date(at + 120_000), messages },
      ]),
    );
  }
};

const verify = async (all = false): Promise<void> => {
  const { differences } = await findDifferences(pool, { ...options, all });
  assert.deepEqual(differences, []);
};
const count = async (text: string, values: unknown[] = []): Promise<number> =>
  (await pool.query<{ n: number }>(`select (${text})::int as n`, values)).rows[0]!.n;
const archive = async (): Promise<void> => {
  const step = makeArchiver(context, 35);
  while (await step());
};
const rows = 'select count(*) from message';
const archived = 'select coalesce(sum(row_count), 0) from message_archive';

before(async () => {
  const kind = { customerId, appId: api.appId, smsType: 2 as const };
  templateId = await buildTemplate(pool, { customerId, appId: api.appId, templateName: 'The template' });
  taskId = await buildTask(pool, { ...kind, templateId, taskStatus: TaskStatus.Completed });
  await build();
  await foldEndedHours(context);
  await deleteFoldedMinutes(context);
});

/** Every list of records to its end, page by page, and all else that reads messages. */
const readAll = async () => {
  const filters: RecordFilter[] = [
    {},
    { msisdnPrefix: number },
    { msisdnPrefix: '639170000' },
    { msisdnPrefix: '6391', msisdnSuffix: '0002' },
    { sendStatus: [SendStatus.Failed] },
    { clientStatus: [ClientStatus.Unknown], carrier: 'Smart' },
    { carrier: '' },
    { clientSid: 'shop', areaCode: 'PH', smsType: [2] },
    { taskId },
    { templateId },
    { templateId, msisdnPrefix: number },
    { customerId: otherCustomerId },
    { appId: api.otherAppId },
    { carrier: 'Dito' },
  ];
  const lists = [];
  for (const filter of filters) lists.push(await readPages([customerId], filter));
  for (const filter of filters.slice(0, 3)) lists.push(await readPages([customerId, otherCustomerId], filter));
  for (const filter of filters.slice(3, 6)) lists.push(await readPages(null, filter));
  const ids = lists[0]!.map((row) => row.messageId);
  const records = [];
  for (const id of ids.slice(0, 5)) records.push(await findRecord(pool, [customerId], id));
  records.push(await findRecord(pool, [otherCustomerId], ids.at(-1)!), await findRecord(pool, null, ids.at(-1)!));
  const details = [];
  for (let after: string | null = null; ; ) {
    const page = await listSendDetails(pool, { customerId, taskId, after, limit: 5 });
    details.push(...page.rows);
    after = page.next;
    if (after === null) break;
  }
  const toNumber = { customerId, msisdn: number, after: '0', limit: 100 };
  const of = { customerId, taskId, outcomes: ['delivered', 'refused'] as const, after: '0', batches: 3 };
  return {
    lists,
    records,
    details,
    failed: await listSendDetails(pool, {
      customerId,
      taskId,
      after: null,
      limit: 50,
      sendStatus: [SendStatus.Failed],
    }),
    outcomes: sumOf(await countOutcomes(pool, customerId, taskId)),
    recipients: await listOutcome(pool, of),
    counts: await countNumber(pool, customerId, number),
    numberMessages: await listNumberMessages(pool, toNumber),
  };
};

const readPages = async (readers: readonly string[] | null, filter: RecordFilter) => {
  const found = [];
  let before: string | null = null;
  do {
    const range = { fromMs: 0, toMs: Date.now() + dayMs, before, limit: 11 };
    const page = await listRecords(pool, readers, filter, range);
    found.push(...page.rows);
    before = page.next;
  } while (before !== null);
  return found;
};

/** Rows and blocks are counted separately. */
const sumOf = (outcomes: readonly { count: number }[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { count: n, ...key } of outcomes) {
    const name = JSON.stringify(key);
    sums[name] = (sums[name] ?? 0) + n;
  }
  return sums;
};

test('sealed days move once no receipt can come, and everything reads and counts as before', async () => {
  await archive();
  assert.equal(await count(archived), 0, 'nothing is sealed');
  await verify();
  await archive();
  assert.equal(await count(archived), 0, 'routes of receipts are still there');
  await dropPartitions(context);
  const before = await readAll();
  const all = await count(rows);

  // A task that may still repeat failed messages keeps the days of its messages.
  await pool.query('update task set task_status = 5 where task_id = $1', [taskId]);
  await archive();
  assert.equal(await count(`${archived} where customer_id = $1`, [customerId]), 0);
  assert.deepEqual(await readAll(), before);
  await pool.query('update task set task_status = 6 where task_id = $1', [taskId]);

  // While two processes move them, each message is read once.
  const moving = Promise.all([archive(), archive()]);
  const ended = moving.then(() => true);
  let reads = 0;
  do {
    assert.deepEqual(await readPages([customerId], {}), before.lists[0]);
    assert.deepEqual(
      (await listSendDetails(pool, { customerId, taskId, after: null, limit: 50 })).rows,
      before.details,
    );
    reads++;
  } while (!(await Promise.race([ended, Promise.resolve(false)])));
  await moving;
  assert.ok(reads > 0);
  assert.equal(await count(rows), 11);
  assert.equal(await count(archived), all - 11);
  assert.deepEqual(await readAll(), before);
  await verify();
  await verify(true);
  const weeks = `select count(*) from partition_bounds('message') where high <= id_floor(now() - interval '54 days') and low >= id_floor(now() - interval '70 days')`;
  await until(
    async () => {
      await archive();
      return (await count(weeks)) === 0;
    },
    { what: 'emptied weeks dropped' },
  );
});

test('on behalf of a customer, its own archived messages are read alone', async () => {
  const range = { fromMs: 0, toMs: Date.now() + dayMs, before: null, limit: 100 };
  const read = (of: string, readers: string[]) =>
    inScope(pool, { customerId: of }, (tx) => listRecords(tx, readers, { msisdnPrefix: number }, range));
  assert.equal((await read(customerId, [customerId])).rows.length, 14);
  assert.equal((await read(customerId, [otherCustomerId])).rows.length, 0);
});

test('what differs in a block is found by verify', async () => {
  const change = (text: string) =>
    pool.query(
      `update message_archive set ${text} where first_id = (select min(first_id) from message_archive where customer_id = $1)`,
      [customerId],
    );
  await change(`kinds = replace(kinds::text, '"pkg_total": 3', '"pkg_total": 2')::jsonb`);
  const { differences } = await findDifferences(pool, { ...options, all: true });
  assert.notEqual(differences.length, 0);
  await change(`kinds = replace(kinds::text, '"pkg_total": 2', '"pkg_total": 3')::jsonb`);
  await verify(true);
});

test('S58 a number is erased from its blocks and their filters', async () => {
  const { rows: blocks } = await pool.query('select count(*)::int as n from message_archive where $1 = any(msisdns)', [
    number,
  ]);
  const ids = await withTransaction(pool, (tx) => eraseMessages(tx, customerId, number));
  assert.equal(ids.length, 14);
  const counts = await countNumber(pool, customerId, number);
  assert.deepEqual([counts.messageCount, counts.underWayCount], [0, 0]);
  const record = await findRecord(pool, [customerId], ids[5]!);
  assert.deepEqual([record?.msisdn, record?.content], ['', '']);
  const { rows: left } = await pool.query(
    `select count(*)::int as n from message_archive a, archive_hashes($1) h
     where customer_id = $2 and (archive_may_hold(numbers, h1, h2) or a::text like '%' || $1 || '%')`,
    [number, customerId],
  );
  assert.deepEqual(left, [{ n: 0 }]);
  assert.equal(blocks[0]!.n, 12, 'those of the other customer had it too');
  assert.equal((await readPages([otherCustomerId], { msisdnPrefix: number })).length, 7);
  await verify(true);
});

test('blocks go when their time is over, and what refers to their messages goes with them', async () => {
  await pool.query('update retention set record_days = 58 where customer_id = $1', [customerId]);
  await addMissingRetention(pool);
  await pool.query(`update retention set record_days = 58, due_at = '-infinity' where customer_id = $1`, [customerId]);
  while ((await deleteExpired(context)) !== null);
  const left = await readPages([customerId], {});
  const oldest = Math.min(...left.map((row) => row.submittedAt?.getTime() ?? Number.POSITIVE_INFINITY));
  assert.ok(oldest >= noon(58) && oldest < noon(56), new Date(oldest).toISOString());
  assert.equal((await readPages([otherCustomerId], {})).length, 28);
  await verify(true);
});

test('each column of a message comes back exactly, and a message that may change stays', async () => {
  const owner = uuidV7();
  const [low, high] = [100n, 100n + 1_000n];
  const insert = async (id: bigint, values: Record<string, unknown> = {}): Promise<void> => {
    const row = {
      customer_id: owner,
      message_id: String(id),
      app_id: 'app',
      sms_type: 1,
      msisdn: '639170000001',
      area_code: 'PH',
      client_sid: 'X',
      content: 'text',
      pkg_total: 1,
      charge_type: 'SenderPays',
      price: 0,
      route_id: uuidV7(),
      supplier_id: uuidV7(),
      send_status: 3,
      client_status: 2,
      ...values,
    };
    const names = Object.keys(row);
    await pool.query(
      `insert into message (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
  };
  const odd = {
    task_id: uuidV7(),
    range_holder: '',
    carrier: 'DITO',
    content: '',
    retry_of: '99',
    superseded: true,
    send_status: 2,
    client_status: 5,
    deal_result: 'REFUSED',
    carrier_code: '0x00000058',
    submitted_at: '2024-12-31 00:00:00.000001+00',
    answered_at: '2025-02-01 00:00:00.123456+00',
    report_at: '2024-12-31 23:59:59.999999+00',
    parts_delivered: 255,
    template_id: uuidV7(),
    smpp: '1 5 0 1 1 2 0 Shop',
    price: 2_147_483_647,
  };
  await insert(100n, odd);
  await insert(101n, { msisdn: '' });
  await insert(102n, { report_at: '2025-01-01 00:00:00.000002+00' });
  await insert(103n, { answered_at: '2025-01-01 00:00:00.5+00', msisdn: '1' });
  await insert(104n, {
    submitted_at: '2025-03-01 00:00:00+00',
    content: 'x\u001e\n"\\,{}NULL',
    msisdn: '999999999999999',
  });
  const text = 'select to_jsonb(m) as row from';
  const { rows: before } = await pool.query(`${text} message m where customer_id = $1 order by message_id`, [owner]);
  const { rows: columns } = await pool.query(
    `select count(*)::int as n from pg_attribute where attrelid = 'message'::regclass and attnum > 0 and not attisdropped`,
  );
  assert.equal(
    Object.values(before[0]!.row).filter((value) => value !== null).length,
    columns[0]!.n,
    'all columns are tried',
  );
  const move = (limit?: number) => withTransaction(pool, (tx) => archiveBlock(tx, owner, { low, high }, limit));
  assert.deepEqual([await move(2), await move(2), await move(), await move()], [2, 2, 1, 0]);
  const { rows: after } = await pool.query(
    `${text} message_archive a cross join lateral ${compileSql(messagesOfBlock).text} m where a.customer_id = $1 order by m.message_id`,
    [owner],
  );
  assert.deepEqual(after, before);
  assert.equal(await count(`${rows} where customer_id = $1`, [owner]), 0);

  await insert(105n, { send_status: 1, client_status: 0 });
  assert.equal(await move(), 0);
  await pool.query('update message set send_status = 3, client_status = 6, msisdn = $2 where customer_id = $1', [
    owner,
    '+63',
  ]);
  await assert.rejects(move(), /differ from their block/);
  assert.equal(await count(`${rows} where customer_id = $1`, [owner]), 1);
  assert.equal(await count(`select count(*) from message_archive where customer_id = $1`, [owner]), 3);
});
