/** Risks of the database, for the log, `doctor`, /readyz, the metrics and the console's alerts. */
import { statfs } from 'node:fs/promises';
import type { DatabaseRiskKind } from '@pahatid/contract';
import { type Db, splitHosts } from '@pahatid/db';
import { findServedFolder } from '@pahatid/db/embedded';
import { type Durability, readDurability } from '@pahatid/db/queries/durability';
import type { Config } from './config.ts';

/** Leases and schedules compare instants of the database alone; people compare those on screen with their own clocks. */
const MOST_OFFSET_MS = 2_000;
/** As much WAL is written within seconds by a busy system, and is archived within minutes. */
const MOST_UNARCHIVED_BYTES = 1024 ** 3;
const ARCHIVE_PATIENCE_MS = 300_000;
/** Enough for the WAL of a checkpoint, and for a person to react. */
export const LEAST_FREE_BYTES = 1024 ** 3;

export interface DatabaseRisk {
  readonly kind: DatabaseRiskKind;
  /** What was committed may be lost by a crash: messages that were sent would be sent again. */
  readonly isUnsafe: boolean;
  /** For the log. */
  readonly line: string;
}

export interface DatabaseState extends Durability {
  /** Of the embedded database's disk; null: not known. */
  readonly freeBytes: number | null;
  /** Another server may become the primary. */
  readonly mayFailOver: boolean;
}

/** `databaseUrl`: of the database that is asked, null for one that is not embedded. */
export async function readDatabaseState(
  db: Db,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<DatabaseState> {
  const folder = databaseUrl === null ? null : findServedFolder(dataDir, databaseUrl);
  const [durability, disk] = await Promise.all([
    readDurability(db),
    folder === null ? null : statfs(folder).catch(() => null),
  ]);
  const mayFailOver = durability.standbys > 0 || (databaseUrl !== null && splitHosts(databaseUrl).length > 1);
  return { ...durability, freeBytes: disk && disk.bavail * disk.bsize, mayFailOver };
}

/** What may make the database lose what it committed, or not commit at all; those that stop senders first. */
export function listDatabaseRisks(found: DatabaseState): DatabaseRisk[] {
  const { archiveFailedAt: failedAt, archivedAt, unarchivedBytes, freeBytes, clockOffsetMs } = found;
  const archive =
    failedAt !== null
      ? `WAL could not be archived, the last time at ${failedAt.toISOString()}: a backup ends before that`
      : found.isArchiving === false
        ? 'archive_mode is on, and neither archive_command nor archive_library is set: WAL fills the disk'
        : `${Math.round((unarchivedBytes ?? 0) / 1024 ** 2)} MB of WAL wait to be archived, the last was at ${archivedAt?.toISOString()}`;
  const risks: [isRisk: boolean, kind: DatabaseRiskKind, line: string][] = [
    [!found.fsync, 'fsync', 'fsync is off: a power cut may damage the database'],
    [!found.fullPageWrites, 'full_page_writes', 'full_page_writes is off: a power cut may damage the database'],
    [
      found.synchronousCommit === 'off',
      'synchronous_commit',
      'synchronous_commit is off: a crash loses the last commits, and messages already sent may be sent again',
    ],
    [found.isStandby, 'standby', 'the server is a standby: it takes no writes'],
    [
      found.mayFailOver && !found.isSynchronous && !found.isStandby,
      'failover',
      'commits do not wait for a standby (synchronous_standby_names): a failover may lose the last ones, and messages already sent may be sent again',
    ],
    [
      Math.abs(clockOffsetMs) > MOST_OFFSET_MS,
      'clock',
      `the clock of the database differs by ${(clockOffsetMs / 1_000).toFixed(1)} s from that of this machine`,
    ],
    [failedAt !== null || found.isArchiving === false || isLate(found), 'archive', archive],
    [
      freeBytes !== null && freeBytes < LEAST_FREE_BYTES,
      'disk',
      `the disk of the database has ${Math.floor((freeBytes ?? 0) / 1024 ** 2)} MB left`,
    ],
  ];
  return risks
    .filter(([isRisk]) => isRisk)
    .map(([, kind, line]) => ({ kind, isUnsafe: unsafeKinds.includes(kind), line }));
}

const unsafeKinds: readonly DatabaseRiskKind[] = ['fsync', 'full_page_writes', 'synchronous_commit'];

const isLate = ({ archivedAt, unarchivedBytes, clockOffsetMs }: Durability): boolean =>
  archivedAt !== null &&
  (unarchivedBytes ?? 0) > MOST_UNARCHIVED_BYTES &&
  Date.now() + clockOffsetMs - archivedAt.getTime() > ARCHIVE_PATIENCE_MS;

/** Of the risks, those with which nothing is sent. A standby takes no writes, whatever is allowed. */
export const findStoppingRisks = (
  risks: readonly DatabaseRisk[],
  { allowsUnsafeDatabase }: Pick<Config, 'allowsUnsafeDatabase'>,
): DatabaseRisk[] => risks.filter(({ kind, isUnsafe }) => kind === 'standby' || (isUnsafe && !allowsUnsafeDatabase));
