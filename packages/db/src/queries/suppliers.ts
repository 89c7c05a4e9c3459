/** Supplier accounts as senders see them, and the state of their binds. */
import type { BreakerState } from '@pahatid/domain';
import { useState } from '../literals.ts';
import { type Db, many, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

export interface SupplierRow {
  supplierId: string;
  supplierAccount: string;
  host: string;
  port: number;
  systemId: string;
  passwordSealed: string;
  bindType: 'transceiver' | 'transmitter+receiver';
  bindCount: number;
  windowSize: number;
  tps: number;
  profile: Record<string, unknown>;
  /** Whether it may be used, by its answers. */
  breakerState: BreakerState;
  /** The carrier that is part of the program: at no address. */
  isTest: boolean;
}

export const listSuppliers = async (db: Db): Promise<SupplierRow[]> =>
  await many<SupplierRow>(
    db,
    sql`select s.supplier_id as "supplierId", s.supplier_account as "supplierAccount", s.host, s.port,
               s.system_id as "systemId", s.password_sealed as "passwordSealed", s.bind_type as "bindType",
               s.bind_count as "bindCount", s.window_size as "windowSize", s.tps, s.profile,
               coalesce(k.state, 'closed') as "breakerState", coalesce(s.is_test, false) as "isTest"
        from supplier s left join supplier_breaker k using (supplier_id) where s.use_state = ${useState.Enabled} order by s.supplier_id`,
  );

export interface BindStateRow {
  supplierId: string;
  bindNo: number;
  /** connecting, bound, waiting (for the next try), refused */
  state: string;
  /** Unix milliseconds. */
  sinceMs: number;
  lastError: string | null;
  /** submit_sm unanswered. */
  windowUsed?: number;
  /** submit_sm in the last second. */
  rate?: number;
  /** When it is tried again, Unix milliseconds. */
  retryMs?: number | null;
  /** Since when it is missing, Unix milliseconds; null while it is bound. */
  lostMs?: number | null;
}

/** Stores the state of all binds of a process, and deletes those it no longer has. */
export const saveBindStates = async (db: Db, owner: string, rows: readonly BindStateRow[]): Promise<void> => {
  await run(
    db,
    sql`insert into bind_state (supplier_id, owner, bind_no, state, since, seen_at, last_error, window_used, rate, retry_at, lost_at)
        select s, ${owner}, n, st, to_timestamp(since / 1000.0), ${dbNow()}, e, w, r, to_timestamp(retry / 1000.0),
          to_timestamp(lost / 1000.0)
        from unnest(${rows.map((row) => row.supplierId)}::uuid[], ${rows.map((row) => row.bindNo)}::int[],
          ${rows.map((row) => row.state)}::text[], ${rows.map((row) => Math.round(row.sinceMs))}::bigint[],
          ${rows.map((row) => row.lastError)}::text[], ${rows.map((row) => row.windowUsed ?? 0)}::int[],
          ${rows.map((row) => Math.round(row.rate ?? 0))}::int[],
          ${rows.map((row) => (row.retryMs == null ? null : Math.round(row.retryMs)))}::bigint[],
          ${rows.map((row) => (row.lostMs == null ? null : Math.round(row.lostMs)))}::bigint[])
          as i(s, n, st, since, e, w, r, retry, lost)
        where exists (select from supplier where supplier_id = s)
        on conflict (supplier_id, owner, bind_no) do update set state = excluded.state, since = excluded.since,
          seen_at = excluded.seen_at, last_error = excluded.last_error, window_used = excluded.window_used,
          rate = excluded.rate, retry_at = excluded.retry_at, lost_at = excluded.lost_at`,
  );
  await run(
    db,
    sql`delete from bind_state where owner = ${owner} and (supplier_id, bind_no) not in
          (select * from unnest(${rows.map((row) => row.supplierId)}::uuid[], ${rows.map((row) => row.bindNo)}::int[]))`,
  );
};

/** Deletes binds of processes that have ended. */
export const forgetBindStates = async (db: Db, owner: string | null): Promise<void> => {
  await run(
    db,
    owner === null
      ? sql`delete from bind_state where seen_at < ${dbNow()} - interval '1 hour'`
      : sql`delete from bind_state where owner = ${owner}`,
  );
};
