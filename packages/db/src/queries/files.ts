/**
 * Uploaded files: `uploading` (bytes arrive, leased by the upload) → `processing` (a parser reads it, leased by a jobs
 * process) → `success` or `fail`. Each reading writes its blocks under the next generation number, which nothing reads
 * until one statement makes it the file's generation; so a reading that dies leaves nothing anyone can see.
 */
import { type Db, many, maybe, one, run, sql } from '../sql.ts';
import { dbNowPlus } from './db-clock.ts';
import { findErasedOptOuts } from './erased-opt-outs.ts';
import { ofCustomer } from './real-customers.ts';

/** The detected values; until then the chosen ones, with both of the columns or neither. */
export interface FileReadingRow {
  hasHeader?: boolean;
  phoneColumn?: number;
  sheetName?: string;
}

export interface FileRow {
  fileId: string;
  customerId: string;
  fileName: string;
  size: number;
  fileStatus: 'uploading' | 'processing' | 'success' | 'fail';
  errorCode: string | null;
  errorParams: Record<string, string | number> | null;
  progress: number;
  /** While the file is processing: read so far. */
  totalRows: number;
  /** Since the parser began; null until then. */
  parseSeconds: number | null;
  validCount: number;
  duplicateCount: number;
  rejectedCount: number;
  optedOutCount: number;
  columns: { index: number; name: string; first: string }[];
  sample: string[][];
  sheetNames: string[];
  reading: FileReadingRow | null;
  generation: number;
  createdAt: Date;
}

const fileColumns = sql.raw(
  `file_id as "fileId", customer_id as "customerId", file_name as "fileName", size::float8 as size,
   file_status as "fileStatus", error_code as "errorCode", error_params as "errorParams", progress,
   total_rows as "totalRows", extract(epoch from clock_timestamp() - parse_started_at)::float8 as "parseSeconds",
   valid_count as "validCount", duplicate_count as "duplicateCount", rejected_count as "rejectedCount",
   opted_out_count as "optedOutCount", columns, sample, sheet_names as "sheetNames", reading, generation,
   created_at as "createdAt"`,
);

/**
 * Uploads not yet used by a task; the customer's row is locked so that two uploads can't both be the last one allowed.
 */
export const countLooseFiles = async (db: Db, customerId: string): Promise<number> => {
  await run(db, sql`select 1 from customer where customer_id = ${customerId} for no key update`);
  const { n } = await one(
    db,
    sql<{ n: number }>`select count(*)::int as n from file f where f.customer_id = ${customerId} and not f.is_audience
      and not exists (select from task t where t.customer_id = f.customer_id and t.file_id = f.file_id)`,
  );
  return n;
};

/** Bytes of all the customer's stored uploads; of those still arriving, only this one. */
export const sumStoredBytes = async (db: Db, customerId: string, fileId: string): Promise<number> => {
  const { n } = await one(
    db,
    sql<{ n: number }>`select coalesce(sum(size), 0)::float8 as n from file
      where customer_id = ${customerId} and error_code is distinct from 'FILE_EXPIRED'
        and (file_status <> 'uploading' or file_id = ${fileId})`,
  );
  return n;
};

export const insertUpload = async (
  db: Db,
  upload: { fileId: string; customerId: string; fileName: string; createdBy: string | null; leaseMs: number },
): Promise<void> => {
  await run(
    db,
    sql`insert into file (file_id, customer_id, file_name, file_status, parse_lease_until, created_by)
        values (${upload.fileId}, ${upload.customerId}, ${upload.fileName}, 'uploading', ${dbNowPlus(upload.leaseMs)}, ${upload.createdBy})`,
  );
};

/** Stores one piece and renews the upload's lease; false when the upload was swept meanwhile. */
export const appendChunk = async (
  db: Db,
  chunk: { fileId: string; customerId: string; seq: number; bytes: Buffer; leaseMs: number },
): Promise<boolean> =>
  (await run(
    db,
    sql`with alive as (
          update file set parse_lease_until = ${dbNowPlus(chunk.leaseMs)}, size = size + ${chunk.bytes.length}
          where file_id = ${chunk.fileId} and customer_id = ${chunk.customerId} and file_status = 'uploading'
          returning file_id, customer_id)
        insert into file_chunk (file_id, seq, customer_id, bytes)
        select file_id, ${chunk.seq}, customer_id, ${chunk.bytes} from alive`,
  )) === 1;

export const finishUpload = async (db: Db, upload: { fileId: string; customerId: string }): Promise<boolean> =>
  (await run(
    db,
    sql`update file set file_status = 'processing', parse_lease_until = null
        where file_id = ${upload.fileId} and customer_id = ${upload.customerId} and file_status = 'uploading'`,
  )) === 1;

