/**
 * Everything that no caller waits for: reading files, checking and preparing tasks, the clock, the end of things.
 * Several such processes may run: each job leases or locks what it works on.
 */

import { leaseWriter, listen, uuidV7, WRITER_RENEW_MS } from '@pahatid/db';
import { clearJobFailure, saveJobFailure } from '@pahatid/db/queries/alerts';
import { JOBS_CHANNEL } from '@pahatid/db/queries/notify';
import { makeDispatcher } from '../callbacks/dispatcher.ts';
import { guardOf } from '../callbacks/guard.ts';
import { makePoster } from '../callbacks/post.ts';
import { answerCodeRequest } from '../codes/answer-requests.ts';
import { makeCodeHider } from '../codes/hide-sent-codes.ts';
import { sendOwnSms } from '../codes/send-own-sms.ts';
import { applyPrices } from '../jobs/apply-due-prices.ts';
import { checkNextTask } from '../jobs/check-next-task.ts';
import type { TaskJobContext } from '../jobs/context.ts';
import { deleteExpired } from '../jobs/delete-expired.ts';
import { endStoppedMessages } from '../jobs/end-stopped-messages.ts';
import { endSupportViews } from '../jobs/end-support-views.ts';
import { finishErasures } from '../jobs/finish-erasures.ts';
import { finishTasks } from '../jobs/finish-tasks.ts';
import { holdLimited } from '../jobs/hold-limited-tasks.ts';
import { ItemTurns } from '../jobs/item-turns.ts';
import { judgeClicks } from '../jobs/judge-clicks.ts';
import { makeLanes } from '../jobs/lanes.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import { expireReceiptsJob, recoverBatches } from '../jobs/mend-messages.ts';
import { parseNextFile } from '../jobs/parse-next-file.ts';
import { prepareNextTask } from '../jobs/prepare-next-task.ts';
import { emptyDeletedGroups, runNextIntake } from '../jobs/run-next-intake.ts';
import { showQuietHours } from '../jobs/show-quiet-hours.ts';
import { startDueTasks, stopDisabledTasks } from '../jobs/start-due-tasks.ts';
import { storeWaitingParts } from '../jobs/store-waiting-parts.ts';
import { analyzePartitions, makePartitions, sweep } from '../jobs/sweep.ts';
import { tellLostBinds } from '../jobs/tell-lost-binds.ts';
import { tellLowBalances } from '../jobs/tell-low-balances.ts';
import { watchThresholds } from '../jobs/watch-thresholds.ts';
import { writeNextExport } from '../jobs/write-next-export.ts';
import { makeMailer } from '../mail/mailer.ts';
import { sendDueMail } from '../mail/send-due-mail.ts';
import { type TellTaskEnded, tellTaskEnded } from '../notices/tell-task-ended.ts';
import { makeNotifier } from '../sending/notifier.ts';
import { RoutingCache } from '../sending/routing-table.ts';
import type { RunRole } from './role.ts';

/**
 * Files and checks under way at the same time in one process, besides one small one each. A file that is read takes a
 * core and up to 640 MB, whatever its size: an .xlsx of few bytes may hold much.
 */
const mixedLanes = 2;

