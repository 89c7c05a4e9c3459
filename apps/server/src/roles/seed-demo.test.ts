import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { verify } from '@node-rs/argon2';
import type { SmsType } from '@pahatid/contract';
import { hasDemoAccounts, hasRoomForVisitors, many, one, sql, withTransaction } from '@pahatid/db';
import { hashAppSecret, seedDemo } from '@pahatid/db/builders';
import type { RuleInput } from '@pahatid/db/queries/threshold-rules';
import { checkSenderId, checkTemplate, hasErrors } from '@pahatid/domain';
import { testDatabase } from '@pahatid/testkit';
import { forecastRule } from '../features/thresholds/forecast.ts';
import { encodeBlock } from '../files/blocks.ts';
import { makeSecrets } from '../secrets/secrets.ts';

type QualityInput = Extract<RuleInput, { kind: 'quality' }>;

const db = await testDatabase();
const seededAt = new Date();
const deps = { now: seededAt, secrets: makeSecrets(randomBytes(32)), encodeBlock, simulatorPort: 2776 };
const mart = sql`(select customer_id from customer where customer_name = 'Sari-Sari Mart')`;

before(async () => {
  assert.equal(await seedDemo(db.pool, deps), true);
});

test('seeding again leaves everything as it is', async () => {
  assert.equal(await seedDemo(db.pool, deps), false);
});

test('its carriers follow the simulator to another port, and stay if moved by a user', async () => {
  const ports = async () =>
    (await many(db.pool, sql<{ port: number }>`select port from supplier order by supplier_account`)).map(
      ({ port }) => port,
    );
  await db.pool.query("update supplier set host = 'smsc.example', port = 2775 where supplier_account = 'dito-1'");
  assert.equal(await seedDemo(db.pool, { ...deps, simulatorPort: 2999 }), false);
  assert.deepEqual(await ports(), [2775, 2999, 2999]);
  assert.equal(await seedDemo(db.pool, { ...deps, simulatorPort: null }), false);
  assert.deepEqual(await ports(), [2775, 2999, 2999]);
  await db.pool.query("update supplier set port = 3111 where supplier_account = 'globe-1'");
  for (const simulatorPort of [2999, 3222]) await seedDemo(db.pool, { ...deps, simulatorPort });
  assert.deepEqual(await ports(), [2775, 3111, 3222]);
});

test('a demo for visitors has no staff and nothing that anybody could sign in with', async () => {
  const other = await testDatabase();
  assert.equal(await seedDemo(other.pool, { ...deps, isPublic: true }), true);
  assert.equal(await seedDemo(other.pool, { ...deps, isPublic: true }), false);
  const users = await many<{ account: string; role: string; hash: string }>(
    other.pool,
    sql`select account, role, password_hash as hash from app_user order by account`,
  );
  assert.deepEqual(
    users.map(({ account, role }) => [account, role]),
    [
      ['bank-owner', 'owner'],
      ['demo-owner', 'owner'],
      ['visitor', 'viewer'],
    ],
  );
  for (const { hash } of users) assert.equal(await verify(hash, 'Demo@1234'), false);
  const known = ['demo-secret-0001', 'bank-secret-0001'].map(hashAppSecret);
  const secrets = await many<{ hash: Buffer }>(
    other.pool,
    sql`select secret_hash as hash from application_secret where kind = 'http'`,
  );
  assert.ok(secrets.length > 0 && secrets.every(({ hash }) => known.every((each) => !each.equals(hash))));
  assert.equal(await hasDemoAccounts(other.pool), false);
  assert.equal(await hasRoomForVisitors(other.pool), true);
  assert.equal(await hasRoomForVisitors(db.pool), false);
});

test('the demo customer has exactly ₱100,000.00, which is the sum of its ledger', async () => {
  const row = await one(
    db.pool,
    sql<{ balance: string; ledger: string }>`
      select (select sum(amount) from balance where customer_id = ${mart}) balance,
             (select sum(amount) from ledger where customer_id = ${mart}) ledger`,
  );
  assert.deepEqual(row, { balance: '1000000000', ledger: '1000000000' });
});

test('there is a task in each of the twelve states, and its counters match its rows', async () => {
  const tasks = await many(
    db.pool,
    sql<Record<string, number>>`
      select t.task_status, t.total_count, p.*, m.* from task t
      left join lateral (select coalesce(sum(success_count), 0)::int success, coalesce(sum(failed_count), 0)::int failed,
        coalesce(sum(delivered_count), 0)::int delivered, coalesce(sum(charged_segments), 0)::int segments
        from task_progress where task_id = t.task_id) p on true
      left join lateral (select count(*) filter (where send_status = 3)::int rows_success, count(*) filter (where send_status = 2)::int rows_failed,
        count(*) filter (where client_status = 2)::int rows_delivered, coalesce(sum(pkg_total) filter (where send_status = 3), 0)::int rows_segments,
        count(*)::int rows from message where task_id = t.task_id) m on true`,
  );
  assert.deepEqual(
    [...new Set(tasks.map((task) => task['task_status']))].sort((a, b) => Number(a) - Number(b)),
    [...Array(12).keys()],
  );
  for (const task of tasks) {
    assert.equal(task['success'], task['rows_success']);
    assert.equal(task['failed'], task['rows_failed']);
    assert.equal(task['delivered'], task['rows_delivered']);
    assert.equal(task['segments'], task['rows_segments']);
    if ([5, 6, 9].includes(task['task_status'] ?? 0)) assert.equal(task['rows'], task['total_count']);
  }
});

