/**
 * Whether messages reach suppliers: determined from the bind states reported by all senders, by the database's clock.
 */
import { useState } from '../literals.ts';
import { type Db, many, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

/** A sender that reported no binds for this long has ended. */
export const BINDS_FRESH_MS = 15_000;

export interface HealthTimes {
  /** A supplier fails when the live senders have had no bind to it for this long. */
  failAfterMs: number;
  /** It is healthy again when one has been held for so long. */
  healAfterMs: number;
  /** The same for its codes, which can't wait: another route has to take them sooner. */
  codesFailAfterMs: number;
  codesHealAfterMs: number;
}

export interface HealthChange {
  supplierId: string;
  supplierAccount: string;
  /** Messages take other routes: all, codes alone, or none. */
  failing: 'all' | 'codes' | 'none';
}

const ms = (value: number) => sql`${value}::float8 * interval '1 millisecond'`;

/**
 * Updates the health of all suppliers and returns those that failed or recovered by this very call: of two concurrent
 * processes, one changes the row and the other finds it changed. Without live senders, the state is unknown and nothing
 * changes except that the wait restarts.
 */
export const judgeSuppliers = (db: Db, times: HealthTimes): Promise<HealthChange[]> => {
  const at = dbNow();
  // Of a pair of binds the odd one submits.
  const seen = sql`
    select s.supplier_id, count(b.owner) > 0 as is_watched,
      coalesce(bool_or(b.state = 'bound' and (s.bind_type = 'transceiver' or b.bind_no % 2 = 1)), false) as is_bound
    from supplier s left join bind_state b
      on b.supplier_id = s.supplier_id and b.seen_at > ${at} - ${ms(BINDS_FRESH_MS)} and b.state <> 'ended'
    where s.use_state = ${useState.Enabled} and s.is_test is not true group by s.supplier_id`;
  const fails = sql`h.failed_since is null and excluded.down_since is not null
    and h.down_since <= ${at} - ${ms(times.failAfterMs)}`;
  const heals = sql`h.failed_since is not null and excluded.bound_since is not null
    and h.bound_since <= ${at} - ${ms(times.healAfterMs)}`;
  const codesFail = sql`h.codes_failed_since is null and excluded.down_since is not null
    and h.down_since <= ${at} - ${ms(times.codesFailAfterMs)}`;
  const codesHeal = sql`h.codes_failed_since is not null and excluded.bound_since is not null
    and h.bound_since <= ${at} - case when h.failed_since is null then ${ms(times.codesHealAfterMs)}
      else ${ms(times.healAfterMs)} end`;
  return many<HealthChange>(
    db,
    sql`with moved as (
          insert into supplier_health as h (supplier_id, bound_since, down_since)
          select supplier_id, case when is_bound then ${at} end, case when is_watched and not is_bound then ${at} end
          from (${seen}) as seen
          on conflict (supplier_id) do update set
            bound_since = case when excluded.bound_since is not null then coalesce(h.bound_since, excluded.bound_since) end,
            down_since = case when excluded.down_since is not null then coalesce(h.down_since, excluded.down_since) end,
            failed_since = case when ${fails} then ${at} when ${heals} then null else h.failed_since end,
            codes_failed_since = case when ${codesFail} then ${at} when ${codesHeal} then null else h.codes_failed_since end
          where (h.bound_since is null) <> (excluded.bound_since is null)
            or (h.down_since is null) <> (excluded.down_since is null) or (${fails}) or (${heals})
            or (${codesFail}) or (${codesHeal})
          returning h.supplier_id, h.failed_since, h.codes_failed_since)
        select m.supplier_id as "supplierId", s.supplier_account as "supplierAccount",
          case when m.failed_since is not null then 'all' when m.codes_failed_since is not null then 'codes' else 'none' end
            as failing
        from moved m join supplier s using (supplier_id) left join supplier_health old using (supplier_id)
        where (m.failed_since is null) <> (old.failed_since is null)
          or (m.codes_failed_since is null) <> (old.codes_failed_since is null)`,
  );
};

export interface FailingSupplier {
  readonly supplierId: string;
  /** Only its codes take other routes. */
  readonly codesOnly: boolean;
}

/** Suppliers whose ready batches should be rerouted: disabled, without binds, or with an open breaker. */
export const listFailingSuppliers = (db: Db): Promise<FailingSupplier[]> =>
  many<FailingSupplier>(
    db,
    sql`select supplier_id as "supplierId", not is_failing as "codesOnly" from (
          select s.supplier_id, s.use_state = ${useState.Disabled} or h.failed_since is not null
            or coalesce(k.state = 'open', false) as is_failing, h.codes_failed_since
          from supplier s left join supplier_health h using (supplier_id)
          left join supplier_breaker k using (supplier_id) where s.is_test is not true) each
        where is_failing or codes_failed_since is not null order by supplier_id`,
  );
