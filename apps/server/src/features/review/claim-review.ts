import { uuidV7 } from '@pahatid/db';
import { claimReview, releaseClaim } from '@pahatid/db/queries/review-claims';
import { findReviewState } from '@pahatid/db/queries/reviews';
import type { Call } from '../../http/call.ts';
import { explainRefusal } from './explain-refusal.ts';
import { reviewKinds } from './review-kinds.ts';

/** Claims a waiting item, or renews the claim. A new claim is logged; a renewal is not. */
export function takeReview(call: Call<'POST /reviews/:kind/:id/claim'>): Promise<{ until: string }> {
  const { params, user, withTransaction, audit } = call;
  const subject = { kind: reviewKinds[params.kind], id: params.id, userId: user.userId };
  return withTransaction(async (tx) => {
    const state = await findReviewState(tx, subject.kind, subject.id);
    const claim = state?.isPending === true ? await claimReview(tx, subject, uuidV7()) : null;
    if (claim === null) throw await explainRefusal(tx, subject.kind, subject.id, 'approve');
    if (claim.isNew)
      await audit(tx, {
        customerId: state?.customerId ?? null,
        action: 'review.claim',
        subjectType: subject.kind,
        subjectId: subject.id,
      });
    return { until: claim.until.toISOString() };
  });
}

export async function giveReviewBack(call: Call<'POST /reviews/:kind/:id/release'>): Promise<undefined> {
  const { params, user, withTransaction, audit } = call;
  const subject = { kind: reviewKinds[params.kind], id: params.id, userId: user.userId };
  await withTransaction(async (tx) => {
    const state = await findReviewState(tx, subject.kind, subject.id);
    if (state === null) throw await explainRefusal(tx, subject.kind, subject.id, 'approve');
    if ((await releaseClaim(tx, subject)) === 0) return;
    await audit(tx, {
      customerId: state.customerId,
      action: 'review.release',
      subjectType: subject.kind,
      subjectId: subject.id,
    });
  });
  return undefined;
}
