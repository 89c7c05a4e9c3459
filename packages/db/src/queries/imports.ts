/**
 * Imports of numbers into a group or the list of opt-outs: leased by one jobs process at a time, which processes the
 * source step by step. The cursor moves in the transaction that writes the processed rows, so that a process that dies
 * in between has lost or repeated nothing.
 */
import type { RecipientImport, TaskOutcome } from '@pahatid/contract';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, isFree } from './db-clock.ts';
import type { LeaseTerms } from './task-checking.ts';

/** Operation and parameters of the import. */
export interface ImportParams {
  /** Of a file: which column is which value of the group, by the value's place (from 0). */
  columns?: { place: number; column: number }[];
  /** The reading of the file that was mapped. */
  generation?: number;
  /** Of a task. */
  outcomes?: TaskOutcome[];
  /** Of groups: in which order. */
  groupIds?: string[];
  /** Of opt-outs: written down with each number. */
  evidence?: string;
  /** Of consents: their evidence, the time they were given, and the column with each number's own. */
  evidenceId?: string;
  givenAt?: string;
  timeColumn?: number;
}

/**
 * Where the next step begins: block of a file, batch of a task, or index in `groupIds` and the last number processed
 * there.
 */
export interface ImportCursor {
  block?: number;
  batch?: string;
  group?: number;
  after?: string;
}

