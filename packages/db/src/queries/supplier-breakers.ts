/** Answers of supplier accounts over sliding windows, and the accounts that are not used because of them. */
import {
  ANSWER_WINDOW_MS,
  type AnswerFigures,
  type Breaker,
  type BreakerReason,
  type BreakerView,
  PROBE_WINDOW_MS,
} from '@pahatid/domain';
import { useState } from '../literals.ts';
import { type Db, many, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

export interface AnswerCounts {
  submitted: number;
  accepted: number;
  refused: number;
  errors: number;
  throttled: number;
  timeouts: number;
  /** Sum of the times to an answer. */
  answerMs: number;
}

export interface AnswersRow extends AnswerCounts {
  supplierId: string;
}

/** Longer than an answer may take by most profiles, so that an account that was probed is not thought idle. */
const KEPT_MS = 180_000;

const ms = (value: number) => sql`${value}::float8 * interval '1 millisecond'`;

/** Stores what a sender counted since the last time. */
export const saveAnswers = async (db: Db, owner: string, rows: readonly AnswersRow[]): Promise<void> => {
  if (rows.length === 0) return;
  const numbers = (key: keyof AnswerCounts): number[] => rows.map((row) => Math.round(row[key]));
  await run(
    db,
    sql`insert into supplier_answers (supplier_id, at, owner, submitted, accepted, refused, errors, throttled, timeouts, answer_ms)
        select i.id, ${dbNow()}, ${owner}, i.s, i.a, i.r, i.e, i.t, i.o, i.m
        from unnest(${rows.map((row) => row.supplierId)}::uuid[], ${numbers('submitted')}::int[], ${numbers('accepted')}::int[],
          ${numbers('refused')}::int[], ${numbers('errors')}::int[], ${numbers('throttled')}::int[],
          ${numbers('timeouts')}::int[], ${numbers('answerMs')}::bigint[]) as i(id, s, a, r, e, t, o, m)
        where exists (select from supplier where supplier_id = i.id)
        on conflict do nothing`,
  );
};

export const sweepAnswers = (db: Db): Promise<number> =>
  run(db, sql`delete from supplier_answers where at < ${dbNow()} - ${ms(KEPT_MS)} or at > ${dbNow()} + ${ms(KEPT_MS)}`);

export interface SupplierBreakerRow extends BreakerView {
  supplierId: string;
  supplierAccount: string;
}

type FlatRow = Omit<SupplierBreakerRow, 'figures'> & AnswerFigures;

/** Enabled accounts with recent answers, or whose breaker is not simply closed. */
export const readBreakers = async (db: Db): Promise<SupplierBreakerRow[]> => {
  const rows = await many<FlatRow>(
    db,
    sql`select s.supplier_id as "supplierId", s.supplier_account as "supplierAccount",
          coalesce(k.state, 'closed') as state, k.reason, coalesce(k.openings, 0) as openings,
          coalesce(extract(epoch from ${dbNow()} - k.changed_at) * 1000, 0)::float8 as "ageMs",
          f.accepted, f.refused, f.errors, f.throttled, f.timeouts, f."answerMs", f.submitted > 0 as "hasSubmitted"
        from supplier s left join supplier_breaker k using (supplier_id)
        cross join lateral (
          select coalesce(sum(a.submitted), 0)::int as submitted,
            coalesce(sum(a.accepted) filter (where w.is_in), 0)::int as accepted,
            coalesce(sum(a.refused) filter (where w.is_in), 0)::int as refused,
            coalesce(sum(a.errors) filter (where w.is_in), 0)::int as errors,
            coalesce(sum(a.throttled) filter (where w.is_in), 0)::int as throttled,
            coalesce(sum(a.timeouts) filter (where w.is_in), 0)::int as timeouts,
            coalesce(sum(a.answer_ms) filter (where w.is_in)
              / nullif(sum(a.accepted + a.refused + a.errors + a.throttled) filter (where w.is_in), 0), 0)::float8 as "answerMs"
          from supplier_answers a
          cross join lateral (select a.at > ${dbNow()} - case when k.state = 'halfOpen' then ${ms(PROBE_WINDOW_MS)}
            else ${ms(ANSWER_WINDOW_MS)} end as is_in) w
          where a.supplier_id = s.supplier_id and a.at > coalesce(k.changed_at, '-infinity') and a.at > ${dbNow()} - ${ms(KEPT_MS)}) f
        where s.use_state = ${useState.Enabled} and s.is_test is not true and (k.supplier_id is not null or f.submitted > 0)
        order by s.supplier_id`,
  );
  return rows.map(({ accepted, refused, errors, throttled, timeouts, answerMs, ...row }) => ({
    ...row,
    figures: { accepted, refused, errors, throttled, timeouts, answerMs },
  }));
};

export interface SuspendedSupplier {
  supplierId: string;
  supplierAccount: string;
  state: 'open' | 'halfOpen';
  reason: BreakerReason;
  since: Date;
  figures: AnswerFigures;
}

/** Enabled accounts that are not used, or only probed. */
export const listSuspended = (db: Db): Promise<SuspendedSupplier[]> =>
  many<SuspendedSupplier>(
    db,
    sql`select k.supplier_id as "supplierId", s.supplier_account as "supplierAccount", k.state, k.reason,
          coalesce(k.opened_at, k.changed_at) as since, k.figures
        from supplier_breaker k join supplier s using (supplier_id)
        where k.state <> 'closed' and s.use_state = ${useState.Enabled} order by lower(s.supplier_account)`,
  );

/** Returns false if another process was first. */
export const moveBreaker = async (
  db: Db,
  { supplierId, state, openings, figures }: SupplierBreakerRow,
  next: Breaker,
): Promise<boolean> => {
  const opens = state === 'closed' && next.state !== 'closed';
  // An insert without a row before it is guarded too: the row of another process conflicts with it.
  const changed = await run(
    db,
    sql`insert into supplier_breaker as k (supplier_id, state, reason, openings, changed_at, opened_at, figures)
        values (${supplierId}, ${next.state}, ${next.reason}, ${next.openings}, ${dbNow()},
          case when ${opens} then ${dbNow()} end, ${JSON.stringify(figures)})
        on conflict (supplier_id) do update set state = excluded.state, reason = excluded.reason,
          openings = excluded.openings, changed_at = excluded.changed_at,
          opened_at = case when excluded.state = 'closed' then null else coalesce(excluded.opened_at, k.opened_at) end,
          figures = case when excluded.state = 'open' or excluded.opened_at is not null then excluded.figures else k.figures end
        where k.state = ${state} and k.openings = ${openings}`,
  );
  return changed === 1;
};
