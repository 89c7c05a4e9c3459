/**
 * One send with a bit of everything (refusals, failures, a retry, messages in doubt, receipts before their responses, a
 * batch still waiting), and then each stored value is corrupted separately: verify reports it, and only it; the repair
 * fixes and records it, and then everything matches again.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { uuidV7 } from '@pahatid/db';
import { buildFile } from '@pahatid/db/builders';
import { testDatabase, until } from '@pahatid/testkit';
import { encodeBlock } from '../files/blocks.ts';
import { Scene } from '../sending/testing/scene.ts';
import type { Check } from './difference.ts';
import { findDifferences } from './find-differences.ts';
import { repairDifferences } from './repair.ts';
import { assertAgrees, options } from './testing/agrees.ts';

const db = await testDatabase();
const { pool } = db;
let scene: Scene;
const TOTAL = 600;
const one = async (text: string, values: unknown[] = []): Promise<Record<string, string>> =>
  (await pool.query<Record<string, string>>(text, values)).rows[0]!;

before(async () => {
  scene = await Scene.build({
    pool,
    windowSize: 20,
    carriers: { outcomes: { delivered: 0.7, undeliv: 0.1, expired: 0.05, refused: 0.15 } },
  });
  db.beforeClose(() => scene.close());
  const recipients = scene.recipients(TOTAL);
  const fileId = await buildFile(pool, {
    customerId: scene.customerId,
    columns: ['phone'],
    rows: recipients.map(({ msisdn }) => ({ msisdn, values: [] })),
    encodeBlock,
  });
  await pool.query(
    `update task set file_id = $2, file_generation = 1, total_count = $3, prepared_count = $3, prepared = true where task_id = $1`,
    [scene.taskId, fileId, TOTAL],
  );
  await scene.accept(recipients);
  await pool.query(`update supplier set profile = profile || '{"responseTimeoutMs": 1000}'`);
  scene.setFaults({ earlyReceipt: 0.2, duplicateReceipt: 0.1, lostResponse: 0.01, disconnect: 0.004 });
  const sending = await scene.startSender();
  await untilQuiet();
  // The failed ones once more, in a separate round.
  const { rows } = await pool.query<{ message_id: string; msisdn: string; content: string; pkg_total: number }>(
    'select message_id, msisdn, content, pkg_total from message where send_status = 2 order by message_id',
  );
  assert.ok(rows.length > 10);
  await pool.query('update task set retry_count = 1');
  await scene.accept(
    rows.map((row) => ({
      msisdn: row.msisdn,
      areaCode: 'PH',
      content: row.content,
      pkgTotal: row.pkg_total,
      retryOf: BigInt(row.message_id),
    })),
    { round: 1 },
  );
  await untilQuiet();
  // For some the carriers send no response; the last is not sent until the year 3000.
  await pool.query('update task set total_count = total_count + 50, prepared_count = prepared_count + 50');
  await pool.query('update file set valid_count = valid_count + 50');
  await pool.query('update file_block set row_count = row_count + 50');
  scene.setFaults({ lostResponse: 1, lostReceipt: 1, disconnect: 0, earlyReceipt: 0 });
  await scene.accept(scene.recipients(10, TOTAL));
  await untilQuiet();
  scene.setFaults({ lostResponse: 0, lostReceipt: 0 });
  const later = { notBefore: new Date('3000-01-01') };
  await scene.accept(scene.recipients(3, TOTAL + 100), { ...later, taskId: null });
  await scene.accept(scene.recipients(40, TOTAL + 10), later);
  // It would repair some of the corruption before the check.
  await sending.stop();
});

/** Until every message has its outcome, or is in doubt and stays so. */
const untilQuiet = (): Promise<void> => untilQuietBut(0);

/** `waiting`: number of messages that must keep waiting. */
async function untilQuietBut(waiting: number): Promise<void> {
  let last = '';
  let same = 0;
  await until(
    async () => {
      const states = await scene.states();
      const now = JSON.stringify(Object.entries(states).sort());
      same = now === last ? same + 1 : 0;
      last = now;
      return (states['0/0'] ?? 0) === waiting && same > 10;
    },
    { everyMs: 100 },
  ).catch((error: unknown) => {
    throw new Error(last, { cause: error });
  });
}