test('it has message groups of every source except software, with correct member counts, and opt-outs with evidence', async () => {
  const groups = await many(
    db.pool,
    sql<{ source: string; counted: number; members: number }>`select g.source, g.member_count as counted,
        (select count(*)::int from group_member m where m.group_id = g.group_id) as members
      from message_group g where g.customer_id = ${mart}`,
  );
  assert.deepEqual([...new Set(groups.map(({ source }) => source))].sort(), ['dynamic', 'file', 'paste', 'task']);
  for (const { counted, members, source } of groups)
    assert.ok(source === 'dynamic' ? members === 0 : counted > 0 && counted === members);
  const { n } = await one(
    db.pool,
    sql<{ n: number }>`select count(*)::int as n from opt_out where customer_id = ${mart} and evidence <> ''`,
  );
  assert.equal(n, 8);
});

test('the quality rule began to fire in the last days, and its forecast finds what it did in any seven days', async () => {
  type Kept = Pick<QualityInput, 'bound' | 'windowMinutes' | 'minVolume' | 'graceSeconds' | 'carrier'>;
  const { customerId, thresholdId, ...kept } = await one(
    db.pool,
    sql<Kept & { customerId: string; thresholdId: string }>`
      select customer_id as "customerId", threshold_id as "thresholdId", bound, window_minutes as "windowMinutes",
        min_volume as "minVolume", grace_seconds as "graceSeconds", carrier
      from threshold where customer_id = ${mart} and metric = 'delivered'`,
  );
  const alerts = await many(
    db.pool,
    sql<{ at: Date; value: number }>`select at, value from threshold_event
      where customer_id = ${mart} and threshold_id = ${thresholdId} and kind = 'alert'`,
  );
  const rule: QualityInput = {
    kind: 'quality',
    metric: 'delivered',
    act: 'alert',
    useState: 1,
    silenceMinutes: 60,
    ...kept,
    appId: null,
    areaCode: null,
    smsType: null,
    emails: [],
    mobileNumbers: [],
    msisdns: [],
    webhooks: [],
  };
  const hourMs = 3_600_000;
  for (let hours = 0; hours <= 7 * 24; hours += 1) {
    const end = new Date(seededAt.getTime() - hours * hourMs);
    const start = end.getTime() - 7 * 24 * hourMs;
    const due = alerts.filter(({ at }) => at.getTime() > start && at <= end);
    const forecast = await withTransaction(db.pool, (tx) => forecastRule(tx, customerId, rule, end));
    assert.equal(forecast.alerts, due.length, `${hours} hours ago: ${JSON.stringify({ due, forecast })}`);
    for (const { value } of due) assert.ok((forecast.peak ?? 10_000) <= value && value < rule.bound);
    if (hours === 0) assert.ok(due.length > 0, 'the demo shows a rule that fired');
  }
});

test('the quality rule fires in a week too whose busiest hours get better one by one', async () => {
  const other = await testDatabase();
  const now = new Date('2026-11-23T03:00:00Z');
  await seedDemo(other.pool, { ...deps, now });
  const alerts = await many(
    other.pool,
    sql`select at from threshold_event where kind = 'alert' and at > ${now}::timestamptz - interval '6 days'`,
  );
  assert.ok(alerts.length > 0);
});

test('rollups match a recount of the messages, and every charge is in the ledger', async () => {
  const row = await one(
    db.pool,
    sql<Record<string, string>>`
      select (select (sum(req_total), sum(req_success), sum(req_fail), sum(req_blocked), sum(receipt_success), sum(receipt_fail), sum(receipt_unknown), sum(segments), sum(charged))::text from report_minute) rollup,
             (select (count(*), count(*) filter (where send_status = 3), count(*) filter (where send_status = 2),
                      count(*) filter (where send_status = 2 and client_status = 7), count(*) filter (where client_status = 2),
                      count(*) filter (where client_status in (3, 4)), count(*) filter (where client_status = 6),
                      sum(pkg_total) filter (where send_status = 3), sum(pkg_total * price) filter (where send_status = 3))::text from message) recount,
             (select -sum(amount) from ledger where kind = 'charge')::text charged,
             (select sum(pkg_total * price) from message where send_status = 3)::text cost,
             (select count(*) from message_default)::text strays`,
  );
  assert.equal(row['rollup'], row['recount']);
  assert.equal(row['charged'], row['cost']);
  assert.equal(row['strays'], '0', 'every message lies in a partition of its week');
});

test('the records reach back 90 days', async () => {
  const row = await one(
    db.pool,
    sql<{
      days: number;
    }>`select count(distinct (minute at time zone 'Asia/Manila')::date)::int days from report_minute where customer_id = ${mart}`,
  );
  assert.ok(row.days >= 90, String(row.days));
});

test('texts that are approved pass the rules, the rejected one does not, and sender IDs are well-formed', async () => {
  const rows = await many(
    db.pool,
    sql<{
      content: string;
      sms_type: SmsType;
      audit_status: number;
    }>`select content, sms_type, audit_status from template_version`,
  );
  for (const row of rows) {
    const errors = checkTemplate(row.content, row.sms_type).filter((finding) => finding.severity === 'error');
    assert.equal(errors.length > 0, row.audit_status === 2, `${row.content}: ${JSON.stringify(errors)}`);
    assert.equal(hasErrors(errors), row.audit_status === 2);
  }
  for (const { sender_id } of await many(db.pool, sql<{ sender_id: string }>`select sender_id from sender`))
    assert.equal(checkSenderId(sender_id), null, sender_id);
});