export interface ImportRow {
  importId: string;
  customerId: string;
  groupId: string | null;
  kind: RecipientImport['kind'];
  state: RecipientImport['state'];
  fileId: string | null;
  fileName: string | null;
  rejectedCount: number;
  duplicateCount: number;
  totalCount: number;
  readCount: number;
  addedCount: number;
  updatedCount: number;
  keptCount: number;
  errorCode: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

const importColumns = sql.raw(
  `i.intake_id as "importId", i.customer_id as "customerId", i.group_id as "groupId", i.kind, i.state,
   i.file_id as "fileId", f.file_name as "fileName", coalesce(f.rejected_count, 0) as "rejectedCount",
   coalesce(f.duplicate_count, 0) as "duplicateCount", i.total_count as "totalCount", i.read_count as "readCount",
   i.added_count as "addedCount", i.updated_count as "updatedCount", i.kept_count as "keptCount",
   i.error_code as "errorCode", i.created_at as "createdAt", i.ended_at as "endedAt"`,
);

/** Of a group, or of the list of opt-outs or consents; the latest ten. Null as the customer: staff. */
export const listImports = async (
  db: Db,
  customerId: string | null,
  of: { groupId: string } | 'optOut' | 'consent',
): Promise<ImportRow[]> =>
  many(
    db,
    sql<ImportRow>`select ${importColumns} from intake i left join file f on f.file_id = i.file_id
      where ${customerId === null ? sql`true` : sql`i.customer_id = ${customerId}`}
        and ${typeof of === 'string' ? sql`i.group_id is null and i.kind = ${of}` : sql`i.group_id = ${of.groupId}`}
      order by i.created_at desc, i.intake_id desc limit 10`,
  );

export const findImport = async (db: Db, customerId: string, importId: string): Promise<ImportRow | null> =>
  maybe(
    db,
    sql<ImportRow>`select ${importColumns} from intake i left join file f on f.file_id = i.file_id
      where i.intake_id = ${importId} and i.customer_id = ${customerId}`,
  );

export interface NewImport {
  importId: string;
  customerId: string;
  groupId: string | null;
  kind: RecipientImport['kind'];
  fileId?: string;
  taskId?: string;
  params: ImportParams;
  overwrite?: boolean;
  totalCount: number;
  createdBy: string | null;
}

export const insertImport = async (tx: Db, recipientImport: NewImport): Promise<void> => {
  await run(
    tx,
    sql`insert into intake (intake_id, customer_id, group_id, kind, file_id, task_id, params, overwrite, total_count, created_by)
        values (${recipientImport.importId}, ${recipientImport.customerId}, ${recipientImport.groupId}, ${recipientImport.kind}, ${recipientImport.fileId ?? null},
                ${recipientImport.taskId ?? null}, ${JSON.stringify(recipientImport.params)}, ${recipientImport.overwrite ?? false},
                ${recipientImport.totalCount}, ${recipientImport.createdBy})`,
  );
};

/** Name of a group that is being filled, among these. */
export const findBusyGroup = async (
  db: Db,
  customerId: string,
  groupIds: readonly string[],
): Promise<string | null> => {
  const row = await maybe(
    db,
    sql<{
      groupName: string;
    }>`select g.group_name as "groupName" from intake i join message_group g on g.group_id = i.group_id
      where i.customer_id = ${customerId} and i.state = 'waiting' and i.group_id = any(${groupIds}::uuid[]) limit 1`,
  );
  return row?.groupName ?? null;
};

export interface ImportWork {
  importId: string;
  customerId: string;
  groupId: string | null;
  kind: RecipientImport['kind'];
  fileId: string | null;
  taskId: string | null;
  params: ImportParams;
  overwrite: boolean;
  cursor: ImportCursor;
  createdBy: string | null;
}

/** The one that came first, of a group into which nothing else is being filled: those of a group follow one another. */
export const claimImport = async (db: Db, terms: LeaseTerms): Promise<{ importId: string } | null> => {
  return await maybe(
    db,
    sql<{ importId: string }>`update intake set owner = ${terms.owner},
        lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)}
      where intake_id = (
        select i.intake_id from intake i where i.state = 'waiting' and ${isFree(sql.ref('i.lease_until'), terms.offsetMs)}
          and not exists (select from intake b where b.state = 'waiting' and b.customer_id = i.customer_id
            and b.group_id is not distinct from i.group_id and (b.created_at, b.intake_id) < (i.created_at, i.intake_id))
        order by coalesce(i.lease_until, i.created_at) limit 1 for update skip locked)
      returning intake_id as "importId"`,
  );
};

/** Returns the current state of the work, locked until the transaction ends; null if the lease is lost. */
export const lockImport = async (tx: Db, importId: string, owner: string): Promise<ImportWork | null> =>
  maybe(
    tx,
    sql<ImportWork>`select intake_id as "importId", customer_id as "customerId", group_id as "groupId", kind, file_id as "fileId",
        task_id as "taskId", params, overwrite, cursor, created_by as "createdBy"
      from intake where intake_id = ${importId} and owner = ${owner} and state = 'waiting' for update`,
  );

export interface ImportStep {
  importId: string;
  /** Null: this was the last. */
  cursor: ImportCursor | null;
  read: number;
  added: number;
  updated: number;
  kept: number;
  /** Ends it. */
  error: string | null;
}

export const advanceImport = async (tx: Db, step: ImportStep, terms: LeaseTerms): Promise<void> => {
  const state = step.error === null ? (step.cursor === null ? 'done' : 'waiting') : 'fail';
  await run(
    tx,
    sql`update intake set state = ${state}, cursor = ${JSON.stringify(step.cursor ?? {})}, error_code = ${step.error},
          read_count = read_count + ${step.read}, added_count = added_count + ${step.added},
          updated_count = updated_count + ${step.updated}, kept_count = kept_count + ${step.kept},
          lease_until = ${state === 'waiting' ? dbNowPlus(terms.leaseMs, terms.offsetMs) : sql`null`},
          ended_at = ${state === 'waiting' ? sql`null` : sql`clock_timestamp()`}
        where intake_id = ${step.importId}`,
  );
};

/** Releases it for the next claim. */
export const releaseImport = async (db: Db, importId: string, owner: string, offsetMs = 0): Promise<void> => {
  await run(
    db,
    sql`update intake set owner = null, lease_until = ${dbNow(offsetMs)}
        where intake_id = ${importId} and owner = ${owner} and state = 'waiting'`,
  );
};

/** What ended long ago. */
export const sweepImports = async (db: Db, ageMs: number, offsetMs = 0): Promise<number> =>
  run(db, sql`delete from intake where state <> 'waiting' and ended_at < ${dbNowPlus(-ageMs, offsetMs)}`);