test('what was sent agrees, and has something of everything', async () => {
  await assertAgrees(pool);
  const row = await one(
    `select count(*) filter (where send_status = 2) as failed, count(*) filter (where send_status = 1) as doubtful, count(*) filter (where superseded) as superseded,
       count(*) filter (where client_status = 2) as delivered from message`,
  );
  const inbox = await one('select count(*) as early from receipt_inbox where matched_at is not null');
  for (const [name, n] of Object.entries({ ...row, ...inbox })) assert.ok(Number(n) > 0, name);
});

interface Case {
  readonly name: string;
  /** Checks that report it; others must not. */
  readonly checks: readonly Check[];
  readonly spoil: string;
  /** Expected output of verify for the place. */
  readonly says?: RegExp;
}

const firstBatch = '(select min(batch_id) from batch)';
const lastBatch = '(select max(batch_id) from batch)';
const firstOf = (where: string): string => `(select min(message_id) from message where ${where})`;

const repairable: Case[] = [
  {
    name: 'a batch that says it has fewer messages than it has',
    checks: ['batchRange', 'batchCounts', 'charge'],
    spoil: `update batch set message_count = message_count - 3, intent_mark = least(intent_mark, message_count - 3) where batch_id = ${firstBatch}`,
  },
  {
    name: 'a batch that says it has more messages than it has',
    checks: ['batchRange'],
    spoil: `update batch set message_count = message_count + 3 where batch_id = ${lastBatch}`,
  },
  {
    name: 'a batch that says it is done while its messages wait',
    checks: ['batchState'],
    spoil: `update batch set state = 2, done_at = now() where batch_id = ${lastBatch}`,
  },
  {
    name: 'a batch that says it is ready while nothing of it waits',
    checks: ['batchState'],
    spoil: `update batch set state = 0, done_at = null where batch_id = ${firstBatch}`,
  },
  {
    name: 'a claimed batch that nobody holds',
    checks: ['batchState'],
    spoil: `update batch set state = 1 where batch_id = ${lastBatch}`,
  },
  {
    name: 'an intent mark below what the carrier has',
    checks: ['batchIntent'],
    spoil: `update batch set intent_mark = 2 where batch_id = ${firstBatch}`,
  },
  {
    name: 'results counted on a batch',
    checks: ['batchCounts'],
    spoil: `update batch set success_count = success_count + 5, failed_count = failed_count - 2 where batch_id = ${firstBatch}`,
    says: /^batch \d+$/,
  },
  {
    name: 'a message in doubt without its entry',
    checks: ['inDoubt'],
    spoil: `delete from in_doubt where message_id = ${firstOf('send_status = 1')}`,
  },
  {
    name: 'an entry in doubt of a message that has its outcome',
    checks: ['inDoubt'],
    spoil: `insert into in_doubt (customer_id, message_id, supplier_id, task_id, msisdn, since)
            select customer_id, message_id, supplier_id, task_id, msisdn, now() from message where message_id = ${firstOf('client_status = 2')}`,
  },
  {
    name: 'an entry in doubt of a message that does not exist',
    checks: ['inDoubt'],
    spoil: `insert into in_doubt (customer_id, message_id, supplier_id, msisdn, since)
            select customer_id, batch_id - 5000, supplier_id, '639170000000', now() from batch where batch_id = ${firstBatch}`,
  },
  {
    name: 'a repeated message that is not marked so',
    checks: ['retry', 'taskCounts', 'taskTotal'],
    spoil: `update message set superseded = false where message_id = ${firstOf('superseded')}`,
  },
  {
    name: 'a message marked as repeated that nothing repeats',
    checks: ['retry', 'taskCounts', 'taskTotal'],
    spoil: `update message set superseded = true where message_id = ${firstOf('client_status = 2 and retry_of is null')}`,
  },
  {
    name: 'a counter of a task',
    checks: ['taskCounts'],
    spoil: `update task_progress set delivered_count = delivered_count + 1 where writer = (select min(writer) from task_progress)`,
  },
  {
    name: 'money counted on a task',
    checks: ['taskCounts'],
    spoil: `update task_progress set charged_cost = charged_cost - 3500, charged_segments = charged_segments - 1
            where writer = (select min(writer) from task_progress)`,
  },
  { name: 'the total of a task', checks: ['taskTotal'], spoil: 'update task set total_count = total_count + 1' },
  {
    name: 'the count of recipients written',
    checks: ['taskTotal'],
    spoil: 'update task set prepared_count = prepared_count - 7',
  },
  {
    name: 'a count of a template that no message made',
    checks: ['templateCounts'],
    spoil: `insert into template_day (customer_id, template_id, day, writer, success_count, delivered_count)
            select customer_id, gen_random_uuid(), now()::date, 3, 2, 1 from batch where batch_id = ${firstBatch}`,
    says: /^template [0-9a-f-]{36}$/,
  },
  {
    name: 'a cell of the statistics moved by two minutes',
    checks: ['rollup'],
    // If the send ran past the minute, there are cells of the next minute: some of them empty, of messages in doubt.
    spoil: `update report_minute set minute = minute + interval '2 minutes'
            where (customer_id, minute, carrier, writer) = (select customer_id, minute, carrier, writer from report_minute
              order by req_success desc limit 1)`,
    says: /^\d{4}-\d\d-\d\dT\d\d:\d\d \S+ PH \S+ PAHATID 2 /,
  },
  {
    name: 'an hour of the statistics that no minute was folded into',
    checks: ['hourCounts'],
    spoil: `insert into report_hour (customer_id, hour, app_id, area_code, carrier, client_sid, sms_type, route_id, req_total)
            select customer_id, date_trunc('hour', minute, 'UTC'), app_id, area_code, carrier, client_sid, sms_type,
              route_id, req_total from report_minute order by req_total desc limit 1`,
    says: /^\d{4}-\d\d-\d\dT\d\d:00$/,
  },
  {
    name: 'an hour of all customers that no customer has',
    checks: ['hourCounts'],
    spoil: `insert into report_hour_total (hour, area_code, carrier, sms_type, route_id, req_total)
            select date_trunc('hour', minute, 'UTC'), area_code, carrier, sms_type, route_id, 1 from report_minute limit 1`,
  },
  {
    name: 'a cell moved to another carrier',
    checks: ['rollup'],
    spoil: `update report_minute set carrier = 'Nobody' where carrier = 'Smart'`,
  },
  ...[
    'req_total',
    'req_success',
    'req_fail',
    'req_blocked',
    'receipt_success',
    'receipt_fail',
    'receipt_unknown',
    'segments',
    'charged',
  ].map(
    (column): Case => ({
      name: `${column} of one cell`,
      checks: ['rollup'],
      spoil: `update report_minute set ${column} = ${column} + 1 where (customer_id, minute, carrier, writer) =
                (select customer_id, minute, carrier, writer from report_minute order by req_total desc limit 1)`,
    }),
  ),
  {
    name: 'a row of the statistics that is gone',
    checks: ['rollup'],
    spoil: `delete from report_minute where carrier = 'DITO'`,
  },
  {
    name: 'a balance',
    checks: ['balance'],
    spoil: 'update balance set amount = amount + 12345 where writer = (select max(writer) from balance)',
  },
  {
    name: 'a charge that no message made',
    checks: ['charge', 'balance'],
    spoil: `insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, batch_id)
            select customer_id, gen_random_uuid(), now(), 'charge', -7000, 2, app_id, batch_id from batch where batch_id = ${firstBatch}`,
  },
  {
    name: 'charges of two batches that changed places',
    checks: ['charge'],
    spoil: `insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, batch_id)
            select customer_id, gen_random_uuid(), now(), 'charge', case when batch_id = ${firstBatch} then -3500 else 3500 end,
              case when batch_id = ${firstBatch} then 1 else -1 end, app_id, batch_id
            from batch where batch_id in (${firstBatch}, (select min(batch_id) from batch where batch_id > ${firstBatch}))`,
  },
  {
    name: 'money still reserved for a task that is over',
    checks: ['reservation'],
    spoil: `with ended as (
              insert into task (task_id, customer_id, task_name, task_status, ended_at) select '${uuidV7()}', customer_id, 'Over', 7, now() from task
              returning task_id, customer_id)
            insert into reservation (task_id, customer_id, amount) select task_id, customer_id, 5000 from ended`,
  },
  {
    name: 'money reserved for a batch of no task',
    checks: ['reservation'],
    spoil: `update batch set cost = cost + 1000 where task_id is null and state < 1`,
  },
  {
    name: 'money reserved for parked batches',
    checks: ['reservation'],
    spoil: `insert into parked_cost as p (customer_id, amount) select customer_id, 900 from customer where not internal limit 1
            on conflict (customer_id) do update set amount = p.amount + 900`,
  },
  {
    name: 'money reserved for a receipt that nothing waits for',
    checks: ['reservation'],
    spoil: 'update balance set held = held + 700 where writer = (select max(writer) from balance)',
  },
  {
    name: 'money released while a task is under way',
    checks: ['reservation'],
    spoil: `update reservation r set released_at = now() from task t where t.task_id = r.task_id and t.task_status = 5`,
  },
  {
    name: 'a matched receipt that left no mark',
    checks: ['receipt'],
    spoil: `with r as (
              select r.supplier_id, r.receipt_id, d.customer_id, d.message_id from receipt_inbox r
              join dlr_route d on d.supplier_id = r.supplier_id and d.carrier_message_id = r.carrier_message_id
              join message m on m.customer_id = d.customer_id and m.message_id = d.message_id
              where r.matched_at is not null and r.client_status = 2 and m.client_status = 2 and m.pkg_total = 1
                and (select count(*) from receipt_inbox o where o.carrier_message_id = r.carrier_message_id) = 1 limit 1),
            b as (update batch b set receipts_closed = receipts_closed from r where b.batch_id = (select max(batch_id) from batch where batch_id <= r.message_id)),
            t as (insert into task_progress as p (task_id, writer, customer_id, delivered_count)
                  select m.task_id, 254, m.customer_id, -1 from r join message m on m.message_id = r.message_id),
            c as (insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer, receipt_success)
                  select m.customer_id, date_trunc('minute', to_timestamp(((m.message_id >> 18) + 1735689600000) / 1000.0)), m.app_id, m.area_code,
                    m.carrier, m.client_sid, m.sms_type, m.route_id, 254, -1 from r join message m on m.message_id = r.message_id)
            update message m set client_status = 1, parts_delivered = 0 from r where m.customer_id = r.customer_id and m.message_id = r.message_id`,
  },
  {
    name: 'a receipt that waits though its message is known',
    checks: ['receipt'],
    spoil: `update receipt_inbox set matched_at = null, received_at = received_at - interval '1 hour'
            where receipt_id = (select receipt_id from receipt_inbox where matched_at is not null and client_status = 2 limit 1)`,
  },
  {
    name: 'a way back to a message that does not exist',
    checks: ['route'],
    spoil: `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id, part)
            select supplier_id, 'nobody', customer_id, batch_id - 7000, 1 from batch where batch_id = ${firstBatch}`,
  },
];

