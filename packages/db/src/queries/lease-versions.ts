/**
 * Versions of what processes share of a supplier account: each change counts them up, so that what was decided from a
 * view that is no longer true is not stored. No process waits while another decides.
 */
import { type Fragment, sql } from '../sql.ts';

export type LeaseKind = 'pace' | 'binds';

/** Of an account `s`: 0 before the first change. */
export const leaseVersion = (kind: LeaseKind): Fragment =>
  sql`coalesce((select v.version from supplier_lease_version v where v.supplier_id = s.supplier_id and v.kind = ${kind}), 0)::float8`;

/** A statement that returns, and counts up, the accounts `supplier_id` that still have the version they were read with. */
export const nextVersions = (
  kind: LeaseKind,
  rows: readonly { supplierId: string; version: number }[],
): Fragment => sql`
  insert into supplier_lease_version as v (supplier_id, kind, version)
  select i.id, ${kind}, i.version + 1
  from unnest(${rows.map((row) => row.supplierId)}::uuid[], ${rows.map((row) => row.version)}::bigint[]) as i(id, version)
  where exists (select from supplier s where s.supplier_id = i.id)
  order by i.id
  on conflict (supplier_id, kind) do update set version = excluded.version where v.version = excluded.version - 1
  returning v.supplier_id`;
