/** Raises what was found: a row that the overview shows, a line in the log, a count. Once an hour for each subject. */
import { type NewAlarm, raiseAlarm } from '@pahatid/db/queries/staff-alarms';
import { readDbMs } from '@pahatid/db/queries/task-running';
import type { Logger } from 'pino';
import { staffAlarms } from '../../metrics/job-metrics.ts';
import type { JobContext } from '../../sending/job-context.ts';
import {
  type AlarmBounds,
  findExportAlarms,
  findLookUpAlarms,
  findReceiptAlarms,
  findSignInAlarms,
} from './find-alarms.ts';

type Find = (pool: JobContext['pool'], bounds: AlarmBounds, now: Date) => Promise<NewAlarm[]>;

/** Returns how many were raised. */
async function raise({ pool, log, offsetMs }: JobContext, bounds: AlarmBounds, find: Find): Promise<number> {
  const now = new Date(await readDbMs(pool, offsetMs));
  let raised = 0;
  for (const alarm of await find(pool, bounds, now)) {
    if (!(await raiseAlarm(pool, alarm, now))) continue;
    raised += 1;
    staffAlarms.inc({ kind: alarm.kind });
    report(log, alarm);
  }
  return raised;
}

/** What lies at most an hour back. */
export const watchSignIns = (context: JobContext, bounds: AlarmBounds): Promise<number> =>
  raise(context, bounds, findSignInAlarms);
export const watchReceipts = (context: JobContext, bounds: AlarmBounds): Promise<number> =>
  raise(context, bounds, findReceiptAlarms);
export const watchLookUps = (context: JobContext, bounds: AlarmBounds): Promise<number> =>
  raise(context, bounds, findLookUpAlarms);
/** What lies at most a day back. */
export const watchExports = (context: JobContext, bounds: AlarmBounds): Promise<number> =>
  raise(context, bounds, findExportAlarms);

function report(log: Logger, { kind, facts }: NewAlarm): void {
  switch (kind) {
    case 'passwordSpraying':
      log.warn(facts, 'sign-ins failed for many accounts within an hour');
      break;
    case 'bulkLookUps':
      log.warn(facts, 'very many phone numbers opened within an hour');
      break;
    case 'unusualExports':
      log.warn(facts, 'exports of a day are unusually large');
      break;
    case 'ownerSignIn':
      log.warn(facts, 'owner signed in from a new network or country');
      break;
    case 'receiptsUnmatched':
      log.warn(facts, 'receipts match no message');
      break;
  }
}
