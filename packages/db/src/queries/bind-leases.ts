/** Leases of a supplier account's binds: which of them each sender may open. */
import { type Db, many, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, LONGEST_LEASE_MS } from './db-clock.ts';
import { leaseVersion, nextVersions } from './lease-versions.ts';

export interface BindLeaseRow {
  supplierId: string;
  owner: string;
  bindNos: readonly number[];
  /** It could not bind a short while ago. */
  isUnable: boolean;
}

export interface BindLeaseView {
  supplierId: string;
  /** Of all leases of the account. */
  version: number;
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
 * Leases as they are now. As with shares of the pace, a lease that appears to last longer than any may ends like one
 * renewed now.
 */
export const readBindLeases = async (db: Db, supplierIds: readonly string[]): Promise<BindLeaseView[]> => {
  const rows = await many<Omit<BindLeaseView, 'leases'> & BindLeaseRow & { owner: string | null; isTooLong: boolean }>(
    db,
    sql`select s.supplier_id as "supplierId", ${leaseVersion('binds')} as version, s.bind_count as "bindCount", l.owner,
          l.bind_nos as "bindNos",
          coalesce(l.unable_until > ${dbNow()} and l.unable_until <= ${dbNowPlus(UNABLE_MS)}, false) as "isUnable",
          coalesce(l.lease_until > ${dbNowPlus(LONGEST_LEASE_MS)}, false) as "isTooLong"
        from supplier s
        left join bind_lease l on l.supplier_id = s.supplier_id and l.lease_until > ${dbNow()}
        where s.supplier_id = any(${[...supplierIds]}::uuid[]) order by s.supplier_id, l.owner`,
  );
  if (rows.some((row) => row.isTooLong)) await shortenLeases(db, supplierIds);
  return [...Map.groupBy(rows, (row) => row.supplierId)].map(([supplierId, group]) => ({
    supplierId,
    version: group[0]?.version ?? 0,
    bindCount: group[0]?.bindCount ?? 0,
    leases: group.filter((row) => row.owner !== null),
  }));
};

const shortenLeases = (db: Db, supplierIds: readonly string[]): Promise<number> =>
  run(
    db,
    sql`update bind_lease set lease_until = ${dbNowPlus(SHORTENED_LEASE_MS)}
        where supplier_id = any(${[...supplierIds]}::uuid[]) and lease_until > ${dbNowPlus(LONGEST_LEASE_MS)}`,
  );

export interface NewBindLease extends Omit<BindLeaseRow, 'owner'> {
  /** That it was decided from. */
  version: number;
}

/**
 * Stores the leases of a process as they are now, and deletes those of ended processes. Returns the accounts for which
 * that was done: of the others something has changed since they were read.
 */
export const saveBindLeases = async (
  db: Db,
  owner: string,
  rows: readonly NewBindLease[],
  leaseMs: number,
): Promise<ReadonlySet<string>> => {
  const saved = await many<{ supplierId: string }>(
    db,
    sql`with turn as (${nextVersions('binds', rows)}),
        ended as (
          delete from bind_lease where supplier_id in (select supplier_id from turn) and lease_until < ${dbNow()}
            and owner <> ${owner})
        insert into bind_lease as l (supplier_id, owner, bind_nos, unable_until, lease_until)
        select i.id, ${owner}, case when i.nos = '' then '{}' else string_to_array(i.nos, ' ')::int[] end,
          case when i.unable then ${dbNowPlus(UNABLE_MS)} end, ${dbNowPlus(leaseMs)}
        from unnest(${rows.map((row) => row.supplierId)}::uuid[], ${rows.map((row) => row.bindNos.join(' '))}::text[],
          ${rows.map((row) => row.isUnable)}::boolean[]) as i(id, nos, unable) join turn on turn.supplier_id = i.id
        on conflict (supplier_id, owner) do update set bind_nos = excluded.bind_nos, lease_until = excluded.lease_until,
          unable_until = case when excluded.unable_until is null then null
                              when l.unable_until > ${dbNow()} then l.unable_until else excluded.unable_until end
        returning supplier_id as "supplierId"`,
  );
  return new Set(saved.map(({ supplierId }) => supplierId));
};

/** The process uses none of its binds any more. */
export const deleteBindLeases = async (db: Db, owner: string, supplierIds: readonly string[]): Promise<void> => {
  await run(db, sql`delete from bind_lease where owner = ${owner} and supplier_id = any(${[...supplierIds]}::uuid[])`);
};
