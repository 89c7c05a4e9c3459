import type { Durability } from '@pahatid/db/queries/durability';

/** Leases and schedules compare instants of the database alone; people compare those on screen with their own clocks. */
const MOST_OFFSET_MS = 2_000;

/** What may make the database lose what it committed, or not commit at all; a line each. */
export function listDatabaseRisks(found: Durability): string[] {
  const risks: [isRisk: boolean, line: string][] = [
    [!found.fsync, 'fsync is off: a power cut may damage the database'],
    [!found.fullPageWrites, 'full_page_writes is off: a power cut may damage the database'],
    [
      found.synchronousCommit === 'off',
      'synchronous_commit is off: a crash loses the last commits, and messages already sent may be sent again',
    ],
    [found.isStandby, 'the server is a standby: it takes no writes'],
    [
      Math.abs(found.clockOffsetMs) > MOST_OFFSET_MS,
      `the clock of the database differs by ${(found.clockOffsetMs / 1_000).toFixed(1)} s from that of this machine`,
    ],
    [
      found.archiveFailedAt !== null,
      `WAL could not be archived, the last time at ${found.archiveFailedAt?.toISOString()}: a backup ends before that`,
    ],
  ];
  return risks.filter(([isRisk]) => isRisk).map(([, line]) => line);
}
