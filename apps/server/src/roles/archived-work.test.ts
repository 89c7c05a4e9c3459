/** The archive when its process is killed, and what users and their software still do with archived messages. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { before, test } from 'node:test';
import type { GroupMember } from '@pahatid/contract';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { withTransaction } from '@pahatid/db';
import { buildBatches, buildGroup, type MessageSpec } from '@pahatid/db/builders';
import { listRecords } from '@pahatid/db/queries/records';
import { listSubmittedMessages } from '@pahatid/db/queries/smpp-texts';
import { DealResult } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { makeArchiver } from '../features/archive/archive-messages.ts';
import { deleteFoldedMinutes, foldEndedHours } from '../features/statistics/fold-hours.ts';
import { prepareNextTask } from '../features/tasks/prepare-next-task.ts';
import { makeTaskWorld } from '../http/testing/task-world.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { findDifferences } from '../verify/find-differences.ts';
import { options } from '../verify/testing/agrees.ts';
import { apiFeatures } from './api.ts';
import { dropPartitions } from './housekeeping.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const world = await makeTaskWorld(pool, customerId, appId);
const context = await world.jobs();
const dayMs = 86_400_000;
const noon = (daysAgo: number): Date => new Date(Math.floor(Date.now() / dayMs - daysAgo) * dayMs + dayMs / 2);
const program = path.join(import.meta.dirname, 'testing/archive-program.ts');
/** Advisory lock that the triggers of this test wait for. */
const gate = 7_140_001;

const message = (n: number, more: Partial<MessageSpec> = {}): MessageSpec => ({
  msisdn: `6391700000${String(n).padStart(2, '0')}`,
  content: 'Hello',
  carrier: 'Globe',
  clientStatus: ClientStatus.Delivered,
  receiptAfterMs: 900,
  ...more,
});
const failed = (n: number, dealResult: string = DealResult.TriesUsedUp): MessageSpec =>
  message(n, { clientStatus: ClientStatus.Rejected, dealResult });
const invalid = (n: number): MessageSpec => failed(n, DealResult.RefusedDestination);

let taskId: string;
let groupId: string;

before(async () => {
  await pool.query(`update customer set review_policy = 'never'`);
  const [supplierId, routeId] = [world.carriers.suppliers.Globe, world.carriers.routes.Globe];
  const own = { customerId, appId, smsType: 2 as const, clientSid: 'SHOP', supplierId, routeId };
  const batches: [number, MessageSpec[]][] = [
    [61, [message(1), invalid(2), invalid(3), message(4)]],
    [60, [message(3), invalid(4)]],
    [1, [message(4), invalid(5)]],
  ];
  for (const [daysAgo, messages] of batches)
    await withTransaction(pool, (tx) => buildBatches(tx, [{ ...own, at: noon(daysAgo), messages }]));
  const fileId = await world.addFile(5);
  taskId = await world.addTask({ fileId, taskStatus: TaskStatus.Completed, endedAt: noon(59), totalCount: 5 });
  await pool.query('update task set prepared_count = 5 where task_id = $1', [taskId]);
  const messages = [failed(11), failed(12), invalid(13), message(14), failed(15, DealResult.CarrierNoCredit)];
  await world.addBatch(taskId, messages, noon(59));
  groupId = await buildGroup(pool, {
    customerId,
    members: Array.from({ length: 6 }, (_, n) => ({ msisdn: message(n + 1).msisdn })),
  });
  await foldEndedHours(context);
  await deleteFoldedMinutes(context);
  await verify();
  await dropPartitions(context);
});

const verify = async (all = false): Promise<void> => {
  const { differences } = await findDifferences(pool, { ...options, all });
  assert.deepEqual(differences, []);
};
const count = async (text: string): Promise<number> =>
  (await pool.query<{ n: number }>(`select (${text})::int as n`)).rows[0]!.n;
const archived = 'select coalesce(sum(row_count), 0) from message_archive';
const weeks = `select count(*) from partition_bounds('message') where high <= id_floor(now() - interval '36 days') and low >= id_floor(now() - interval '70 days')`;
const records = async () => {
  const range = { fromMs: 0, toMs: Date.now() + dayMs, before: null, limit: 100 };
  return (await listRecords(pool, [customerId], {}, range)).rows;
};
const members = async () => {
  const lists: Record<string, GroupMember[]> = {};
  for (const state of ['all', 'active', 'invalid']) {
    const { body } = await api.ask('owner', `GET /groups/${groupId}/members`, {
      query: state === 'all' ? {} : { state },
    });
    lists[state] = body.items;
  }
  return lists;
};

