/** Shares of a supplier account's pace: which process may submit how many segments a second. */
import { PROBE_TPS } from '@pahatid/domain';
import { together } from '../pipelined.ts';
import { type Db, many, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, LONGEST_LEASE_MS } from './db-clock.ts';
import { lockSuppliers } from './suppliers.ts';

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
 * Locks the accounts until the transaction ends: shares are moved by one process at a time. A lease that appears to last
 * longer than any lease may, because the clock was set back, ends like one renewed now: live processes renew, and the
 * shares of dead ones are freed.
 */
export const lockSupplierShares = async (tx: Db, supplierIds: readonly string[]): Promise<void> => {
  const fix = sql`update supplier_share set lease_until = least(lease_until, ${dbNowPlus(SHORTENED_LEASE_MS)}),
          held_until = least(held_until, ${dbNowPlus(HOLD_MS)})
        where supplier_id = any(${[...supplierIds]}::uuid[])
          and (lease_until > ${dbNowPlus(LONGEST_LEASE_MS)} or held_until > ${dbNowPlus(LONGEST_LEASE_MS)})`;
  await together(tx, [() => lockSuppliers(tx, supplierIds), () => run(tx, fix)]);
};

export const readSupplierShares = async (db: Db, supplierIds: readonly string[]): Promise<ShareView[]> => {
  const rows = await many<Omit<ShareView, 'shares'> & ShareRow & { owner: string | null }>(
    db,
    sql`select s.supplier_id as "supplierId",
               case k.state when 'open' then 0 when 'halfOpen' then least(s.tps, ${PROBE_TPS}::int) else s.tps end as tps,
               floor(extract(epoch from clock_timestamp()) / ${SLOT_SECONDS}::int)::float8 as slot, h.owner, h.share,
               case when h.held_until > clock_timestamp() then greatest(h.share, h.held) else h.share end as counted, h.wanted
        from supplier s
        left join supplier_breaker k on k.supplier_id = s.supplier_id
        left join supplier_share h on h.supplier_id = s.supplier_id
          and h.lease_until > clock_timestamp()
        where s.supplier_id = any(${[...supplierIds]}::uuid[]) order by s.supplier_id, h.owner`,
  );
  return [...Map.groupBy(rows, (row) => row.supplierId).values()].map((group) => ({
    supplierId: group[0]!.supplierId,
    tps: group[0]!.tps,
    slot: group[0]!.slot,
    shares: group.filter((row) => row.owner !== null),
  }));
};

/** Stores the new share of a process, and deletes processes that have ended. Under the lock of `lockSupplierShares`. */
export const saveSupplierShares = async (
  tx: Db,
  owner: string,
  rows: readonly Pick<ShareRow, 'supplierId' | 'share' | 'wanted'>[],
  leaseMs: number,
): Promise<void> => {
  const supplierIds = rows.map((row) => row.supplierId);
  const insert = sql`insert into supplier_share as h (supplier_id, owner, share, wanted, lease_until)
        select s, ${owner}, n, w, ${dbNowPlus(leaseMs)}
        from unnest(${supplierIds}::uuid[], ${rows.map((row) => row.share)}::int[],
          ${rows.map((row) => row.wanted)}::int[]) as i(s, n, w)
        where exists (select from supplier where supplier_id = s)
        on conflict (supplier_id, owner) do update set share = excluded.share, wanted = excluded.wanted,
          lease_until = excluded.lease_until,
          held = case when excluded.share >= h.share then h.held
                      when h.held_until > ${dbNow()} then greatest(h.held, h.share) else h.share end,
          held_until = case when excluded.share >= h.share then h.held_until else ${dbNowPlus(HOLD_MS)} end`;
  const expired = sql`delete from supplier_share where supplier_id = any(${supplierIds}::uuid[]) and lease_until < ${dbNow()}`;
  await together(tx, [() => run(tx, insert), () => run(tx, expired)]);
};