for (const { name, checks, spoil, says } of repairable) {
  test(`finds and repairs: ${name}`, async () => {
    const spoilt = await pool.query(spoil);
    assert.ok((spoilt.rowCount ?? 0) > 0, 'nothing was spoilt');
    const { differences } = await findDifferences(pool, options);
    assert.deepEqual([...new Set(differences.map((each) => each.check))].sort(), [...checks].sort());
    assert.ok(differences.every(({ kept, derived, what }) => kept !== derived && what !== ''));
    if (says !== undefined) {
      const { describePlace } = await import('./repair.ts');
      assert.match(describePlace(differences[0]!), says);
    }
    const audited = Number((await one('select count(*) as n from audit_log'))['n']);
    const { findings, repaired } = await repairDifferences(pool, options);
    assert.deepEqual(findings.differences, []);
    assert.ok(repaired.length > 0);
    await assertAgrees(pool);
    const log = await one(`select count(*) - ${audited} as n from audit_log where action = 'verify.repair'`);
    assert.ok(Number((await one('select count(*) as n from audit_log'))['n']) > audited, JSON.stringify(log));
    const again = await repairDifferences(pool, options);
    assert.equal(again.repaired.length, 0);
  });
}

const byHand: (Case & { readonly undo: string })[] = [
  {
    name: 'a message in a state that does not exist',
    checks: ['messageState', 'rollup', 'taskCounts'],
    spoil: `update message set client_status = 0 where message_id = ${firstOf('client_status = 3')}`,
    undo: `update message set client_status = 3 where send_status = 3 and client_status = 0`,
  },
  {
    name: 'a message at another supplier account than its batch',
    checks: ['batchMessages'],
    spoil: `update message set supplier_id = (select supplier_id from supplier where supplier_id <> message.supplier_id limit 1)
            where message_id = ${lastBatch}`,
    undo: `update message m set supplier_id = b.supplier_id from batch b where b.batch_id = m.message_id and m.send_status = 0`,
  },
  {
    name: 'an accepted message without its way back',
    checks: ['route'],
    spoil: `with gone as (delete from dlr_route where message_id = ${firstOf('client_status = 2 and message_id not in (select message_id from in_doubt)')} returning *)
            insert into prohibited_term (term_id, term, lang, category, level) select gen_random_uuid(), to_json(gone)::text, 'xx', 'kept', 'flag' from gone`,
    undo: `with back as (delete from prohibited_term where category = 'kept' returning term)
           insert into dlr_route select r.* from back, json_populate_record(null::dlr_route, term::json) r`,
  },
  {
    name: 'valid rows of a file',
    checks: ['file', 'taskTotal'],
    spoil: 'update file set valid_count = valid_count - 1',
    undo: 'update file set valid_count = valid_count + 1',
  },
  {
    name: 'a task that is completed while some of it waits',
    checks: ['taskEnd', 'reservation'],
    spoil: `update task set task_status = 6, ended_at = now() where task_status = 5`,
    undo: `update task set task_status = 5, ended_at = null where task_status = 6`,
  },
  {
    name: 'a message that is gone',
    checks: ['batchRange', 'batchCounts', 'rollup', 'taskCounts', 'taskTotal', 'charge', 'route'],
    spoil: `create table kept as select * from message where message_id = ${firstOf('client_status = 2 and message_id not in (select message_id from in_doubt) and retry_of is null and price > 0 and message_id not in (select batch_id from batch)')};
            delete from message where message_id = (select message_id from kept)`,
    undo: 'insert into message select * from kept',
  },
];

