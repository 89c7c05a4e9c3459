/**
 * Writes the next part of the export that has waited longest: pages of the list as csv, compressed, stored in one
 * transaction with the position they end at. A process that dies leaves nothing half-written; when its lease expires,
 * another continues after the last part.
 */
import { exportKeptHours, type Role } from '@pahatid/contract';
import { inScope, messageIdMs, type Scope, withTransaction } from '@pahatid/db';
import {
  addExportPart,
  claimExport,
  type ExportToWrite,
  failExport,
  releaseExport,
  renewExport,
  type WrittenPart,
} from '@pahatid/db/queries/exports';
import { listRecords } from '@pahatid/db/queries/records';
import { listTestApplications } from '@pahatid/db/queries/test-mode';
import { csvLine, isTestCustomer, toLiveCustomer } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { GzipText } from '../../files/gzip-text.ts';
import { seesPhones } from '../../http/phones.ts';
import { type NotifyDeps, notify } from '../../notices/notify.ts';
import type { JobContext } from '../../sending/job-context.ts';
import { recordColumns } from './csv-columns.ts';
import { exportFileName } from './export-file-name.ts';
import { presentRecord, type Reader } from './present-record.ts';

/** A dead process's export is taken up again after this. */
const leaseMs = 8_000;
const pageRows = 1_000;
/**
 * A part is stored at this many bytes of csv, or after this long, so that progress is visible and a restart loses
 * little.
 */
const partBytes = 4_000_000;
const partMs = 3_000;
/** An export that can't be written is not retried forever. */
const mostTries = 8;
const packLevel = 3;

export interface ExportOptions {
  readonly pageRows?: number;
  readonly partBytes?: number;
  /** Between pages, for tests that end it in the middle. */
  readonly onPage?: () => Promise<void>;
}

/** Returns true when a part was processed, so that the next may follow immediately. */
export async function writeNextExport(
  context: JobContext,
  deps: NotifyDeps,
  options: ExportOptions = {},
): Promise<boolean> {
  const { pool, log, owner, offsetMs } = context;
  const claimed = await claimExport(pool, owner, leaseMs, offsetMs);
  if (claimed === null) return false;
  const { exportId } = claimed;
  // A user without read permission gets nothing; an export with too many failures is marked failed.
  if (!claimed.mayRead || claimed.tries > mostTries) {
    await withTransaction(pool, async (tx) => {
      if (await failExport(tx, claimed, offsetMs)) await notifyExport(tx, claimed, null, deps);
    });
    log.warn({ exportId, tries: claimed.tries, mayRead: claimed.mayRead }, 'export failed, no more retries');
    return true;
  }
  try {
    const part = await writePart(context, claimed, options);
    if (part === null) return false;
    const times = { offsetMs, keptMs: exportKeptHours * 3_600_000 };
    const isStored = await withTransaction(pool, async (tx) => {
      const rowCount = await addExportPart(tx, claimed, part, times);
      if (rowCount !== null && part.cursor === null) await notifyExport(tx, claimed, rowCount, deps);
      return rowCount !== null;
    });
    if (isStored && part.cursor === null) log.info({ exportId, parts: claimed.seq + 1 }, 'export ready');
    return true;
  } catch (error) {
    await releaseExport(pool, claimed, offsetMs).catch(() => undefined);
    throw error;
  }
}

/** Notifies the requester that it is ready, or (rows: null) that it could not be created. */
async function notifyExport(
  tx: PoolClient,
  claimed: ExportToWrite,
  rows: number | null,
  deps: NotifyDeps,
): Promise<void> {
  const { exportId, customerId, userId, createdAt } = claimed;
  // Software asks how far it is: no user is notified of what it does.
  if (userId === null) return;
  const params = {
    exportId,
    of: 'records',
    rows: rows ?? 0,
    fileName: `${exportFileName('records', createdAt)}.csv`,
    path: rows === null ? null : '/bussinessStatistics/sendRecord?exports=1',
  };
  await notify(tx, { kind: 'exportReady', customerId, userIds: [userId], params, onceKey: `export:${exportId}` }, deps);
}

/** Null: the lease was lost, or the process ends. */
async function writePart(
  { pool, replicas = null, offsetMs, signal }: JobContext,
  claimed: ExportToWrite,
  options: ExportOptions,
): Promise<WrittenPart | null> {
  const { customerId, appId, request, lang } = claimed;
  const role = claimed.role as Role;
  // By the stricter of what its user saw then and sees now.
  const reader: Reader = { customerId, role: claimed.masked && seesPhones(role) ? 'viewer' : role };
  const columns = recordColumns(customerId === null, request.columns);
  // A person's file of test mode names the test customer; the release before finds none of the customer's records by it.
  const named = request.filter.customerId ?? '';
  const isNamed = customerId !== null && isTestCustomer(named) && toLiveCustomer(named) === customerId;
  const owner = isNamed ? named : customerId;
  const live = new Map(
    owner !== null && isTestCustomer(owner)
      ? (await listTestApplications(pool, toLiveCustomer(owner))).map((each) => [each.appId, each.liveAppId])
      : [],
  );
  const scope: Scope = owner === null ? { staff: true } : { customerId: owner, ...(appId !== null && { appId }) };
  const toMs = Math.min(request.toMs, claimed.createdAt.getTime());
  const read = <T>(work: (tx: PoolClient) => Promise<T>): Promise<T> =>
    replicas === null ? inScope(pool, scope, work) : replicas.read(scope, work, claimed.createdAt);
  const startedAt = performance.now();
  const packed = new GzipText(packLevel);
  if (claimed.seq === 0) await packed.write(`\ufeff${csvLine(columns.map(({ head }) => head[lang]))}`);
  let rowCount = 0;
  let before = claimed.cursor;
  do {
    let text = '';
    const { rows, next } = await read((tx) =>
      listRecords(tx, owner === null ? null : [owner], request.filter, {
        fromMs: request.fromMs,
        toMs,
        before,
        limit: options.pageRows ?? pageRows,
      }),
    );
    for (const row of rows) {
      const shown = presentRecord({ ...row, appId: live.get(row.appId) ?? row.appId }, reader);
      text += csvLine(columns.map(({ value }) => value(shown, lang)));
    }
    await packed.write(text);
    rowCount += rows.length;
    before = next;
    await options.onPage?.();
    if (signal?.aborted) {
      await releaseExport(pool, claimed, offsetMs);
      return null;
    }
    if (!(await renewExport(pool, claimed, leaseMs, offsetMs))) return null;
  } while (
    before !== null &&
    packed.byteCount < (options.partBytes ?? partBytes) &&
    performance.now() - startedAt < partMs
  );
  return {
    bytes: await packed.end(),
    rowCount,
    byteCount: packed.byteCount,
    percent: before === null ? 100 : percentOf(before, request.fromMs, toMs),
    cursor: before,
  };
}

/** Records come newest first, so the finished share is the time from the end down to the last one. */
function percentOf(cursor: string, fromMs: number, toMs: number): number {
  const done = (toMs - messageIdMs(cursor)) / Math.max(1, toMs - fromMs);
  return Math.max(0, Math.min(99, Math.floor(done * 100)));
}
