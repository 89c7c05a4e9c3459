/**
 * Reads one waiting file in a parser process. The lease is renewed while it runs; when it is lost (this machine slept,
 * the file was removed) the parser is ended and its output stays invisible. When the process dies, the next process
 * that claims the file restarts from the stored bytes, and gets the same rows.
 */
import { withTransaction } from '@pahatid/db';
import {
  claimFile,
  type FileToParse,
  failParse,
  finishParse,
  hasUnread,
  insertBlock,
  insertRejects,
  releaseParse,
  renewParse,
} from '@pahatid/db/queries/file-parsing';
import { findOptedOut, readChunk } from '@pahatid/db/queries/files';
import { decodeBlock } from '../../files/blocks.ts';
import type { FileLimits } from '../../files/limits.ts';
import { type FileProgress, type ParsedFile, parseFile } from '../../files/parse-file.ts';
import { pieceSource } from '../../files/source.ts';
import { uploadChunkBytes } from '../../files/upload-chunks.ts';
import { type Lane, makeLane, toClaimOrder } from '../../process/lanes.ts';
import type { JobContext } from '../../sending/job-context.ts';

/** A dead parser's file is taken again after this. */
const leaseMs = 8_000;
/** Progress is written, and the lease renewed, this often. */
const renewEveryMs = 500;
/** A parser that is killed again and again is killed by the file. */
const maxStops = 3;

export interface ParseOptions {
  readonly limits?: Partial<FileLimits>;
  readonly onStart?: (pid: number) => void;
  readonly lane?: Lane;
}

/** How often a file's parser was ended from outside, in this process's life. */
const stops = new Map<string, number>();

/** Returns true when a file was processed, so that the next may follow immediately. */
export async function parseNextFile(context: JobContext, options: ParseOptions = {}): Promise<boolean> {
  const { pool, log, owner, offsetMs } = context;
  const { lane = makeLane() } = options;
  if (!(await hasUnread(pool))) return false;
  const file = await withTransaction(pool, (tx) => claimFile(tx, { owner, leaseMs, offsetMs }, toClaimOrder(lane)));
  if (file === null) return false;
  lane.turns.serve(file.customerId);
  const lost = new AbortController();
  const signal = context.signal ? AbortSignal.any([context.signal, lost.signal]) : lost.signal;
  let progress = { percent: 0, totalRows: 0 };
  const renew = async (): Promise<void> => {
    if (!(await renewParse(pool, file, progress, leaseMs, offsetMs))) lost.abort(new Error('lease lost'));
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      log.warn(
        { err: error, fileId: file.fileId },
        'lease of a file not renewed, another process may read the file again',
      ),
    );
  }, renewEveryMs);
  try {
    const reading = readInto(context, file, options, signal, (value) => {
      progress = value;
    });
    await settle(context, file, await reading);
    return true;
  } catch (error) {
    await releaseParse(pool, file).catch(() => undefined);
    if (signal.aborted) return false;
    throw error;
  } finally {
    clearInterval(timer);
  }
}

interface Reading {
  readonly parsed: ParsedFile;
  readonly optedOutCount: number;
}

async function readInto(
  { pool, log }: JobContext,
  file: FileToParse,
  options: ParseOptions,
  signal: AbortSignal,
  onProgress: (progress: FileProgress) => void,
): Promise<Reading> {
  let rejectSeq = 0;
  let optedOutCount = 0;
  const assertHeld = (held: boolean): void => {
    if (!held) throw new Error(`the lease of file ${file.fileId} is lost`);
  };
  const parsed = await parseFile({
    fileName: file.fileName,
    source: pieceSource(file.size, uploadChunkBytes, (seq) => readChunk(pool, file.fileId, seq)),
    ...(file.reading === null ? {} : { reading: file.reading }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    signal,
    onProgress,
    onBlock: async (block) => {
      const msisdns = decodeBlock(block.bytes).map((row) => row.msisdn);
      optedOutCount += (await findOptedOut(pool, file.customerId, msisdns)).size;
      assertHeld(await insertBlock(pool, file, block));
    },
    onRejects: async (rows) => {
      const stored = rows.map(({ line, raw, reason }): [number, string, string] => [line, raw, reason]);
      assertHeld(await insertRejects(pool, file, rejectSeq, stored));
      rejectSeq += 1;
    },
    ...(options.onStart === undefined ? {} : { onStart: options.onStart }),
    onErrorOutput: (text) =>
      log.warn({ fileId: file.fileId, output: text.slice(0, 2_000) }, 'file parser wrote to stderr'),
  });
  return { parsed, optedOutCount };
}

async function settle({ pool, log }: JobContext, file: FileToParse, reading: Reading): Promise<void> {
  const { parsed, optedOutCount } = reading;
  if (parsed.ok) {
    const { totalRows, validCount, duplicateCount, rejectedCount, columns, sample, sheetNames } = parsed;
    const { hasHeader, phoneColumn, sheetName } = parsed.reading;
    const counts = { totalRows, validCount, duplicateCount, rejectedCount, optedOutCount };
    await withTransaction(pool, (tx) =>
      finishParse(tx, file, {
        ...counts,
        columns,
        sample,
        sheetNames,
        reading: { hasHeader, phoneColumn, ...(sheetName === undefined ? {} : { sheetName }) },
      }),
    );
    stops.delete(file.fileId);
    log.info({ fileId: file.fileId, ...counts, cost: parsed.cost }, 'file parsed');
    return;
  }
  const { problem } = parsed;
  const stopped = problem.code === 'FILE_PARSER_STOPPED';
  const times = (stops.get(file.fileId) ?? 0) + 1;
  if (stopped && times < maxStops) {
    stops.set(file.fileId, times);
    await releaseParse(pool, file);
    log.warn({ fileId: file.fileId, times }, 'file parser killed, will retry');
    return;
  }
  stops.delete(file.fileId);
  const { code, params, sheetNames = [] } = stopped ? { code: 'FILE_UNREADABLE', params: {} } : problem;
  await withTransaction(pool, (tx) => failParse(tx, file, { code, params, sheetNames }));
  log.info({ fileId: file.fileId, code }, 'file rejected');
}