/** Removes everything left by a broken or refused upload. */
export const removeUpload = async (db: Db, fileId: string): Promise<void> => {
  await run(db, sql`delete from file where file_id = ${fileId} and file_status = 'uploading'`);
};

export const findFile = async (db: Db, customerId: string | null, fileId: string): Promise<FileRow | null> =>
  maybe(
    db,
    sql<FileRow>`select ${fileColumns} from file
      where file_id = ${fileId} and ${ofCustomer(sql`customer_id`, customerId)} and not is_audience`,
  );

/** The same with its row locked against being read again or removed. */
export const lockFile = async (db: Db, customerId: string, fileId: string): Promise<FileRow | null> =>
  maybe(
    db,
    sql<FileRow>`select ${fileColumns} from file where file_id = ${fileId} and customer_id = ${customerId} and not is_audience
      for no key update`,
  );

/** Prevents a file from being read again or removed until the task that will use it is written. */
export const holdFile = async (tx: Db, customerId: string, fileId: string): Promise<void> => {
  await run(tx, sql`select 1 from file where file_id = ${fileId} and customer_id = ${customerId} for share`);
};

/** Name of a task that uses the file: any task, or only those in one of `statuses`. */
export const findFileUser = async (
  db: Db,
  customerId: string,
  fileId: string,
  statuses: readonly number[] | null = null,
): Promise<string | null> => {
  const row = await maybe(
    db,
    sql<{
      taskName: string;
    }>`select task_name as "taskName" from task where customer_id = ${customerId} and file_id = ${fileId}
      and (${statuses}::smallint[] is null or task_status = any(${statuses}::smallint[])) order by created_at limit 1`,
  );
  return row?.taskName ?? null;
};

/** Returns the file to `processing` with the author's choice of columns, which the next parse uses. */
export const readAgain = async (
  db: Db,
  customerId: string,
  fileId: string,
  reading: FileReadingRow,
): Promise<FileRow | null> =>
  maybe(
    db,
    sql<FileRow>`update file set file_status = 'processing', reading = ${JSON.stringify(reading)}, progress = 0,
        total_rows = 0, parse_started_at = null,
        error_code = null, error_params = null, parse_owner = null, parse_lease_until = null
      where file_id = ${fileId} and customer_id = ${customerId} and file_status in ('success', 'fail')
      returning ${fileColumns}`,
  );

/** Chunks, blocks and rejects go with it. */
export const removeFile = async (db: Db, customerId: string, fileId: string): Promise<boolean> =>
  (await run(db, sql`delete from file where file_id = ${fileId} and customer_id = ${customerId}`)) === 1;

export const readChunk = async (db: Db, fileId: string, seq: number): Promise<Buffer | undefined> => {
  const row = await maybe(
    db,
    sql<{ bytes: Buffer }>`select bytes from file_chunk where file_id = ${fileId} and seq = ${seq}`,
  );
  return row?.bytes;
};

export type RejectRow = [line: number, raw: string, reason: string];

/** Rejected rows of a reading, a stored piece (up to 1,000 rows) at a time. */
export const readFileRejects = async (
  db: Db,
  file: { fileId: string; customerId: string; generation: number },
  seq: number,
): Promise<RejectRow[] | null> => {
  const row = await maybe(
    db,
    sql<{ rows: RejectRow[] }>`select rows from file_reject where file_id = ${file.fileId}
      and customer_id = ${file.customerId} and generation = ${file.generation} and seq = ${seq}`,
  );
  return row?.rows ?? null;
};

/** Returns how many recipients the blocks of a file hold. */
export const countBlockRows = async (db: Db, file: { fileId: string; generation: number }): Promise<number> =>
  (
    await one(
      db,
      sql<{ n: number }>`select coalesce(sum(row_count), 0)::int as n from file_block
        where file_id = ${file.fileId} and generation = ${file.generation}`,
    )
  ).n;

/** Blocks [from, from + count) of a generation, in order. */
export const readBlocks = async (
  db: Db,
  file: { fileId: string; generation: number },
  from: number,
  count: number,
): Promise<{ seq: number; rowCount: number; bytes: Buffer }[]> =>
  many(
    db,
    sql<{ seq: number; rowCount: number; bytes: Buffer }>`select seq, row_count as "rowCount", bytes from file_block
      where file_id = ${file.fileId} and generation = ${file.generation} and seq >= ${from} and seq < ${from + count}
      order by seq`,
  );

/** Numbers of a block that this customer must not send marketing to, those erased since included. */
export const findOptedOut = async (db: Db, customerId: string, msisdns: readonly string[]): Promise<Set<string>> => {
  const rows = await many(
    db,
    sql<{
      msisdn: string;
    }>`select msisdn from opt_out where customer_id = ${customerId} and msisdn = any(${msisdns}::text[])`,
  );
  const erased = await findErasedOptOuts(db, customerId, msisdns);
  return new Set([...rows.map((row) => row.msisdn), ...erased]);
};
