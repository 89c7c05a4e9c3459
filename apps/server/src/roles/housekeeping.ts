/**
 * Deletes expired data: broken uploads, files never used by a task, answered idempotency keys, counts of past periods.
 */
import {
  accountRequestConfirmDays,
  accountRequestDecidedDays,
  accountRequestPendingDays,
  apiCallKeptDays,
  callbackKeptDays,
  liveKeptHours,
} from '@pahatid/contract';
import {
  ensurePartitions,
  messageIdFloor,
  sweepAttempts,
  sweepCaptchas,
  sweepCodes,
  sweepMail,
  withTransaction,
} from '@pahatid/db';
import { sweepAccountRequests } from '@pahatid/db/queries/account-requests';
import { sweepJobFailures } from '@pahatid/db/queries/alerts';
import { sweepApiCalls } from '@pahatid/db/queries/api-calls';
import { sweepCallbacks } from '@pahatid/db/queries/callback-events';
import { sweepExports } from '@pahatid/db/queries/exports';
import { sweepFiles } from '@pahatid/db/queries/file-parsing';
import { sweepKeys } from '@pahatid/db/queries/idempotency';
import { sweepImports } from '@pahatid/db/queries/imports';
import { sweepLiveEvents } from '@pahatid/db/queries/live-events';
import { sweepConversions } from '@pahatid/db/queries/message-conversions';
import { sweepNotices } from '@pahatid/db/queries/notices';
import { dropOldMessages, dropOldRoutes } from '@pahatid/db/queries/partition-dropping';
import { analyzeYoungPartitions } from '@pahatid/db/queries/partitions';
import { sweepPumpingPast } from '@pahatid/db/queries/pumping-past';
import { expireAudit, sweepReceipts } from '@pahatid/db/queries/retention';
import { sweepSetAside } from '@pahatid/db/queries/set-aside';
import { sweepSmppRefusals } from '@pahatid/db/queries/smpp-binds';
import { sweepSmppDeliveries } from '@pahatid/db/queries/smpp-deliveries';
import { sweepIssuedIds } from '@pahatid/db/queries/smpp-texts';
import { sweepAlarms } from '@pahatid/db/queries/staff-alarms';
import { sweepVolumes } from '@pahatid/db/queries/thresholds';
import { sweepTraffic } from '@pahatid/db/queries/traffic';
import type { JobContext, JobList } from '../sending/job-context.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Receipts stored alongside messages: matched within seconds, retried for 7 days, useless once carriers' ids wrap. */
const receiptDays = 40;
/** Set-aside events raise an alert for a week and are retained for later inspection. */
const setAsideDays = 90;
/** Notices are short-lived; one unread after a quarter of a year will not be read. */
const noticeDays = 90;
/** What applications are compared with, for the forecast of another week. */
const pumpingDays = 16;
/** Receipts and replies that no bind took, and those that software refused. */
const smppKept = { keptMs: 3 * dayMs, refusedMs: 7 * dayMs };
/** Binds that were refused, as users see them. */
const smppRefusalDays = 30;
const rowsAtOnce = 5_000;
/** Of what comes with every message as much must go: a million in a minute. */
const mostRounds = 200;
/** The database refuses to delete younger entries (two years). */
const auditDays = 732;
/** Of a customer's log, in a minute. */
const auditAtOnce = 1_000;
/** Record of an export after its file was deleted: that it was made. */
const exportDays = 30;

/** Time for operators to notice that no partition is made. */
const weeksAhead = 4;

/** When requests for an account must have been written or decided to be kept, by their state. */
function accountRequestsBefore(now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  return {
    unconfirmed: before(accountRequestConfirmDays),
    pending: before(accountRequestPendingDays),
    decided: before(accountRequestDecidedDays),
  };
}

