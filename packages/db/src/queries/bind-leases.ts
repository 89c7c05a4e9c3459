/** Leases of a supplier account's binds: which of them each sender may open. */
import { together } from '../pipelined.ts';
import { type Db, many, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, LONGEST_LEASE_MS } from './db-clock.ts';
import { lockSuppliers } from './suppliers.ts';

export interface BindLeaseRow {
  supplierId: string;
  owner: string;
  bindNos: readonly number[];
  /** It could not bind a short while ago. */
  isUnable: boolean;
}

export interface BindLeaseView {
  supplierId: string;
  /** Binds of the account, of all senders together. */
  bindCount: number;
  /** Of senders that renewed in time, those without a bind included. */
  leases: BindLeaseRow[];
}

/** As long as a lease lasts from its renewal outside tests. */
const SHORTENED_LEASE_MS = 6_000;
/** A process that could not bind is preferred again after this. */
const UNABLE_MS = 300_000;

/**
 * Locks the accounts until the transaction ends: binds are moved by one process at a time. As with shares of the pace,
 * a lease that appears to last longer than any may ends like one renewed now.
 */
export const lockBindLeases = async (tx: Db, supplierIds: readonly string[]): Promise<void> => {
  const fix = sql`update bind_lease set lease_until = ${dbNowPlus(SHORTENED_LEASE_MS)}
        where supplier_id = any(${[...supplierIds]}::uuid[]) and lease_until > ${dbNowPlus(LONGEST_LEASE_MS)}`;
  await together(tx, [() => lockSuppliers(tx, supplierIds), () => run(tx, fix)]);
};

export const readBindLeases = async (db: Db, supplierIds: readonly string[]): Promise<BindLeaseView[]> => {
  const rows = await many<Omit<BindLeaseView, 'leases'> & BindLeaseRow & { owner: string | null }>(
    db,
    sql`select s.supplier_id as "supplierId", s.bind_count as "bindCount", l.owner, l.bind_nos as "bindNos",
          coalesce(l.unable_until > ${dbNow()} and l.unable_until <= ${dbNowPlus(UNABLE_MS)}, false) as "isUnable"
        from supplier s
        left join bind_lease l on l.supplier_id = s.supplier_id and l.lease_until > ${dbNow()}
        where s.supplier_id = any(${[...supplierIds]}::uuid[]) order by s.supplier_id, l.owner`,
  );
  return [...Map.groupBy(rows, (row) => row.supplierId)].map(([supplierId, group]) => ({
    supplierId,
    bindCount: group[0]?.bindCount ?? 0,
    leases: group.filter((row) => row.owner !== null),
  }));
};

/** Stores the leases of a process as they are now, and deletes those of ended processes. Under the lock of `lockBindLeases`. */
export const saveBindLeases = async (
  tx: Db,
  owner: string,
  rows: readonly Omit<BindLeaseRow, 'owner'>[],
  leaseMs: number,
): Promise<void> => {
  const supplierIds = rows.map((row) => row.supplierId);
  const expired = sql`delete from bind_lease where supplier_id = any(${supplierIds}::uuid[]) and lease_until < ${dbNow()} and owner <> ${owner}`;
  const insert = sql`insert into bind_lease as l (supplier_id, owner, bind_nos, unable_until, lease_until)
        select s, ${owner}, case when n = '' then '{}' else string_to_array(n, ' ')::int[] end,
          case when u then ${dbNowPlus(UNABLE_MS)} end, ${dbNowPlus(leaseMs)}
        from unnest(${supplierIds}::uuid[], ${rows.map((row) => row.bindNos.join(' '))}::text[],
          ${rows.map((row) => row.isUnable)}::boolean[]) as i(s, n, u)
        where exists (select from supplier where supplier_id = s)
        on conflict (supplier_id, owner) do update set bind_nos = excluded.bind_nos, lease_until = excluded.lease_until,
          unable_until = case when excluded.unable_until is null then null
                              when l.unable_until > ${dbNow()} then l.unable_until else excluded.unable_until end`;
  await together(tx, [() => run(tx, expired), () => run(tx, insert)]);
};

/** The process uses none of its binds any more. */
export const deleteBindLeases = async (db: Db, owner: string, supplierIds: readonly string[]): Promise<void> => {
  await run(db, sql`delete from bind_lease where owner = ${owner} and supplier_id = any(${[...supplierIds]}::uuid[])`);
};
