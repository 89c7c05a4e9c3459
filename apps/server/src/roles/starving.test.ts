/** One failing item does not delay any other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertInbox, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildTask, buildTemplate } from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';
import { pino } from 'pino';
import { finishTasks } from '../features/tasks/finish-tasks.ts';
import { ItemTurns } from '../process/item-turns.ts';
import type { TaskJobContext } from '../sending/job-context.ts';
import { sweep } from './housekeeping.ts';

const { pool } = await testDatabase();
const log = pino({ level: 'silent' });
const notified: string[] = [];
const jobs = {
  pool,
  log,
  owner: uuidV7(),
  offsetMs: 0,
  notifyTask: (taskId: string) => notified.push(taskId),
} as unknown as TaskJobContext;

test('a task that can’t be ended holds up no other, and is ended once it can be', async () => {
  const customerId = await buildCustomer(pool, {});
  const appId = await buildApplication(pool, { customerId });
  const templateId = await buildTemplate(pool, { customerId, appId, smsType: 2, content: 'Hi' });
  const tasks: string[] = [];
  for (let n = 0; n < 3; n++)
    tasks.push(await buildTask(pool, { customerId, appId, templateId, smsType: 2, taskStatus: 5 }));
  await pool.query('update task set prepared = true, total_count = 0');
  await pool.query('delete from task_progress');
  await pool.query('delete from batch');
  const [bad] = tasks;
  let isBroken = true;
  const notifyListeners = async (_: unknown, taskId: string): Promise<void> => {
    if (isBroken && taskId === bad) throw new Error('for good');
  };
  let clock = 0;
  const turns = new ItemTurns({ job: 'finish', log, now: () => clock });
  await finishTasks(jobs, notifyListeners, turns);
  const ended = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ task_id: string }>('select task_id from task where task_status = 6 order by 1');
    return rows.map((row) => row.task_id);
  };
  assert.deepEqual(await ended(), tasks.slice(1).sort());
  assert.deepEqual(notified.sort(), tasks.slice(1).sort());
  isBroken = false;
  clock += 1_000;
  await finishTasks(jobs, notifyListeners, turns);
  assert.deepEqual(await ended(), [...tasks].sort());
});

test('a kind that cannot be swept does not stop the others, and the job reports it', async () => {
  const old = { supplierId: uuidV7(), receiptId: uuidV7(), carrierMessageId: '1', msisdn: '639', clientSid: '' };
  const receivedMs = Date.now() - 41 * 86_400_000;
  await insertInbox(pool, [{ ...old, clientStatus: 2, final: true, carrierCode: null, reportMs: null, receivedMs }]);
  await pool.query('alter table attempt rename to attempt_gone');
  await assert.rejects(sweep(jobs), /^AggregateError: attempts could not be swept$/);
  await pool.query('alter table attempt_gone rename to attempt');
  const { rowCount } = await pool.query('select from receipt_inbox');
  assert.equal(rowCount, 0);
  await sweep(jobs);
});
