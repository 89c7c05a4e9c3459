/**
 * Exports: files built from lists in the background. A jobs process leases an export, writes one part at a time, each
 * in one transaction with its end position, and releases it after each, so that a long export does not delay short
 * ones. Writes name the owner of the lease: a process that lost it, or whose export was cancelled, writes nothing.
 */
import { type PageOrder, pageBy } from '../keyset.ts';
import { useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, isFree } from './db-clock.ts';
import type { RecordFilter } from './records.ts';

/** Means "no single customer" where the key of a table must name one. */
const nobody = '00000000-0000-0000-0000-000000000000';

export type ExportState = 'waiting' | 'running' | 'ready' | 'failed' | 'cancelled' | 'expired';

export interface ExportRequest {
  filter: RecordFilter;
  fromMs: number;
  toMs: number;
  /** Of the file; left out: all. */
  columns?: readonly string[] | undefined;
}

export interface ExportRow {
  exportId: string;
  customerId: string | null;
  list: 'records';
  /** Whose software asked for it; null: a person. */
  appId: string | null;
  request: ExportRequest | null;
  masked: boolean;
  state: ExportState;
  rowCount: number;
  byteCount: number;
  partCount: number;
  percent: number;
  createdAt: Date;
  endedAt: Date | null;
  expiresAt: Date | null;
}

/** A person, or an application by its software. */
export type ExportOwner =
  | {
      userId: string;
      /** null: staff. */
      customerId: string | null;
    }
  | { appId: string; customerId: string };

/** Who looks at exports: people that see numbers whole also at those of their customer's software. */
export type ExportReader = ExportOwner & { seesSoftware?: boolean };

const columns =
  sql.raw(`export_id as "exportId", customer_id as "customerId", list, app_id as "appId", request, masked, state,
   row_count::float8 as "rowCount", byte_count::float8 as "byteCount", part_count as "partCount", percent,
   created_at as "createdAt", ended_at as "endedAt", expires_at as "expiresAt"`);

const isOfOwner = (owner: ExportOwner): Fragment<unknown> =>
  'userId' in owner
    ? sql`user_id = ${owner.userId}`
    : sql`customer_id = ${owner.customerId} and app_id = ${owner.appId}`;

const isFor = (reader: ExportReader): Fragment<unknown> =>
  'userId' in reader && reader.seesSoftware === true && reader.customerId !== null
    ? sql`(user_id = ${reader.userId} or (customer_id = ${reader.customerId} and app_id is not null))`
    : sql`(${isOfOwner(reader)})`;

