/**
 * All work that no caller waits for: reading files, checking and preparing tasks, schedules, expiry. Several such
 * processes may run: each job leases or locks what it works on.
 */

import { leaseWriter, listen, uuidV7, WRITER_RENEW_MS } from '@pahatid/db';
import { clearJobFailure, saveJobFailure } from '@pahatid/db/queries/alerts';
import { JOBS_CHANNEL } from '@pahatid/db/queries/notify';
import { callbackJobs } from '../callbacks/jobs.ts';
import { codeJobs } from '../codes/jobs.ts';
import { alarmJobs } from '../features/alarms/jobs.ts';
import { archiveJobs } from '../features/archive/jobs.ts';
import { billingJobs } from '../features/billing/jobs.ts';
import { customerJobs } from '../features/customers/jobs.ts';
import { demoTrafficJobs } from '../features/demo-traffic/jobs.ts';
import { dossierJobs } from '../features/dossiers/jobs.ts';
import { fileJobs } from '../features/files/jobs.ts';
import { keywordRuleJobs } from '../features/keyword-rules/jobs.ts';
import { privacyJobs } from '../features/privacy/jobs.ts';
import { quietHourJobs } from '../features/quiet-hours/jobs.ts';
import { recordJobs } from '../features/records/jobs.ts';
import { routingJobs } from '../features/routing/jobs.ts';
import { shortLinkJobs } from '../features/short-links/jobs.ts';
import { statisticsJobs } from '../features/statistics/jobs.ts';
import { taskJobs } from '../features/tasks/jobs.ts';
import { thresholdJobs } from '../features/thresholds/jobs.ts';
import { importJobs } from '../imports/jobs.ts';
import { mailJobs } from '../mail/jobs.ts';
import { ItemTurns } from '../process/item-turns.ts';
import type { Job, JobDeps, JobWake, TaskJobContext } from '../sending/job-context.ts';
import { sendingJobs } from '../sending/jobs.ts';
import { makeNotifier } from '../sending/notifier.ts';
import { RoutingCache } from '../sending/route/routing-table.ts';
import { housekeepingJobs } from './housekeeping.ts';
import { type Loop, type LoopOptions, startLoop } from './loop.ts';
import type { RunRole } from './role.ts';

const jobsOf = (deps: JobDeps): Job[] =>
  [
    fileJobs,
    importJobs,
    taskJobs,
    codeJobs,
    mailJobs,
    callbackJobs,
    keywordRuleJobs,
    demoTrafficJobs,
    routingJobs,
    thresholdJobs,
    billingJobs,
    quietHourJobs,
    sendingJobs,
    housekeepingJobs,
    privacyJobs,
    archiveJobs,
    recordJobs,
    statisticsJobs,
    shortLinkJobs,
    customerJobs,
    dossierJobs,
    alarmJobs,
  ].flatMap((list) => list(deps));

const wakeOf = (payload: string): JobWake =>
  payload === 'file' || payload === 'import' || payload === 'code' ? payload : 'task';

export const runJobs: RunRole = async ({ config, log, pools, replicas, secrets }) => {
  const pool = pools.control;
  const owner = uuidV7();
  const ending = new AbortController();
  const writer = await leaseWriter(pool, owner);
  const renewing = setInterval(() => {
    writer.renew().catch((error: unknown) => log.warn({ err: error }, 'writer lease of jobs not renewed, will retry'));
  }, WRITER_RENEW_MS);
  const routing = new RoutingCache(pool);
  const following = routing.follow((error) =>
    log.warn({ err: error }, 'route notifications of jobs interrupted, reconnecting'),
  );
  const notifier = makeNotifier(pool, (error) =>
    log.warn({ err: error }, 'notification of jobs failed, receivers poll'),
  );
  const context: TaskJobContext = {
    pool,
    replicas,
    log,
    owner,
    offsetMs: 0,
    signal: ending.signal,
    writer,
    accept: async () => ({ ids: writer.ids, routing: await routing.current() }),
    notifyTask: (taskId) => notifier.notifyTask(taskId),
    notifySenders: () => notifier.notifySenders(),
  };
  // Shown to staff. If the database itself is unreachable, this can't be recorded.
  const onFailures = (name: string, inARow: number): void => {
    const said = inARow === 0 ? clearJobFailure(pool, owner, name) : saveJobFailure(pool, owner, name, inARow);
    said.catch((error: unknown) => log.warn({ err: error, job: name }, 'failure of a job not recorded'));
  };
  const itemTurns = (job: string): ItemTurns => new ItemTurns({ job, log, onFailures });
  const jobs = jobsOf({ context, config, secrets, itemTurns });
  const loops = startAll(jobs, { log, onFailures });
  const wakes = listen(
    pool,
    JOBS_CHANNEL,
    (payload) => loops.wake((job) => job.wakeOn === wakeOf(payload)),
    (error) => log.warn({ err: error }, 'work notifications interrupted, reconnecting'),
  );

  return {
    async stop() {
      ending.abort(new Error('the process ends'));
      await Promise.all([wakes.stop(), following.stop()]);
      await Promise.all(jobs.map(async (job) => job.stop?.()));
      await loops.stop();
      for (const job of jobs) job.close?.();
      clearInterval(renewing);
      await notifier.stop();
      await writer.release();
    },
  };
};

interface Loops {
  wake(which: (job: Job) => boolean): void;
  stop(): Promise<void>;
}

function startAll(jobs: readonly Job[], { log, onFailures }: Pick<LoopOptions, 'log' | 'onFailures'>): Loops {
  const running: { readonly job: Job; readonly loop: Loop }[] = [];
  const wake = (which: (job: Job) => boolean): void => {
    for (const { job, loop } of running) if (which(job)) loop.wake();
  };
  for (const job of jobs) {
    const step = async (): Promise<boolean> => {
      const isMore = (await job.step()) === true;
      if (isMore) wake(({ name }) => job.wakes?.includes(name) === true);
      return isMore;
    };
    const { name, everyMs } = job;
    running.push({ job, loop: startLoop({ name, everyMs, log, step, ...(onFailures && { onFailures }) }) });
  }
  return { wake, stop: async () => void (await Promise.all(running.map(({ loop }) => loop.stop()))) };
}
