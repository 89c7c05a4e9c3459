import type { RecipientImport } from '@pahatid/contract';
import type { ImportRow } from '@pahatid/db/queries/imports';

export function presentImport(row: ImportRow): RecipientImport {
  const isOver = row.state !== 'waiting';
  const share = row.totalCount === 0 ? 0 : Math.min(1, row.readCount / row.totalCount);
  return {
    importId: row.importId,
    kind: row.kind,
    state: row.state,
    error: row.errorCode,
    progress: isOver ? 100 : Math.floor(share * 1_000) / 10,
    totalCount: row.totalCount,
    addedCount: row.addedCount,
    updatedCount: row.updatedCount,
    keptCount: row.keptCount,
    file:
      row.fileId === null
        ? null
        : {
            fileId: row.fileId,
            fileName: row.fileName ?? '',
            rejectedCount: row.rejectedCount,
            duplicateCount: row.duplicateCount,
          },
    createTime: row.createdAt.toISOString(),
    endTime: row.endedAt?.toISOString() ?? null,
  };
}