/** Takes the owner's own lock, so that two requests can't both be the last one allowed. */
export const countOpenExports = async (tx: Db, owner: ExportOwner): Promise<number> => {
  const name = 'userId' in owner ? owner.userId : owner.appId;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`export ${name}`}, 0))`);
  return (
    await one(
      tx,
      sql<{
        n: number;
      }>`select count(*)::int as n from export_job where ${isOfOwner(owner)} and state in ('waiting', 'running')`,
    )
  ).n;
};

export const addExport = async (
  tx: Db,
  owner: ExportOwner,
  row: { exportId: string; request: ExportRequest; lang: string; masked: boolean; createdAt: Date },
): Promise<void> => {
  const [userId, appId] = 'userId' in owner ? [owner.userId, null] : [null, owner.appId];
  await run(
    tx,
    sql`insert into export_job (export_id, customer_id, user_id, app_id, list, request, lang, masked, created_at)
        values (${row.exportId}, ${owner.customerId}, ${userId}, ${appId}, 'records', ${JSON.stringify(row.request)}, ${row.lang}, ${row.masked}, ${row.createdAt})`,
  );
};

/** Ids are in the order of time. */
export const listExports = (
  db: Db,
  reader: ExportReader,
  page: PageOrder & { limit: number },
): Promise<ExportRow[]> => {
  const { past, orderBy } = pageBy([[sql`export_id`, 'uuid']], page);
  return many(
    db,
    sql<ExportRow>`select ${columns} from export_job where ${isFor(reader)} and ${past}
      order by ${orderBy} limit ${page.limit}`,
  );
};

export const findExport = (db: Db, reader: ExportReader, exportId: string): Promise<ExportRow | null> =>
  maybe(db, sql<ExportRow>`select ${columns} from export_job where ${isFor(reader)} and export_id = ${exportId}`);

/** False: it has ended already. */
export const cancelExport = async (tx: Db, exportId: string, now: Date): Promise<boolean> =>
  (await run(
    tx,
    sql`update export_job set state = 'cancelled', ended_at = ${now}, lease_owner = null, request = '{}'
        where export_id = ${exportId} and state in ('waiting', 'running')`,
  )) === 1;

/** Deletes the file and its row. A running export has to be cancelled first. */
export const deleteExport = async (tx: Db, row: Pick<ExportRow, 'exportId' | 'customerId'>): Promise<boolean> => {
  const gone = await run(
    tx,
    sql`delete from export_job where export_id = ${row.exportId} and state not in ('waiting', 'running')`,
  );
  if (gone === 1) await deleteParts(tx, row);
  return gone === 1;
};

const deleteParts = (tx: Db, { exportId, customerId }: Pick<ExportRow, 'exportId' | 'customerId'>) =>
  run(tx, sql`delete from export_part where customer_id = ${customerId ?? nobody} and export_id = ${exportId}`);

export const readExportPart = async (
  db: Db,
  { exportId, customerId }: Pick<ExportRow, 'exportId' | 'customerId'>,
  seq: number,
): Promise<Buffer | null> =>
  (
    await maybe(
      db,
      sql<{ bytes: Buffer }>`select bytes from export_part
        where customer_id = ${customerId ?? nobody} and export_id = ${exportId} and seq = ${seq}`,
    )
  )?.bytes ?? null;

export interface ExportToWrite {
  readonly exportId: string;
  readonly customerId: string | null;
  /** null: of an application's software. */
  readonly userId: string | null;
  readonly appId: string | null;
  readonly owner: string;
  readonly request: ExportRequest;
  readonly lang: 'zh-CN' | 'en-US';
  readonly masked: boolean;
  readonly seq: number;
  readonly cursor: string | null;
  readonly tries: number;
  readonly createdAt: Date;
  /** Of the user as he is now; of software that of a member. */
  readonly role: string;
  readonly mayRead: boolean;
}

/** The export that has waited longest for its next part. */
export const claimExport = async (
  db: Db,
  owner: string,
  leaseMs: number,
  offsetMs: number,
): Promise<ExportToWrite | null> =>
  maybe(
    db,
    sql<ExportToWrite>`update export_job e
        set state = 'running', lease_owner = ${owner}, lease_until = ${dbNowPlus(leaseMs, offsetMs)}, tries = e.tries + 1
        from (select w.export_id, w.user_id, w.app_id from export_job w
            where w.state in ('waiting', 'running') and ${isFree(sql.ref('w.lease_until'), offsetMs)}
            order by coalesce(w.lease_until, w.created_at) limit 1 for update skip locked) d
          left join app_user u on u.user_id = d.user_id
          left join application t on t.app_id = d.app_id
          left join application a on a.app_id = coalesce(t.test_of, t.app_id)
          left join customer c on c.customer_id = coalesce(u.customer_id, a.customer_id)
        where e.export_id = d.export_id
        returning e.export_id as "exportId", e.customer_id as "customerId", e.user_id as "userId", e.app_id as "appId",
          e.lease_owner as owner, e.request, e.lang, e.masked, e.part_count as seq, e.cursor, e.tries,
          e.created_at as "createdAt", coalesce(u.role, 'member') as role,
          coalesce(c.use_state, 1) = 1 and coalesce(u.use_state, a.use_state) = ${useState.Enabled}
            and (e.user_id is null or u.customer_id is not distinct from e.customer_id) as "mayRead"`,
  );

const held = ({ exportId, owner }: ExportToWrite): Fragment<unknown> =>
  sql`export_id = ${exportId} and lease_owner = ${owner} and state = 'running'`;

export const renewExport = async (
  db: Db,
  claimed: ExportToWrite,
  leaseMs: number,
  offsetMs: number,
): Promise<boolean> =>
  (await run(db, sql`update export_job set lease_until = ${dbNowPlus(leaseMs, offsetMs)} where ${held(claimed)}`)) ===
  1;

/** Gives it back unchanged, for another to go on with. */
export const releaseExport = async (db: Db, claimed: ExportToWrite, offsetMs: number): Promise<void> => {
  await run(db, sql`update export_job set lease_owner = null, lease_until = ${dbNow(offsetMs)} where ${held(claimed)}`);
};

export interface WrittenPart {
  readonly bytes: Buffer;
  readonly rowCount: number;
  /** Before compression. */
  readonly byteCount: number;
  readonly percent: number;
  /** Where the next part begins; null: this was the last. */
  readonly cursor: string | null;
}

/** Call in a transaction. Returns the rows written so far; null: the lease is lost, and nothing was written. */
export const addExportPart = async (
  tx: Db,
  claimed: ExportToWrite,
  part: WrittenPart,
  times: { offsetMs: number; keptMs: number },
): Promise<number | null> => {
  const isLast = part.cursor === null;
  const changed = await maybe(
    tx,
    sql<{
      rowCount: number;
    }>`update export_job set row_count = row_count + ${part.rowCount}, byte_count = byte_count + ${part.byteCount},
          part_count = part_count + 1, percent = ${isLast ? 100 : part.percent}, cursor = ${part.cursor}, tries = 0,
          lease_owner = null, lease_until = ${dbNow(times.offsetMs)},
          state = ${isLast ? 'ready' : 'running'}, request = case when ${isLast} then '{}'::jsonb else request end,
          ended_at = case when ${isLast} then ${dbNow(times.offsetMs)} end,
          expires_at = case when ${isLast} then ${dbNowPlus(times.keptMs, times.offsetMs)} end
        where ${held(claimed)} and part_count = ${claimed.seq} returning row_count::float8 as "rowCount"`,
  );
  if (changed === null) return null;
  await run(
    tx,
    sql`insert into export_part (customer_id, export_id, seq, bytes)
        values (${claimed.customerId ?? nobody}, ${claimed.exportId}, ${claimed.seq}, ${part.bytes})`,
  );
  return changed.rowCount;
};

export const failExport = async (tx: Db, claimed: ExportToWrite, offsetMs: number): Promise<boolean> => {
  const changed = await run(
    tx,
    sql`update export_job set state = 'failed', ended_at = ${dbNow(offsetMs)}, lease_owner = null, request = '{}'
        where ${held(claimed)}`,
  );
  if (changed === 1) await deleteParts(tx, { exportId: claimed.exportId, customerId: claimed.customerId });
  return changed === 1;
};

/**
 * Deletes expired files and parts of cancelled exports; their rows follow a month later. Returns the number of files
 * deleted.
 */
export const sweepExports = async (tx: Db, offsetMs: number, linesMs: number): Promise<number> => {
  const over = await many(
    tx,
    sql<{ exportId: string; customerId: string | null }>`update export_job set state = 'expired', part_count = 0
        where state = 'ready' and expires_at <= ${dbNow(offsetMs)}
        returning export_id as "exportId", customer_id as "customerId"`,
  );
  const stopped = await many(
    tx,
    sql<{ exportId: string; customerId: string | null }>`update export_job set part_count = 0
        where state = 'cancelled' and part_count > 0 returning export_id as "exportId", customer_id as "customerId"`,
  );
  for (const row of [...over, ...stopped]) await deleteParts(tx, row);
  await run(
    tx,
    sql`delete from export_job where state in ('failed', 'cancelled', 'expired') and part_count = 0
        and ended_at < ${dbNow(offsetMs)} - ${linesMs}::float8 * interval '1 millisecond'`,
  );
  return over.length + stopped.length;
};

/** Expires files that may contain a number of this customer immediately; running exports restart. */
export const eraseFromExports = async (tx: Db, customerId: string): Promise<number> => {
  const rows = await many(
    tx,
    sql<{ exportId: string; customerId: string | null }>`update export_job
        set part_count = 0, row_count = 0, byte_count = 0, percent = 0, cursor = null, tries = 0, lease_owner = null,
          lease_until = null, state = case when state = 'ready' then 'expired' else 'waiting' end
        where (customer_id = ${customerId} or customer_id is null)
          and (state in ('ready', 'running'))
        returning export_id as "exportId", customer_id as "customerId"`,
  );
  for (const row of rows) await deleteParts(tx, row);
  return rows.length;
};