for (const { name, checks, spoil, undo } of byHand) {
  test(`finds, and leaves to a person: ${name}`, async () => {
    const spoilt = [await pool.query(spoil)].flat();
    assert.ok(
      spoilt.every(({ rowCount }) => rowCount !== 0),
      'nothing was spoilt',
    );
    const { differences } = await findDifferences(pool, options);
    assert.deepEqual([...new Set(differences.map((each) => each.check))].sort(), [...checks].sort());
    assert.ok(differences.some((each) => each.fix === undefined) || checks.includes('batchRange'));
    await pool.query(undo);
    await assertAgrees(pool);
  });
}

test('messages of a deleted batch are reported, and no customer is charged for them again', async () => {
  await pool.query(`create table lost as select * from batch where batch_id = ${firstBatch}`);
  await pool.query('delete from batch where batch_id = (select batch_id from lost)');
  const ledger = await one('select count(*) as n, sum(amount) as amount from ledger');
  const { findings } = await repairDifferences(pool, options);
  assert.ok(findings.differences.some(({ check, what }) => check === 'batchRange' && what === 'messages in no batch'));
  assert.deepEqual(await one('select count(*) as n, sum(amount) as amount from ledger'), ledger);
  await pool.query('insert into batch select * from lost');
  await assertAgrees(pool);
});

test('a repair during sending and receiving fixes the differences and breaks nothing', async () => {
  await pool.query(`update task set total_count = total_count + 400, prepared_count = prepared_count + 400`);
  await pool.query('update file set valid_count = valid_count + 400');
  await pool.query('update file_block set row_count = row_count + 400');
  await scene.accept(scene.recipients(400, 5_000));
  await pool.query(
    'update report_minute set req_total = req_total + 3, charged = charged - 7 where writer = (select max(writer) from report_minute)',
  );
  await pool.query(
    'update task_progress set success_count = success_count - 3 where writer = (select max(writer) from task_progress)',
  );
  await pool.query('update balance set amount = amount - 99 where writer = (select max(writer) from balance)');
  await pool.query(`update batch set success_count = success_count - 1 where batch_id = ${firstBatch}`);
  await scene.startSender();
  const { findings, repaired } = await repairDifferences(pool, options);
  assert.deepEqual(findings.differences, []);
  assert.ok(repaired.length >= 5);
  await untilQuietBut(43);
  await assertAgrees(pool);
});
