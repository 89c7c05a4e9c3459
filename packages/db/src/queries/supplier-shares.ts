/** Shares of a supplier account's pace: which process may submit how many segments a second. */
import { PROBE_TPS } from '@pahatid/domain';
import { type Db, type Fragment, many, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, LONGEST_LEASE_MS } from './db-clock.ts';
import { leaseVersion, nextVersions } from './lease-versions.ts';

export interface ShareRow {
  supplierId: string;
  owner: string;
  /** Segments a second. */
  share: number;
  /** The value it must be counted with: `share`, or the previous one if it was lowered a moment ago. */
  counted: number;
  /** Segments a second it has work for; null: it has no bind to submit on. */
  wanted: number | null;
}

export interface ShareView {
  supplierId: string;
  /** Of all shares of the account. */
  version: number;
  /** Limit of the account, segments a second; that of probes, or none, while its breaker is not closed. */
  tps: number;
  /** Determines the turn of processes when there is less than one segment for each. */
  slot: number;
  /** Of processes that renewed in time. */
  shares: ShareRow[];
}

/** A lowered share is free after this: a window of a second, and the difference in latency to the carrier. */
const HOLD_MS = 1_150;
const SLOT_SECONDS = 10;
/** As long as a share lasts from its renewal outside tests. */
const SHORTENED_LEASE_MS = 6_000;

/**
 * Shares as they are now. A lease that appears to last longer than any lease may, because the clock was set back, ends
 * like one renewed now: live processes renew, and the shares of dead ones are freed.
 */
export const readSupplierShares = async (db: Db, supplierIds: readonly string[]): Promise<ShareView[]> => {
  const rows = await many<Omit<ShareView, 'shares'> & ShareRow & { owner: string | null; isTooLong: boolean }>(
    db,
    sql`select s.supplier_id as "supplierId", ${leaseVersion('pace')} as version,
               case k.state when 'open' then 0 when 'halfOpen' then least(s.tps, ${PROBE_TPS}::int) else s.tps end as tps,
               floor(extract(epoch from clock_timestamp()) / ${SLOT_SECONDS}::int)::float8 as slot, h.owner, h.share,
               case when h.held_until > clock_timestamp() then greatest(h.share, h.held) else h.share end as counted, h.wanted,
               coalesce(${isTooLong(sql`h`)}, false) as "isTooLong"
        from supplier s
        left join supplier_breaker k on k.supplier_id = s.supplier_id
        left join supplier_share h on h.supplier_id = s.supplier_id
          and h.lease_until > clock_timestamp()
        where s.supplier_id = any(${[...supplierIds]}::uuid[]) order by s.supplier_id, h.owner`,
  );
  if (rows.some((row) => row.isTooLong)) await shortenShares(db, supplierIds);
  return [...Map.groupBy(rows, (row) => row.supplierId).values()].map((group) => ({
    supplierId: group[0]!.supplierId,
    version: group[0]!.version,
    tps: group[0]!.tps,
    slot: group[0]!.slot,
    shares: group.filter((row) => row.owner !== null),
  }));
};

const isTooLong = (row: Fragment): Fragment =>
  sql`(${row}.lease_until > ${dbNowPlus(LONGEST_LEASE_MS)} or ${row}.held_until > ${dbNowPlus(LONGEST_LEASE_MS)})`;

const shortenShares = (db: Db, supplierIds: readonly string[]): Promise<number> =>
  run(
    db,
    sql`update supplier_share h set lease_until = least(lease_until, ${dbNowPlus(SHORTENED_LEASE_MS)}),
          held_until = least(held_until, ${dbNowPlus(HOLD_MS)})
        where supplier_id = any(${[...supplierIds]}::uuid[]) and ${isTooLong(sql`h`)}`,
  );

export interface NewShare extends Pick<ShareRow, 'supplierId' | 'share' | 'wanted'> {
  /** That it was decided from. */
  version: number;
}

/**
 * Stores new shares of a process, and deletes those of processes that have ended. Returns the accounts for which that
 * was done: of the others something has changed since they were read.
 */
export const saveSupplierShares = async (
  db: Db,
  owner: string,
  rows: readonly NewShare[],
  leaseMs: number,
): Promise<ReadonlySet<string>> => {
  const saved = await many<{ supplierId: string }>(
    db,
    sql`with turn as (${nextVersions('pace', rows)}),
        ended as (
          delete from supplier_share where supplier_id in (select supplier_id from turn) and lease_until < ${dbNow()}
            and owner <> ${owner})
        insert into supplier_share as h (supplier_id, owner, share, wanted, lease_until)
        select i.id, ${owner}, i.share, i.wanted, ${dbNowPlus(leaseMs)}
        from unnest(${rows.map((row) => row.supplierId)}::uuid[], ${rows.map((row) => row.share)}::int[],
          ${rows.map((row) => row.wanted)}::int[]) as i(id, share, wanted) join turn on turn.supplier_id = i.id
        on conflict (supplier_id, owner) do update set share = excluded.share, wanted = excluded.wanted,
          lease_until = excluded.lease_until,
          held = case when excluded.share >= h.share then h.held
                      when h.held_until > ${dbNow()} then greatest(h.held, h.share) else h.share end,
          held_until = case when excluded.share >= h.share then h.held_until else ${dbNowPlus(HOLD_MS)} end
        returning supplier_id as "supplierId"`,
  );
  return new Set(saved.map(({ supplierId }) => supplierId));
};
