/**
 * Everything that no caller waits for: reading files, checking and preparing tasks, the clock, the end of things.
 * Several such processes may run: each job leases or locks what it works on.
 */

import { leaseWriter, listen, uuidV7, WRITER_RENEW_MS } from '@pahatid/db';
import { JOBS_CHANNEL } from '@pahatid/db/queries/notify';
import { checkNextTask } from '../jobs/check-next-task.ts';
import type { TaskJobContext } from '../jobs/context.ts';
import { endStoppedMessages } from '../jobs/end-stopped-messages.ts';
import { finishTasks } from '../jobs/finish-tasks.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import { expireReceiptsJob, recoverBatches } from '../jobs/mend-messages.ts';
import { parseNextFile } from '../jobs/parse-next-file.ts';
import { prepareNextTask } from '../jobs/prepare-next-task.ts';
import { showQuietHours } from '../jobs/show-quiet-hours.ts';
import { startDueTasks, stopDisabledTasks } from '../jobs/start-due-tasks.ts';
import { makePartitions, sweep } from '../jobs/sweep.ts';
import { makeNotifier } from '../sending/notifier.ts';
import { RoutingCache } from '../sending/routing-table.ts';
import type { RunRole } from './role.ts';

/** Files read at the same time by one process: each takes a core and up to 640 MB. */
const parsers = 2;

export const runJobs: RunRole = async ({ log, pools }) => {
  const pool = pools.control;
  const owner = uuidV7();
  const ending = new AbortController();
  const writer = await leaseWriter(pool, owner);
  const renewing = setInterval(() => {
    writer.renew().catch((error: unknown) => log.warn({ err: error }, 'writer number not renewed'));
  }, WRITER_RENEW_MS);
  const routing = new RoutingCache(pool);
  const following = routing.follow((error) => log.warn({ err: error }, 'not listening for changed routes'));
  const notifier = makeNotifier(pool, (error) => log.warn({ err: error }, 'word not sent'));
  const context: TaskJobContext = {
    pool,
    log,
    owner,
    offsetMs: 0,
    signal: ending.signal,
    writer,
    accept: async () => ({ ids: writer.ids, routing: await routing.current() }),
    notifyTask: (taskId) => notifier.notifyTask(taskId),
    notifySenders: () => notifier.notifySenders(),
  };

  const loop = (name: string, everyMs: number, step: () => Promise<unknown>): Loop =>
    startLoop({ name, everyMs, log, step: async () => (await step()) === true });
  const files = Array.from({ length: parsers }, (_, index) =>
    // Leases name an owner of their own for each, or one would take the other's file for its own.
    loop('parse', 1_000, () => parseNextFile({ ...context, owner: index === 0 ? owner : uuidV7() })),
  );
  // Sooner than a second: the sender must not run dry between two looks.
  const prepare = loop('prepare', 250, () => prepareNextTask(context));
  const start = loop('start', 1_000, async () => {
    const started = await startDueTasks(context);
    if (started) prepare.wake();
    return started;
  });
  const tasks = [
    loop('check', 1_000, () => checkNextTask(context)),
    start,
    prepare,
    loop('endStopped', 500, () => endStoppedMessages(context)),
    loop('finish', 500, () => finishTasks(context)),
  ];
  const slow = [
    loop('stopDisabled', 2_000, () => stopDisabledTasks(context)),
    loop('quietHours', 10_000, () => showQuietHours(context)),
    loop('recover', 5_000, () => recoverBatches(context)),
    loop('expireReceipts', 60_000, () => expireReceiptsJob(context)),
    loop('sweep', 60_000, () => sweep(context)),
    loop('partitions', 3_600_000, () => makePartitions(context)),
  ];
  const words = listen(
    pool,
    JOBS_CHANNEL,
    (payload) => {
      for (const each of payload === 'file' ? files : tasks) each.wake();
    },
    (error) => log.warn({ err: error }, 'not listening for work'),
  );

  return {
    async stop() {
      ending.abort(new Error('the process ends'));
      await Promise.all([words.stop(), following.stop()]);
      await Promise.all([...files, ...tasks, ...slow].map((each) => each.stop()));
      clearInterval(renewing);
      await notifier.stop();
      await writer.release();
    },
  };
};