export const runJobs: RunRole = async ({ config, log, pools, secrets }) => {
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

  // For the staff to see. Where the database itself is out of reach there is no place to say so.
  const onFailures = (name: string, inARow: number): void => {
    const said = inARow === 0 ? clearJobFailure(pool, owner, name) : saveJobFailure(pool, owner, name, inARow);
    said.catch((error: unknown) => log.warn({ err: error, job: name }, 'failure of a job not noted'));
  };
  const loop = (name: string, everyMs: number, step: () => Promise<unknown>): Loop =>
    startLoop({ name, everyMs, log, onFailures, step: async () => (await step()) === true });
  // Shown like failures of whole jobs, though the others of the job have their turn.
  const finishing = new ItemTurns({ job: 'finish', log, onFailures });
  const watching = new ItemTurns({ job: 'thresholds', log, onFailures });
  const tellEnd: TellTaskEnded = (tx, taskId) => tellTaskEnded(tx, taskId, config);
  // Leases name an owner of their own for each, or one would take the other's work for its own.
  const files = makeLanes(mixedLanes).map((lane) =>
    loop('parse', 1_000, () => parseNextFile({ ...context, owner: uuidV7() }, { lane })),
  );
  const checks = makeLanes(mixedLanes).map((lane) =>
    loop('check', 1_000, () => checkNextTask({ ...context, owner: uuidV7() }, tellEnd, lane)),
  );
  // Sooner than a second: the sender must not run dry between two looks.
  const prepare = loop('prepare', 250, () => prepareNextTask(context, { tell: tellEnd }));
  // Two, so that a customer's million does not keep the others waiting.
  const intakes = [
    loop('intake', 1_000, () => runNextIntake(context)),
    loop('intake', 1_000, () => runNextIntake({ ...context, owner: uuidV7() })),
  ];
  const start = loop('start', 1_000, async () => {
    const started = await startDueTasks(context, tellEnd);
    if (started) prepare.wake();
    return started;
  });
  const tasks = [
    ...checks,
    start,
    prepare,
    loop('endStopped', 500, () => endStoppedMessages(context)),
    loop('finish', 500, () => finishTasks(context, tellEnd, finishing)),
  ];
  // Without an SMTP server mail stays where it is: in the development mailbox.
  const mailer = config.smtpUrl === null ? null : makeMailer(config.smtpUrl, config.mailFrom);
  if (mailer === null && !config.demo) log.warn('SMTP_URL is not set: mail is not sent');
  const codes = [
    loop('codes', 1_000, async () => {
      const answered = await answerCodeRequest(context, secrets);
      if (answered) for (const each of afterCodes) each.wake();
      return answered;
    }),
  ];
  // Notices come without a code, so these look by themselves as well.
  const afterCodes = [
    loop('ownSms', 1_000, () => sendOwnSms(context)),
    ...(mailer === null ? [] : [loop('mail', 1_000, () => sendDueMail(context, mailer))]),
  ];
  const callbacks = makeDispatcher(context, { ...config, secrets, poster: makePoster(guardOf(config)) });
  const hideCodes = makeCodeHider();
  const slow = [
    // What it finds it serves beside the loop, so there is nothing to hurry for.
    loop('callbacks', 500, async () => void (await callbacks.step())),
    loop('hideCodes', 60_000, () => hideCodes(context)),
    loop('emptyGroups', 10_000, () => emptyDeletedGroups(context)),
    loop('prices', 1_000, () => applyPrices(context)),
    loop('stopDisabled', 2_000, () => stopDisabledTasks(context)),
    loop('holdLimited', 2_000, () => holdLimited(context)),
    loop('thresholds', 3_000, () => watchThresholds(context, config, watching)),
    loop('lowBalances', 15_000, () => tellLowBalances(context, config)),
    loop('lostBinds', 15_000, () => tellLostBinds(context, config)),
    loop('quietHours', 10_000, () => showQuietHours(context)),
    loop('recover', 5_000, () => recoverBatches(context)),
    loop('expireReceipts', 60_000, () => expireReceiptsJob(context)),
    loop('waitingParts', 10_000, () => storeWaitingParts(context)),
    loop('sweep', 60_000, () => sweep(context)),
    // One bounded step a second, at once again only while customers have nothing to delete.
    loop('deleteExpired', 1_000, async () => {
      const step = await deleteExpired(context);
      return step !== null && step.messages + step.texts === 0 && step.fileId === null;
    }),
    loop('export', 1_000, () => writeNextExport(context, config)),
    loop('judgeClicks', 1_000, () => judgeClicks(context)),
    loop('finishErasures', 10_000, () => finishErasures(context, secrets)),
    loop('endSupportViews', 15_000, () => endSupportViews(context)),
    loop('partitions', 3_600_000, () => makePartitions(context)),
    loop('analyzePartitions', 5_000, () => analyzePartitions(context)),
  ];
  const words = listen(
    pool,
    JOBS_CHANNEL,
    (payload) => {
      for (const each of payload === 'file'
        ? files
        : payload === 'intake'
          ? intakes
          : payload === 'code'
            ? codes
            : tasks)
        each.wake();
    },
    (error) => log.warn({ err: error }, 'not listening for work'),
  );

  return {
    async stop() {
      ending.abort(new Error('the process ends'));
      await Promise.all([words.stop(), following.stop()]);
      await callbacks.stop();
      await Promise.all([...files, ...intakes, ...tasks, ...codes, ...afterCodes, ...slow].map((each) => each.stop()));
      mailer?.close();
      clearInterval(renewing);
      await notifier.stop();
      await writer.release();
    },
  };
};
