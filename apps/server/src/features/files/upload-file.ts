/**
 * An upload into the database: rows of 1 MB, one transaction each, so that memory stays flat and no transaction lasts
 * as long as a slow connection. A refused or aborted upload leaves nothing; one that dies with the process is cleaned
 * up when its lease has expired.
 */
import type { Readable } from 'node:stream';
import type { ErrorCode } from '@pahatid/contract';
import { type Db, inScope, type Scope, uuidV7 } from '@pahatid/db';
import {
  appendChunk,
  countLooseFiles,
  finishUpload,
  insertUpload,
  removeUpload,
  sumStoredBytes,
} from '@pahatid/db/queries/files';
import { isTestCustomer } from '@pahatid/domain';
import type { Pool } from 'pg';
import { defaultFileLimits } from '../../files/limits.ts';
import { FileProblemError } from '../../files/problem.ts';
import { kindOfName, sniffFile } from '../../files/sniff.ts';
import { bufferSource } from '../../files/source.ts';
import { uploadChunkBytes } from '../../files/upload-chunks.ts';
import { ProblemError } from '../../http/problem.ts';

/** Uploads that no task uses yet, for each customer; they are removed after a day anyway. */
export const looseFilesLimit = 50;
const GiB = 1024 ** 3;
/** All uploads of a customer until they are emptied (30 days unless configured otherwise): a hundred of the largest. */
export const storageLimitBytes = 20 * GiB;
/** Of test mode, where uploads are kept for a day and cost nothing. */
const testStorageLimitBytes = GiB;
/** Longer than the longest silence that an upload is allowed (30 s). */
const uploadLeaseMs = 120_000;
const maxNameChars = 200;

export interface Upload {
  readonly pool: Pool;
  readonly scope: Scope & { readonly customerId: string };
  readonly userId: string | null;
  /** As `cleanName` leaves it. */
  readonly fileName: string;
  /** Fails when the client disconnects. */
  readonly bytes: Readable & { readonly truncated?: boolean };
  /** Bytes; tests may override it. */
  readonly limitBytes?: number;
  /** Of all the customer's files; likewise. */
  readonly storageBytes?: number;
}

/** Returns the file's id once all bytes are stored. Throws a ProblemError for a refused upload. */
export async function uploadFile(upload: Upload): Promise<string> {
  const { fileName } = upload;
  if (kindOfName(fileName) === undefined) throw new ProblemError('FILE_EXTENSION');
  const { customerId } = upload.scope;
  const fileId = uuidV7();
  let begun = false;
  const begin = async (): Promise<void> => {
    await inScope(upload.pool, upload.scope, async (tx) => {
      if ((await countLooseFiles(tx, customerId)) >= looseFilesLimit)
        throw new ProblemError('FILE_LIMIT_REACHED', { limit: looseFilesLimit });
      await assertRoom(tx, upload, fileId, false);
      await insertUpload(tx, { fileId, customerId, fileName, createdBy: upload.userId, leaseMs: uploadLeaseMs });
    });
    begun = true;
  };
  try {
    let seq = 0;
    for await (const { bytes, isLast } of inChunks(upload)) {
      if (seq === 0) {
        await assertContent(fileName, bytes, isLast);
        await begin();
      }
      const chunk = { fileId, customerId, seq, bytes, leaseMs: uploadLeaseMs };
      if (!(await inScope(upload.pool, upload.scope, (tx) => appendChunk(tx, chunk))))
        throw new ProblemError('FILE_UPLOAD_BROKEN');
      seq += 1;
    }
    await inScope(upload.pool, upload.scope, async (tx) => {
      // One after another, so that two that arrive together can't both take the last space.
      await countLooseFiles(tx, customerId);
      await assertRoom(tx, upload, fileId, true);
      if (!(await finishUpload(tx, { fileId, customerId }))) throw new ProblemError('FILE_UPLOAD_BROKEN');
    });
    return fileId;
  } catch (error) {
    if (begun) await inScope(upload.pool, upload.scope, (tx) => removeUpload(tx, fileId)).catch(() => undefined);
    throw error;
  }
}

/** Pieces of 1 MB, the last one shorter; one piece is buffered so that the last is known as such. */
async function* inChunks(upload: Upload): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  const limit = upload.limitBytes ?? defaultFileLimits.maxBytes;
  let parts: Buffer[] = [];
  let held = 0;
  let total = 0;
  for await (const part of readUpload(upload.bytes)) {
    total += part.length;
    if (total > limit) throw tooLarge(limit);
    parts.push(part);
    held += part.length;
    while (held > uploadChunkBytes) {
      const all = Buffer.concat(parts);
      yield { bytes: all.subarray(0, uploadChunkBytes), isLast: false };
      // A copy: the rest must not keep the whole piece alive.
      parts = [Buffer.from(all.subarray(uploadChunkBytes))];
      held = parts[0]?.length ?? 0;
    }
  }
  if (upload.bytes.truncated) throw tooLarge(limit);
  if (total === 0) throw new ProblemError('FILE_EMPTY');
  yield { bytes: Buffer.concat(parts), isLast: true };
}

async function* readUpload(bytes: Readable): AsyncGenerator<Buffer> {
  // Not ended early with the loop: the rest of a refused upload is read away by the caller.
  const parts = bytes.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await parts.next().catch((cause: unknown) => {
        throw Object.assign(new ProblemError('FILE_UPLOAD_BROKEN'), { cause });
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Until the iterator lets go, the stream waits for it and can't be read away.
    await parts.return?.();
  }
}

/** Before an upload there must be room left; at its end it must have fit. */
async function assertRoom(tx: Db, upload: Upload, fileId: string, hasCome: boolean): Promise<void> {
  const { scope, storageBytes = isTestCustomer(upload.scope.customerId) ? testStorageLimitBytes : storageLimitBytes } =
    upload;
  const stored = await sumStoredBytes(tx, scope.customerId, fileId);
  if (hasCome ? stored <= storageBytes : stored < storageBytes) return;
  throw new ProblemError('FILE_STORAGE_FULL', { limitGb: Math.round(storageBytes / GiB) });
}

const tooLarge = (limitBytes: number): ProblemError =>
  new ProblemError('FILE_TOO_LARGE', { limitMb: Math.floor(limitBytes / (1024 * 1024)) });

/** Checks the first bytes; a large workbook's end has not arrived yet, so its content is checked by the parser. */
async function assertContent(fileName: string, head: Buffer, isWhole: boolean): Promise<void> {
  try {
    await sniffFile(fileName, bufferSource(head), defaultFileLimits);
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error;
    const { code, params } = error.problem;
    if (!isWhole && code !== 'FILE_CONTENT_MISMATCH' && code !== 'FILE_ENCRYPTED') return;
    throw new ProblemError(code as ErrorCode, params);
  }
}

/**
 * Returns the bare name, without any path from a browser or a script, and without characters that would change its
 * display (controls, changes of direction); empty for a part that has none.
 */
export function cleanName(fileName: string | undefined): string {
  const base = (fileName ?? '').split(/[\\/]/).at(-1) ?? '';
  const clean = base
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .toWellFormed()
    .trim();
  if (clean.length <= maxNameChars) return clean;
  const dot = clean.lastIndexOf('.');
  return dot < clean.length - 8 ? clean.slice(0, maxNameChars) : clean.slice(0, maxNameChars - 8) + clean.slice(dot);
}
