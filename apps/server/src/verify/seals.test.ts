/**
 * Sealed days: skipped while nothing about them changes, compared again as soon as anything does, by any writer. The
 * days are old ones with their statistics folded; each test leaves them as they were.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus, SmsType, TaskStatus } from '@pahatid/contract/enums';
import { messageIdAt, uuidV7, withTransaction } from '@pahatid/db';
import { type BatchSpec, buildBatches, buildTask } from '@pahatid/db/builders';
import { findFoldEnd, foldHours } from '@pahatid/db/queries/hour-folding';
import { addMissingRetention, deleteOldMessages } from '@pahatid/db/queries/retention';
import { testDatabase } from '@pahatid/testkit';
import { ReceiptSweeper } from '../sending/receipts/sweep-receipts.ts';
import { Scene } from '../sending/testing/scene.ts';
import type { Check, Findings } from './difference.ts';
import { findDifferences, type VerifyOptions } from './find-differences.ts';
import { repairDifferences } from './repair.ts';
import { options } from './testing/agrees.ts';

const db = await testDatabase();
const { pool } = db;
const dayMs = 86_400_000;
const DAYS = 4;
const EACH = 12;
let scene: Scene;
let taskId: string;
let batch: Pick<BatchSpec, 'customerId' | 'appId' | 'supplierId' | 'routeId' | 'smsType' | 'clientSid'>;

const statuses = [
  ...[ClientStatus.Delivered, ClientStatus.Delivered, ClientStatus.Undelivered],
  ...[ClientStatus.Rejected, ClientStatus.Unknown, ClientStatus.Delivered],
];
const atDay = (ago: number): Date => new Date(Math.floor(Date.now() / dayMs - ago) * dayMs + dayMs / 2);
const firstId = (ago: number): bigint => messageIdAt(atDay(ago).getTime(), 255);
const [newest, oldest] = [10, 10 + DAYS - 1];

/** A day of messages, half of a task and half of software with a template. */
const addDay = async (ago: number): Promise<void> => {
  const messages = Array.from({ length: EACH }, (_, n) => ({
    msisdn: `63917${String(n).padStart(7, '0')}`,
    content: 'Hello',
    carrier: 'Globe',
    clientStatus: statuses[n % statuses.length] ?? ClientStatus.Delivered,
    receiptAfterMs: 900,
  }));
  const software = { writer: 254, templateId: '01900000-0000-7000-8000-000000000001' };
  await withTransaction(pool, (tx) =>
    buildBatches(tx, [
      { ...batch, at: atDay(ago), taskId, messages },
      { ...batch, at: atDay(ago), ...software, messages },
    ]),
  );
};

const fold = async (): Promise<void> => {
  const end = await findFoldEnd(pool, 0);
  await withTransaction(pool, (tx) => foldHours(tx, scene.customerId, end, 5_000));
};

before(async () => {
  scene = await Scene.build({ pool });
  db.beforeClose(() => scene.close());
  const { rows } = await pool.query<{ supplierId: string; routeId: string; templateId: string }>(
    `select supplier_id as "supplierId", route_id as "routeId", (select template_id from task limit 1) as "templateId"
     from route join supplier using (supplier_id) where supplier_account = 'globe-1' limit 1`,
  );
  const { supplierId = '', routeId = '', templateId = '' } = rows[0] ?? {};
  const { customerId, appId } = scene;
  const sms = { smsType: SmsType.Notification, clientSid: 'PAHATID' } as const;
  batch = { customerId, appId, supplierId, routeId, ...sms };
  taskId = await buildTask(pool, { customerId, appId, templateId, smsType: 2, taskStatus: TaskStatus.Completed });
  for (let ago = oldest; ago >= newest; ago--) await addDay(ago);
});

const verify = (more: Partial<VerifyOptions> = {}): Promise<Findings> => findDifferences(pool, { ...options, ...more });
const days = async (more: Partial<VerifyOptions> = {}) => {
  const { differences, days } = await verify(more);
  assert.deepEqual(differences, []);
  return days;
};
const skipped = { sealed: 0, open: 0, skipped: DAYS };

test('a day is not sealed before its statistics are complete; then it is, and the next run skips it', async () => {
  assert.deepEqual(await days(), { sealed: 0, open: DAYS, skipped: 0 });
  await fold();
  const first = await verify();
  assert.deepEqual([first.days, first.looked.messages], [{ sealed: DAYS, open: 0, skipped: 0 }, DAYS * EACH * 2]);
  const next = await verify();
  assert.deepEqual([next.days, next.looked.messages, next.looked.routes], [skipped, 0, 0]);
});

