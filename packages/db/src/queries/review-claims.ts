/**
 * Review claims: the user that has a pending item open. One row per subject, with a lease by the database's clock, so
 * that it holds across all processes; an expired lease belongs to no one.
 */
import { type Db, maybe, run, sql } from '../sql.ts';
import type { ReviewKind } from './reviews.ts';

/** How long an inactive reviewer keeps its claim. */
const CLAIM_MINUTES = 5;

export interface ReviewSubject {
  kind: ReviewKind;
  id: string;
  userId: string;
}

/** Takes or renews a claim; null: another user has it. `claimId` names a claim that begins now. */
export const claimReview = async (
  tx: Db,
  { kind, id, userId }: ReviewSubject,
  claimId: string,
): Promise<{ until: Date; isNew: boolean } | null> => {
  const claimed = await maybe<{ until: Date; claimId: string }>(
    tx,
    sql`insert into review_claim as c (kind, subject_id, claim_id, user_id, claimed_at, lease_until)
        values (${kind}, ${id}, ${claimId}, ${userId}, clock_timestamp(),
                clock_timestamp() + make_interval(mins => ${CLAIM_MINUTES}))
        on conflict (kind, subject_id) do update set
          claim_id = case when c.lease_until > clock_timestamp() then c.claim_id else excluded.claim_id end,
          claimed_at = case when c.lease_until > clock_timestamp() then c.claimed_at else excluded.claimed_at end,
          user_id = excluded.user_id, lease_until = excluded.lease_until
        where c.user_id = excluded.user_id or c.lease_until <= clock_timestamp()
        returning c.lease_until as until, c.claim_id as "claimId"`,
  );
  return claimed === null ? null : { until: claimed.until, isNew: claimed.claimId === claimId };
};

/** Releases it; 0: the user had none. Also deletes claims that ended long ago. */
export const releaseClaim = async (tx: Db, { kind, id, userId }: ReviewSubject): Promise<number> => {
  await run(tx, sql`delete from review_claim where lease_until < clock_timestamp() - interval '1 day'`);
  return run(tx, sql`delete from review_claim where kind = ${kind} and subject_id = ${id} and user_id = ${userId}`);
};

/** Returns the name of the user that has it open now. */
export const findClaimant = async (tx: Db, { kind, id }: Pick<ReviewSubject, 'kind' | 'id'>): Promise<string | null> =>
  (
    await maybe<{ name: string }>(
      tx,
      sql`select u.name from review_claim c join app_user u on u.user_id = c.user_id
          where c.kind = ${kind} and c.subject_id = ${id} and c.lease_until > clock_timestamp()`,
    )
  )?.name ?? null;
