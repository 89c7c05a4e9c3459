import type { RecipientImport } from '@pahatid/contract';
import type { ImportRow } from '@pahatid/db/queries/imports';

export function presentImport(row: ImportRow): RecipientImport {
  const isOver = row.state !== 'waiting';
  const share = row.total_count === 0 ? 0 : Math.min(1, row.read_count / row.total_count);
  return {
    intakeId: row.intake_id,
    kind: row.kind,
    state: row.state,
    error: row.error_code,
    progress: isOver ? 100 : Math.floor(share * 1_000) / 10,
    totalCount: row.total_count,
    addedCount: row.added_count,
    updatedCount: row.updated_count,
    keptCount: row.kept_count,
    file:
      row.file_id === null
        ? null
        : {
            fileId: row.file_id,
            fileName: row.file_name ?? '',
            rejectedCount: row.rejected_count,
            duplicateCount: row.duplicate_count,
          },
    createTime: row.created_at.toISOString(),
    endTime: row.ended_at?.toISOString() ?? null,
  };
}
