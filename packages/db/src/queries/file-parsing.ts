/**
 * The parser's side of a file: a lease by which one jobs process at a time reads it, and writes that count only while
 * the lease is held. Every write names the owner, so one that lost its lease (a machine that slept) writes nothing.
 */
import { type Db, maybe, prepared, run, sql } from '../sql.ts';
import { anyOrder, toTurn } from './claim-order.ts';
import { dbNow, dbNowPlus, isFree } from './db-clock.ts';
import type { FileReadingRow, RejectRow } from './files.ts';
import type { LeaseTerms } from './task-checking.ts';

export interface ParseLease {
  readonly fileId: string;
  readonly customerId: string;
  readonly owner: string;
  /** Number of the blocks being written. */
  readonly generation: number;
}

export interface FileToParse extends ParseLease {
  readonly fileName: string;
  readonly size: number;
  /** Chosen by the author; null: to be found. */
  readonly reading: FileReadingRow | null;
}

/** Serializes the claims of all processes: "one file of a size per customer" is checked against committed data. */
const claimLock = 7_240_824_203;

/** Maximum bytes of a file that takes about a second to read while others run. */
export const smallFileBytes = 524_288;

/** Whether a file is not read yet, be it under way: without one there is nothing to claim. */
export const hasUnread = async (db: Db): Promise<boolean> =>
  (await maybe(db, prepared(sql`select from file f where f.file_status = 'processing' limit 1`))) !== null;

/**
 * Leases the oldest waiting file of the next customer. One large and one small file of a customer are read at a time,
 * no more. A released file is ordered by its release time, so that one released repeatedly does not delay the others.
 * Data that an earlier read left under the same generation number is removed.
 */
export const claimFile = async (
  tx: Db,
  { owner, leaseMs, offsetMs }: LeaseTerms,
  order = anyOrder,
): Promise<FileToParse | null> => {
  await run(tx, sql`select pg_advisory_xact_lock(${claimLock})`);
  const row = await maybe(
    tx,
    sql<{
      fileId: string;
      customerId: string;
      fileName: string;
      size: number;
      reading: FileReadingRow | null;
      generation: number;
    }>`update file set parse_owner = ${owner}, parse_lease_until = ${dbNowPlus(leaseMs, offsetMs)},
         parse_started_at = clock_timestamp(), progress = 0, total_rows = 0
       where file_id = (
         select f.file_id from file f
         where f.file_status = 'processing' and ${isFree(sql.ref('f.parse_lease_until'), offsetMs)}
           and (f.size <= ${smallFileBytes} or not ${order.smallOnly}::boolean)
           and not exists (select from file busy where busy.customer_id = f.customer_id and busy.file_status = 'processing'
                             and (busy.size > ${smallFileBytes}) = (f.size > ${smallFileBytes})
                             and not ${isFree(sql.ref('busy.parse_lease_until'), offsetMs)})
         order by ${toTurn(sql.ref('f.customer_id'), order)}, case when f.parse_owner is null then coalesce(f.parse_lease_until, f.created_at) else f.created_at end
         limit 1 for update skip locked)
       returning file_id as "fileId", customer_id as "customerId", file_name as "fileName", size::float8 as size, reading, generation`,
  );
  if (row === null) return null;
  const generation = row.generation + 1;
  await run(tx, sql`delete from file_block where file_id = ${row.fileId} and generation >= ${generation}`);
  await run(tx, sql`delete from file_reject where file_id = ${row.fileId} and generation >= ${generation}`);
  return { ...row, owner, generation };
};

/** Keeps the lease and stores how far the reading is; false when the file was taken away or removed. */
export const renewParse = async (
  db: Db,
  lease: ParseLease,
  progress: { percent: number; totalRows: number },
  leaseMs: number,
  offsetMs = 0,
): Promise<boolean> =>
  (await run(
    db,
    sql`update file set parse_lease_until = ${dbNowPlus(leaseMs, offsetMs)}, progress = ${progress.percent},
          total_rows = ${progress.totalRows}
        where file_id = ${lease.fileId} and parse_owner = ${lease.owner} and file_status = 'processing'`,
  )) === 1;

/** Releases the file for the next claim; the instant is preserved, so that files take turns. */
export const releaseParse = async (db: Db, lease: ParseLease): Promise<void> => {
  await run(
    db,
    sql`update file set parse_owner = null, parse_lease_until = ${dbNow()}, parse_started_at = null, progress = 0, total_rows = 0
        where file_id = ${lease.fileId} and parse_owner = ${lease.owner} and file_status = 'processing'`,
  );
};