/** Kills the archiving process while it waits for the gate in the middle of a transaction. */
async function killAtGate(): Promise<void> {
  const holder = await pool.connect();
  await holder.query('select pg_advisory_lock($1)', [gate]);
  const child = spawn(process.execPath, [program, api.db.url], { stdio: ['ignore', 'inherit', 'inherit'] });
  const waiting = `select count(*) from pg_locks where locktype = 'advisory' and objid = ${gate} and not granted`;
  await until(async () => (await count(waiting)) === 1, { what: 'the process in the middle' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await holder.query('select pg_advisory_unlock($1)', [gate]);
  holder.release();
  const sessions = `select count(*) from pg_stat_activity where application_name = 'archive program' and datname = current_database()`;
  await until(async () => (await count(sessions)) === 0, { what: 'its sessions ended' });
}

test('killed in the middle of a block or of dropping a week, nothing is lost and nothing doubled', async () => {
  const listed = await records();
  const grouped = await members();
  const wait = `set lock_timeout = 0 as $$ begin perform pg_advisory_lock_shared(${gate}); perform pg_advisory_unlock_shared(${gate});`;
  await pool.query(
    `create function wait_deleted() returns trigger language plpgsql set lock_timeout = 0 as $$ begin
       if (select count(*) from message_archive) = 2 then
         perform pg_advisory_xact_lock_shared(${gate});
       end if; return null; end $$;
     create trigger wait_deleted after delete on message for each statement execute function wait_deleted();
     create function wait_dropped() returns event_trigger language plpgsql ${wait} end $$`,
  );
  await killAtGate();
  assert.equal(await count('select count(*) from message_archive'), 1, 'the first block was committed alone');
  assert.deepEqual(await records(), listed);
  assert.deepEqual(await members(), grouped);
  await verify(true);

  await pool.query(`drop trigger wait_deleted on message;
    create event trigger wait_dropped on sql_drop execute function wait_dropped()`);
  const before = await count(weeks);
  assert.ok(before > 0);
  await killAtGate();
  assert.equal(await count(archived), 11);
  assert.equal(await count(weeks), before, 'the drop was rolled back');
  await pool.query('drop event trigger wait_dropped');
  await until(
    async () => {
      const step = makeArchiver(context, 35);
      while (await step());
      return (await count(weeks)) < before;
    },
    { what: 'emptied weeks dropped' },
  );
  assert.equal(await count(archived), 11);
  assert.deepEqual(await records(), listed);
  assert.deepEqual(await members(), grouped);
  await verify(true);
});

test("a group member's last message may be an archived one, or newer than those", async () => {
  const { all, active, invalid: refused } = await members();
  const results = (all ?? []).map((row) => [row.mobileNumber.slice(-2), row.lastResult, row.lastSentAt?.slice(0, 10)]);
  const [first, second, third] = [61, 60, 1].map((daysAgo) => noon(daysAgo).toISOString().slice(0, 10));
  assert.deepEqual(results, [
    ['01', 'ACCEPTED', first],
    ['02', DealResult.RefusedDestination, first],
    ['03', 'ACCEPTED', second],
    ['04', 'ACCEPTED', third],
    ['05', DealResult.RefusedDestination, third],
    ['06', null, undefined],
  ]);
  const numbers = (list: typeof all) => list?.map((row) => row.mobileNumber.slice(-2));
  assert.deepEqual(numbers(active), ['01', '03', '04', '06']);
  assert.deepEqual(numbers(refused), ['02', '05']);
});

test('query_sm finds an archived message of its own application alone', async () => {
  const { rows } = await pool.query<{ id: string }>(
    `select first_id::text as id from message_archive where customer_id = $1 order by first_id limit 1`,
    [customerId],
  );
  const of = { customerId, appId, issuedId: rows[0]!.id };
  const [found, ...others] = await listSubmittedMessages(pool, of);
  assert.equal(found?.messageId, rows[0]!.id);
  assert.equal(found.clientStatus, ClientStatus.Delivered);
  assert.ok(found.finalAt !== null);
  assert.deepEqual(others, []);
  assert.deepEqual(await listSubmittedMessages(pool, { ...of, appId: api.otherAppId }), []);
  assert.deepEqual(await listSubmittedMessages(pool, { ...of, customerId: api.otherCustomerId }), []);
  assert.deepEqual(await listSubmittedMessages(pool, { ...of, issuedId: '99' }), []);
});

test('a retry of a task repeats its archived failures once', async () => {
  const breakdown = async () => (await api.ask('viewer', `GET /tasks/${taskId}/breakdown`)).body;
  const retry = () => api.ask('member', `POST /tasks/${taskId}/retry`, { body: {} });
  const ids = (await records()).filter((row) => row.taskId === taskId).map((row) => row.messageId);
  const answers = await Promise.all([retry(), retry()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  const prepared = `select count(*) from task where task_id = '${taskId}' and prepared`;
  while ((await count(prepared)) === 0) await prepareNextTask(context);
  const { rows } = await pool.query<{ msisdn: string; of: string }>(
    `select msisdn, retry_of::text as of from message where task_id = $1 order by msisdn`,
    [taskId],
  );
  assert.deepEqual(
    rows.map((row) => row.msisdn),
    [failed(11), failed(12), failed(15)].map((spec) => spec.msisdn),
  );
  assert.ok(rows.every((row) => ids.includes(row.of)));
  await verify(true);
  const [globe] = (await breakdown()).carriers;
  assert.deepEqual([globe.recipients, globe.waitingCount, globe.acceptedCount, globe.failedCount], [5, 3, 1, 1]);
  assert.equal((await retry()).status, 409);
});
