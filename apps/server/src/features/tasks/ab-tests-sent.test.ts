/** An A/B test sent to carriers: by SMPP, with links that recipients open, a sender that is killed, and its decision. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { uuidV7, withTransaction } from '@pahatid/db';
import { buildFile, buildSender, buildShortLink, buildTask, buildTemplate } from '@pahatid/db/builders';
import { saveAbTest } from '@pahatid/db/queries/ab-tests';
import { reserve } from '@pahatid/db/queries/reservations';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { encodeBlock } from '../../files/blocks.ts';
import { ItemTurns } from '../../process/item-turns.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { clean, makeScene } from '../../sending/testing/make-scene.ts';
import { checkNextTask } from './check-next-task.ts';
import { decideAbTests } from './decide-ab-test.ts';
import { finishTasks } from './finish-tasks.ts';
import { prepareNextTask } from './prepare-next-task.ts';
import { startDueTasks } from './start-due-tasks.ts';

const count = 2_000;

test('2,000 recipients over SMPP: the text whose link more people open goes to the rest, each recipient gets one', async (t) => {
  const scene = await makeScene(t);
  const { pool, customerId, appId, writer } = scene;
  const log = pino({ level: 'silent' });
  const jobs: TaskJobContext = {
    pool,
    log,
    owner: uuidV7(),
    offsetMs: 0,
    writer,
    accept: async () => ({ ids: writer.ids, routing: scene.routing }),
    notifyTask: () => {},
    notifySenders: () => {},
  };
  // The scene's own task has nothing to send.
  await pool.query('update task set prepared = true where task_id = $1', [scene.taskId]);
  await buildSender(pool, { customerId, appId, senderId: 'PAHATID' });
  await buildShortLink(pool, {
    customerId,
    linkName: 'Offer',
    domain: 'go.test',
    code: 'Kx7Rt2mW',
    targetUrl: 'https://e.ph/',
  });
  const templateOf = (content: string) => buildTemplate(pool, { customerId, appId, content });
  const [plain, points] = [
    await templateOf('Sale: go.test/s/Kx7Rt2mW'),
    await templateOf('Hi {1}: go.test/s/Kx7Rt2mW'),
  ];
  const fileId = await buildFile(pool, {
    customerId,
    columns: ['phone', 'name'],
    rows: scene.recipients(count).map(({ msisdn }, index) => ({ msisdn, values: [`N${index}`] })),
    encodeBlock,
  });
  const taskId = await buildTask(pool, {
    customerId,
    appId,
    templateId: plain,
    smsType: 2,
    senderId: 'PAHATID',
    fileId,
    variables: [1],
    taskStatus: TaskStatus.Initialized,
  });
  const variants = [plain, points].map((templateId) => ({ templateId, share: 10, delayMinutes: 0 }));
  await saveAbTest(pool, { taskId, customerId }, { variants, rule: 'clicks', waitMinutes: 60, fallback: 0 });
  assert.equal(await checkNextTask(jobs), true);
  const { rows: checked } = await pool.query(
    'select task_status as s, status_reason as why from task where task_id = $1',
    [taskId],
  );
  assert.deepEqual(checked, [{ s: TaskStatus.ValidationPassed, why: null }]);
  await withTransaction(pool, async (tx) => {
    await tx.query('update task set task_status = 3 where task_id = $1', [taskId]);
    await reserve(tx, { taskId, customerId, cost: 10_000_000 });
  });
  const childrenOf = async (): Promise<{ id: string; status: number }[]> => {
    const { rows } = await pool.query(
      `select v.child_id as id, c.task_status as status from ab_variant v join task c on c.task_id = v.child_id
       where v.task_id = $1 order by v.variant`,
      [taskId],
    );
    return rows;
  };
  const prepare = async () => {
    while (await startDueTasks(jobs));
    while (await prepareNextTask(jobs, { maxBatchesAhead: 1_000 }));
    await pool.query('select pg_notify($1, $2)', ['pahatid_batch', '']);
  };
  await prepare();

  // A sender that is killed while it sends: another goes on, and no recipient gets a second text.
  const killed = await scene.spawnSender(scene.database.url);
  await scene.untilSeen(40);
  killed.kill('SIGKILL');
  await scene.startSender();
  const settled = async () => {
    await finishTasks(jobs);
    return (await childrenOf()).every(({ status }) => status === TaskStatus.Completed);
  };
  await pool.query(
    `update application set doubt_policy = '{"verification":"hold","notification":"hold","marketing":"hold"}'`,
  );
  await until(settled, { what: 'the variants to end', timeoutMs: 60_000 });

  const [a, b] = await childrenOf();
  const open = (child: string | undefined, share: number) =>
    pool.query(
      `update link_code k set first_click_at = now() from message m
       where m.task_id = $1 and k.customer_id = m.customer_id and k.message_id = m.message_id and m.message_id % 100 < $2`,
      [child, share],
    );
  await open(a?.id, 10);
  await open(b?.id, 60);
  const turns = new ItemTurns({ job: 'decideAbTests', log });
  const decide = (minutes: number) =>
    decideAbTests({ ...jobs, offsetMs: minutes * 60_000 }, { publicUrl: 'https://pahatid.test' }, turns);
  await decide(0);
  assert.equal(await decide(61), true);
  const { rows } = await pool.query('select winner, decided_by as by, results from ab_test where task_id = $1', [
    taskId,
  ]);
  assert.deepEqual([rows[0].winner, rows[0].by], [1, 'rule']);
  await pool.query('update task set plan_time = clock_timestamp() where task_id = $1', [taskId]);
  await prepare();
  await until(
    async () => {
      await finishTasks(jobs);
      return (await pool.query('select task_status as s from task where task_id = $1', [taskId])).rows[0].s === 6;
    },
    { what: 'the rest to end', timeoutMs: 60_000 },
  );
  const audit = await scene.audit();
  assert.partialDeepStrictEqual({ ...audit, inDoubt: 0, neverSeen: 0 }, clean);
  const { rows: sent } = await pool.query(
    `select count(*)::int as n, count(distinct msisdn)::int as people,
       count(*) filter (where task_id = $1 and content not like 'Hi N%')::int as wrong from message where task_id = any($2::uuid[])`,
    [taskId, [taskId, a?.id, b?.id]],
  );
  assert.deepEqual(sent[0], { n: count, people: count, wrong: 0 });
});