test('all of them are compared again when asked for', async () => {
  const { days, looked } = await verify({ all: true });
  assert.deepEqual([days, looked.messages], [{ sealed: DAYS, open: 0, skipped: 0 }, DAYS * EACH * 2]);
  assert.ok(looked.routes > 0);
  assert.deepEqual(await verify().then((findings) => findings.days), skipped);
});

test('a run that is interrupted is continued', async () => {
  await pool.query('delete from verify_seal');
  let stretches = 0;
  const onProgress = () => {
    stretches += 1;
    if (stretches === 4) throw new Error('killed');
  };
  await assert.rejects(verify({ onProgress, sealMessages: EACH * 2 }), /killed/);
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from verify_seal');
  const sealed = rows[0]?.n ?? 0;
  assert.ok(sealed > 0 && sealed < DAYS, `${sealed} days were sealed`);
  assert.deepEqual(await days(), { sealed: DAYS - sealed, open: 0, skipped: sealed });
});

const open: { readonly name: string; readonly make: string; readonly undo: string }[] = [
  {
    name: 'a batch waits for receipts',
    make: `update batch set receipts_closed = false where batch_id = ${firstId(newest)}`,
    undo: `update batch set receipts_closed = true where batch_id = ${firstId(newest)}`,
  },
  {
    name: 'a message is in doubt',
    make: `insert into in_doubt (customer_id, message_id, supplier_id, msisdn, since)
           select customer_id, message_id, supplier_id, msisdn, now() from message where message_id = ${firstId(newest)}`,
    undo: 'delete from in_doubt',
  },
];

for (const { name, make, undo } of open)
  test(`a day is not sealed while ${name}`, async () => {
    await pool.query(make);
    await pool.query('delete from verify_seal');
    const { days: counts } = await verify();
    assert.deepEqual(counts, { sealed: DAYS - 1, open: 1, skipped: 0 });
    await pool.query(undo);
    assert.deepEqual(await days(), { sealed: 1, open: 0, skipped: DAYS - 1 });
  });

/** Each is found as if nothing were sealed; `undo` swaps a sign or puts back what was taken. */
const changes: { readonly name: string; readonly spoil: string; readonly undo: string }[] = [
  ...['success_count', 'failed_count', 'message_count'].map((column) => ({
    name: `${column} of a batch`,
    spoil: `update batch set ${column} = ${column} - 1 where batch_id = ${firstId(newest)}`,
    undo: `update batch set ${column} = ${column} + 1 where batch_id = ${firstId(newest)}`,
  })),
  {
    name: 'a batch that is open again',
    spoil: `update batch set state = 0 where batch_id = ${firstId(newest)}`,
    undo: `update batch set state = 2 where batch_id = ${firstId(newest)}`,
  },
  {
    name: 'a batch that is gone',
    spoil: `with gone as (delete from batch where batch_id = ${firstId(newest)} returning *)
            insert into prohibited_term (term_id, term, lang, category, level) select gen_random_uuid(), to_json(gone)::text, 'xx', 'kept', 'flag' from gone`,
    undo: `with back as (delete from prohibited_term where category = 'kept' returning term)
           insert into batch select b.* from back, json_populate_record(null::batch, term::json) b`,
  },
  {
    name: 'an hour of the statistics',
    spoil: 'update report_hour set segments = segments + 1',
    undo: 'update report_hour set segments = segments - 1',
  },
  {
    name: 'a minute of the statistics that no hour has yet',
    spoil: `insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer, req_total)
            select customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, 7, 5 from report_minute limit 1`,
    undo: 'delete from report_minute where writer = 7',
  },
  {
    name: 'a counter of a template',
    spoil: 'update template_day set delivered_count = delivered_count + 1',
    undo: 'update template_day set delivered_count = delivered_count - 1',
  },
  {
    name: 'a counter of a task',
    spoil: 'update task_progress set delivered_count = delivered_count + 1',
    undo: 'update task_progress set delivered_count = delivered_count - 1',
  },
  {
    name: 'charges of a batch',
    spoil: `update ledger set amount = amount - 3500 where batch_id = ${firstId(oldest)}`,
    undo: `update ledger set amount = amount + 3500 where batch_id = ${firstId(oldest)}`,
  },
  {
    name: 'charges of two batches that changed places',
    spoil: `update ledger set batch_id = case batch_id when ${firstId(oldest)} then ${firstId(oldest - 1)}::bigint else ${firstId(oldest)} end,
              amount = case batch_id when ${firstId(oldest)} then amount + 7 else amount - 7 end
            where batch_id in (${firstId(oldest)}, ${firstId(oldest - 1)})`,
    undo: `update ledger set batch_id = case batch_id when ${firstId(oldest)} then ${firstId(oldest - 1)}::bigint else ${firstId(oldest)} end,
             amount = case batch_id when ${firstId(oldest)} then amount + 7 else amount - 7 end
           where batch_id in (${firstId(oldest)}, ${firstId(oldest - 1)})`,
  },
  {
    name: 'money held for receipts',
    spoil: 'update balance set held = held + 7',
    undo: 'update balance set held = held - 7',
  },
  {
    name: 'messages of a day that has no batch',
    spoil: `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total, charge_type, price, route_id, supplier_id)
            select customer_id, ${firstId(oldest + 3)}, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total, charge_type, price, route_id, supplier_id
            from message where message_id = ${firstId(newest)}`,
    undo: `delete from message where message_id = ${firstId(oldest + 3)}`,
  },
];