/** Sweeps each kind separately: if one fails the others are still swept, and then the job fails. */
export async function sweep({ pool, log, offsetMs }: JobContext): Promise<void> {
  const now = new Date(Date.now() + offsetMs);
  const swept: Record<string, number> = {};
  const errors: Error[] = [];
  for (const [kind, work] of Object.entries({
    files: () => sweepFiles(pool, dayMs, offsetMs),
    imports: () => sweepImports(pool, 30 * dayMs, offsetMs),
    keys: () => sweepKeys(pool, 2 * dayMs),
    volumes: () => sweepVolumes(pool, 400 * dayMs),
    pumping: () => sweepPumpingPast(pool, pumpingDays * dayMs),
    conversions: () => sweepConversions(pool, 2 * dayMs),
    attempts: () => sweepAttempts(pool, now),
    captchas: () => sweepCaptchas(pool, now),
    codes: () => sweepCodes(pool, now, dayMs),
    mail: () => sweepMail(pool, 30 * dayMs, offsetMs),
    traffic: () => sweepTraffic(pool),
    jobFailures: () => sweepJobFailures(pool),
    notices: () => sweepNotices(pool, noticeDays * dayMs, rowsAtOnce),
    alarms: () => sweepAlarms(pool, new Date(now.getTime() - noticeDays * dayMs), rowsAtOnce),
    accountRequests: () => sweepAccountRequests(pool, accountRequestsBefore(now)),
    receipts: () => sweepReceipts(pool, receiptDays * dayMs, rowsAtOnce),
    setAside: () => sweepSetAside(pool, setAsideDays * dayMs, rowsAtOnce),
    callbacks: () => sweepAll(() => sweepCallbacks(pool, now.getTime(), callbackKeptDays * dayMs, rowsAtOnce)),
    apiCalls: () => sweepAll(() => sweepApiCalls(pool, now.getTime(), apiCallKeptDays * dayMs, rowsAtOnce)),
    liveEvents: () => sweepAll(() => sweepLiveEvents(pool, now.getTime(), liveKeptHours * hourMs, rowsAtOnce)),
    smppDeliveries: () =>
      sweepAll(() => sweepSmppDeliveries(pool, { ...smppKept, nowMs: now.getTime(), limit: rowsAtOnce })),
    smppIssued: () =>
      sweepAll(() => sweepIssuedIds(pool, messageIdFloor(now.getTime() - receiptDays * dayMs), rowsAtOnce)),
    smppRefusals: () => sweepSmppRefusals(pool, smppRefusalDays * dayMs, rowsAtOnce),
    auditLog: () => expireAudit(pool, new Date(Math.min(now.getTime(), Date.now()) - auditDays * dayMs), auditAtOnce),
    exports: () => withTransaction(pool, (tx) => sweepExports(tx, offsetMs, exportDays * dayMs)),
  }))
    try {
      const count = (await work()) ?? 0;
      // For a busy minute it would only show that the minute was busy.
      if (count > 0 && kind !== 'traffic' && kind !== 'jobFailures') swept[kind] = count;
    } catch (error) {
      errors.push(new Error(`${kind} could not be swept`, { cause: error }));
    }
  if (Object.keys(swept).length > 0) log.info(swept, 'expired rows deleted');
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '));
}

/** Runs rounds of at most `rowsAtOnce`, each committed separately, until one is not full. */
async function sweepAll(round: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let rounds = 0; rounds < mostRounds; rounds++) {
    const count = await round();
    sum += count;
    if (count < rowsAtOnce) break;
  }
  return sum;
}

/** The weeks that come, made before the first message needs one. Fails while the table is busy, and is then tried again. */
export async function makePartitions({ pool, offsetMs }: JobContext): Promise<void> {
  await ensurePartitions(pool, weeksAhead, offsetMs);
}

/** Drops partitions in which everything has expired. */
export async function dropPartitions({ pool, log, offsetMs }: JobContext): Promise<void> {
  const dropped = [...(await dropOldRoutes(pool, Date.now() + offsetMs)), ...(await dropOldMessages(pool))];
  if (dropped.length > 0) log.info({ partitions: dropped }, 'expired partitions dropped');
}

/** Analyzes partitions that passed their first 10,000 rows, before autovacuum does. */
export async function analyzePartitions({ pool, log }: JobContext): Promise<void> {
  const analyzed = await analyzeYoungPartitions(pool);
  if (analyzed.length > 0) log.info({ partitions: analyzed }, 'young partitions analyzed');
}

export const housekeepingJobs: JobList = ({ context }) => [
  { name: 'sweep', everyMs: 60_000, step: () => sweep(context) },
  { name: 'partitions', everyMs: 3_600_000, step: () => makePartitions(context) },
  { name: 'dropPartitions', everyMs: 600_000, step: () => dropPartitions(context) },
  { name: 'analyzePartitions', everyMs: 5_000, step: () => analyzePartitions(context) },
];
