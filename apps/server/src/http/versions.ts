import { findLastSave, type VersionedTable } from '@pahatid/db/queries/versions';
import type { PoolClient } from 'pg';
import { ProblemError } from './problem.ts';

/** Throws the error for a change based on an older version, with the user that saved in between and the time. */
export async function versionConflict(tx: PoolClient, table: VersionedTable, id: string): Promise<ProblemError> {
  const last = await findLastSave(tx, table, id);
  if (last === null) return new ProblemError('NOT_FOUND');
  return new ProblemError('VERSION_CONFLICT', {
    version: last.version,
    editedTime: last.editedAt?.toISOString() ?? '',
    // Empty for staff, whose names customers don't see.
    editedBy: last.editedBy ?? '',
  });
}

/** For an entity that the transaction holds locked: throws if the caller made its change from an older version. */
export async function assertVersion(
  tx: PoolClient,
  table: VersionedTable,
  id: string,
  versions: { stored: number; seen: number | undefined },
): Promise<void> {
  if (versions.seen !== undefined && versions.seen !== versions.stored) throw await versionConflict(tx, table, id);
}