/** False when the lease is lost. The row of the file is locked, so no switch can slip in between. */
export const insertBlock = async (
  db: Db,
  lease: ParseLease,
  block: { seq: number; rowCount: number; bytes: Buffer },
): Promise<boolean> =>
  (await run(
    db,
    sql`insert into file_block (file_id, generation, seq, customer_id, row_count, bytes)
        select file_id, ${lease.generation}, ${block.seq}, customer_id, ${block.rowCount}, ${block.bytes} from file
        where file_id = ${lease.fileId} and parse_owner = ${lease.owner} and file_status = 'processing' for share`,
  )) === 1;

export const insertRejects = async (
  db: Db,
  lease: ParseLease,
  seq: number,
  rows: readonly RejectRow[],
): Promise<boolean> =>
  (await run(
    db,
    sql`insert into file_reject (file_id, generation, seq, customer_id, rows)
        select file_id, ${lease.generation}, ${seq}, customer_id, ${JSON.stringify(rows)} from file
        where file_id = ${lease.fileId} and parse_owner = ${lease.owner} and file_status = 'processing' for share`,
  )) === 1;

export interface ParseResult {
  readonly totalRows: number;
  readonly validCount: number;
  readonly duplicateCount: number;
  readonly rejectedCount: number;
  readonly optedOutCount: number;
  readonly columns: readonly unknown[];
  readonly sample: readonly (readonly string[])[];
  readonly sheetNames: readonly string[];
  readonly reading: FileReadingRow;
}

/** The switch: from this statement on the new blocks are the file's; the old ones are removed with it. */
export const finishParse = async (tx: Db, lease: ParseLease, result: ParseResult): Promise<boolean> => {
  const switched = await run(
    tx,
    sql`update file set file_status = 'success', progress = 100, generation = ${lease.generation},
          error_code = null, error_params = null, parse_owner = null, parse_lease_until = null,
          total_rows = ${result.totalRows}, valid_count = ${result.validCount}, duplicate_count = ${result.duplicateCount},
          rejected_count = ${result.rejectedCount}, opted_out_count = ${result.optedOutCount},
          columns = ${JSON.stringify(result.columns)}, sample = ${JSON.stringify(result.sample)},
          sheet_names = ${JSON.stringify(result.sheetNames)}, reading = ${JSON.stringify(result.reading)}
        where file_id = ${lease.fileId} and parse_owner = ${lease.owner} and file_status = 'processing'`,
  );
  if (switched === 0) return false;
  await removeOtherGenerations(tx, lease.fileId, lease.generation);
  return true;
};

/** The file can't be used: its blocks of this reading and of those before go. */
export const failParse = async (
  tx: Db,
  lease: ParseLease,
  problem: {
    code: string;
    params: Readonly<Record<string, string | number>>;
    /** For a workbook in which another sheet can be chosen. */
    sheetNames: readonly string[];
  },
): Promise<boolean> => {
  const failed = await run(
    tx,
    sql`update file set file_status = 'fail', error_code = ${problem.code}, error_params = ${JSON.stringify(problem.params)},
          generation = ${lease.generation}, parse_owner = null, parse_lease_until = null,
          sheet_names = ${JSON.stringify(problem.sheetNames)}, total_rows = 0, valid_count = 0, duplicate_count = 0, rejected_count = 0, opted_out_count = 0
        where file_id = ${lease.fileId} and parse_owner = ${lease.owner} and file_status = 'processing'`,
  );
  if (failed === 0) return false;
  await run(tx, sql`delete from file_block where file_id = ${lease.fileId}`);
  await run(tx, sql`delete from file_reject where file_id = ${lease.fileId}`);
  return true;
};

const removeOtherGenerations = async (tx: Db, fileId: string, generation: number): Promise<void> => {
  await run(tx, sql`delete from file_block where file_id = ${fileId} and generation <> ${generation}`);
  await run(tx, sql`delete from file_reject where file_id = ${fileId} and generation <> ${generation}`);
};

/** Deletes interrupted uploads, and files that no task has used for a day. Returns the number deleted. */
export const sweepFiles = async (db: Db, looseMs: number, offsetMs = 0): Promise<number> =>
  run(
    db,
    sql`delete from file f where (f.file_status = 'uploading' and f.parse_lease_until < ${dbNow(offsetMs)})
        or (f.file_status in ('success', 'fail') and f.created_at < ${dbNowPlus(-looseMs, offsetMs)}
            and not exists (select from task t where t.file_id = f.file_id or t.audience_id = f.file_id)
            and not exists (select from intake i where i.file_id = f.file_id and i.state = 'waiting'))`,
  );
