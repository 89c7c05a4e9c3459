import { type FileRow, findFile, holdFile } from '@pahatid/db/queries/files';
import type { PoolClient } from 'pg';
import { ProblemError } from '../http/problem.ts';

/** Returns an upload that was parsed and contains recipients, locked so that it stays as it was checked. */
export async function findReadFile(tx: PoolClient, customerId: string, fileId: string): Promise<FileRow> {
  await holdFile(tx, customerId, fileId);
  const file = await findFile(tx, customerId, fileId);
  if (file === null || file.fileStatus === 'uploading') throw new ProblemError('FILE_NOT_FOUND', { fileId });
  if (file.fileStatus === 'processing') throw new ProblemError('FILE_PROCESSING');
  if (file.fileStatus !== 'success' || file.validCount === 0) throw new ProblemError('FILE_NOT_USABLE');
  return file;
}
