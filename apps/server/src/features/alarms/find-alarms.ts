/** Finds what staff must look at, over rows that other features write; nothing here runs in a call or while sending. */
import { listSupplierAccounts, listUnmatchedReceipts } from '@pahatid/db/queries/alerts';
import type { NewAlarm } from '@pahatid/db/queries/staff-alarms';
import {
  listExportedFiles,
  listFailedSignIns,
  listLargeExports,
  listOwnerSignIns,
  listSignInsBefore,
  listSoftwareLookUps,
  listUserLookUps,
} from '@pahatid/db/queries/watched-actions';
import type { Pool } from 'pg';
import type { Config } from '../../process/config.ts';
import { judgeFailures, judgeOwnerSignIn } from './judge-sign-ins.ts';
import {
  exportedFiles,
  exportWindowMs,
  knownNetworkMs,
  perPage,
  softwareFactor,
  unmatchedReceipts,
  unusualFactor,
  usualExportsMs,
  windowMs,
} from './limits.ts';

export type AlarmBounds = Config['alarms'];

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

export async function findSignInAlarms(pool: Pool, bounds: AlarmBounds, now: Date): Promise<NewAlarm[]> {
  const since = before(now, windowMs);
  const alarms = judgeFailures(await listFailedSignIns(pool, since), bounds.accounts);
  for (const signIn of await listOwnerSignIns(pool, since)) {
    const earlier = await listSignInsBefore(pool, signIn, before(signIn.at, knownNetworkMs));
    const alarm = judgeOwnerSignIn(signIn, earlier);
    if (alarm !== null) alarms.push(alarm);
  }
  return alarms;
}

export async function findLookUpAlarms(pool: Pool, bounds: AlarmBounds, now: Date): Promise<NewAlarm[]> {
  const since = before(now, windowMs);
  const least = bounds.lookUps;
  const found = [
    ...(await listUserLookUps(pool, { since, least })),
    ...(await listSoftwareLookUps(pool, { since, least: least * softwareFactor, perPage })),
  ];
  return found.map(({ subject, actor, numbers }) => ({ kind: 'bulkLookUps', subject, facts: { actor, numbers } }));
}

export async function findExportAlarms(pool: Pool, bounds: AlarmBounds, now: Date): Promise<NewAlarm[]> {
  const since = before(now, exportWindowMs);
  const large = await listLargeExports(pool, {
    since,
    before: before(now, usualExportsMs),
    least: bounds.exportedRows,
  });
  const unusual = large.filter(({ rows, usualRows }) => rows > usualRows * unusualFactor);
  const files = new Map((await listExportedFiles(pool, { since, least: 1 })).map((each) => [each.subject, each]));
  const alarms = unusual.map(({ subject, actor, rows, usualRows }): NewAlarm => {
    const count = files.get(subject)?.files ?? 0;
    return { kind: 'unusualExports', subject, facts: { actor, rows, files: count, usualRows } };
  });
  const raised = new Set(alarms.map(({ subject }) => subject));
  for (const { subject, actor, files: count } of files.values())
    if (count >= exportedFiles && !raised.has(subject))
      alarms.push({ kind: 'unusualExports', subject, facts: { actor, rows: 0, files: count, usualRows: 0 } });
  return alarms;
}

/** The overview shows them from the same rows for as long as they are there; this is for the log and the metric. */
export async function findReceiptAlarms(pool: Pool): Promise<NewAlarm[]> {
  const found = await listUnmatchedReceipts(pool, unmatchedReceipts);
  const accounts = await listSupplierAccounts(
    pool,
    found.map(({ supplierId }) => supplierId),
  );
  return found.map(({ supplierId, count }) => ({
    kind: 'receiptsUnmatched',
    subject: supplierId,
    facts: { supplierAccount: accounts.get(supplierId) ?? '', count },
  }));
}
