import type { Db } from '@pahatid/db';
import { findClaimant } from '@pahatid/db/queries/review-claims';
import { findReviewState, type ReviewKind } from '@pahatid/db/queries/reviews';
import { ProblemError } from '../../http/problem.ts';

/**
 * Returns why an item can't be decided or claimed: it does not exist, is not waiting, or is claimed by another
 * reviewer.
 */
export async function explainRefusal(tx: Db, kind: ReviewKind, id: string, action: string): Promise<ProblemError> {
  const state = await findReviewState(tx, kind, id);
  if (state === null) return new ProblemError('NOT_FOUND');
  if (state.isPending) {
    const name = await findClaimant(tx, { kind, id });
    return name === null ? new ProblemError('REVIEW_NOT_CLAIMED') : new ProblemError('REVIEW_CLAIMED', { name });
  }
  if (state.wasReviewed || state.taskStatus === null) return new ProblemError('ALREADY_REVIEWED');
  return new ProblemError('TASK_TRANSITION', { from: state.taskStatus, action });
}