for (const { name, spoil, undo } of changes)
  test(`found though its day is sealed: ${name}`, async () => {
    assert.deepEqual(await days(), skipped);
    const { rowCount } = await pool.query(spoil);
    assert.ok((rowCount ?? 0) > 0, 'nothing was spoilt');
    const { totals } = await verify();
    assert.ok(totals.size > 0);
    // What is compared again is sealed again where it agrees.
    const whole = await verify({ all: true });
    assert.deepEqual(totals, whole.totals);
    await pool.query(undo);
    await days();
  });

test('a repair of a sealed day leaves nothing, and the day is sealed again', async () => {
  await pool.query(`update batch set success_count = success_count - 1 where batch_id = ${firstId(newest)}`);
  await pool.query('update template_day set delivered_count = delivered_count + 1');
  await pool.query('update report_hour set charged = charged + 1');
  const { findings, repaired } = await repairDifferences(pool, options);
  assert.deepEqual(findings.differences, []);
  assert.ok(repaired.length >= 3);
  assert.deepEqual(await days(), skipped);
});

test('a receipt that comes weeks late opens its day until its statistics are complete', async () => {
  const id = firstId(newest) + 4n;
  await pool.query(
    `insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final, report_at, received_at)
     select supplier_id, $2, message_id || '-1', msisdn, client_sid, 2, true, now(), now() from message where message_id = $1`,
    [String(id), uuidV7()],
  );
  await new ReceiptSweeper(pool, scene.writer).sweep();
  const { rows } = await pool.query('select client_status as status from message where message_id = $1', [String(id)]);
  assert.equal(rows[0]?.status, ClientStatus.Delivered);
  assert.deepEqual(await days(), { sealed: 0, open: 1, skipped: DAYS - 1 });
  await fold();
  assert.deepEqual(await days(), { sealed: 1, open: 0, skipped: DAYS - 1 });
});

test('messages of a sealed day that are repeated today are compared, and sealed as they are now', async () => {
  const id = firstId(newest) + 3n;
  const [again] = scene.recipients(1);
  await pool.query('update task set retry_count = 1 where task_id = $1', [taskId]);
  await scene.accept([{ ...again!, retryOf: id }], { round: 1, taskId });
  await pool.query('update task set task_status = 5 where task_id = $1', [taskId]);
  const { differences, days: counts } = await verify();
  assert.deepEqual(differences, []);
  assert.deepEqual(counts, { sealed: 0, open: DAYS + 1, skipped: 0 });
  assert.deepEqual(await days(), { sealed: DAYS, open: 1, skipped: 0 });
  assert.deepEqual(await days(), { sealed: 0, open: 1, skipped: DAYS });
});

/** Nothing that is counted shows these; `change` undoes itself. */
const rows: { readonly name: string; readonly change: string; readonly check: Check }[] = [
  {
    name: 'outcomes that changed places',
    change: `update message set client_status = 5 - client_status where message_id in (${firstId(newest)}, ${firstId(newest) + 2n})`,
    check: 'seal',
  },
  {
    name: 'a message marked as repeated that nothing repeats',
    change: `update message set superseded = not superseded where message_id = ${firstId(newest)}`,
    check: 'retry',
  },
];

for (const { name, change, check } of rows)
  test(`found when all is compared again: ${name}`, async () => {
    await pool.query(change);
    await days();
    const { totals } = await verify({ all: true });
    assert.ok(totals.has(check));
    await pool.query(change);
    await verify({ all: true });
    await days();
  });

test('an erasure changes nothing that is sealed; retention takes the seals with the messages', async () => {
  await pool.query(`update message set msisdn = '', content = '' where msisdn = '639170000001'`);
  await days({ all: true });
  await addMissingRetention(pool);
  while ((await withTransaction(pool, (tx) => deleteOldMessages(tx, scene.customerId, atDay(newest), 5))) > 0)
    await days();
  const { skipped: left } = await days();
  assert.equal(left, 0);
  const { rows } = await pool.query(`select count(*)::int as n from verify_seal where customer_id = $1`, [
    scene.customerId,
  ]);
  assert.equal(rows[0]?.n, 0);
});
