import { AuditStatus, ReviewReason } from '@pahatid/contract';
import { type Db, uuidV7 } from '@pahatid/db';
import { readReviewSubject } from '@pahatid/db/queries/notices';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { claimReview, releaseClaim } from '@pahatid/db/queries/review-claims';
import {
  type Decision,
  decideLink,
  decideSender,
  decideTask,
  decideTemplate,
  findReviewState,
  type ReviewKind,
} from '@pahatid/db/queries/reviews';
import { isSpanOf, reviewReasons } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { notify as notifyPeople } from '../../notices/notify.ts';
import { assertLinksApproved } from '../../review-rules/check-links.ts';
import { TASK_CHANNEL } from '../../sending/notifier.ts';
import { explainRefusal } from './explain-refusal.ts';
import { reviewKinds } from './review-kinds.ts';

const deciders = { template: decideTemplate, sender: decideSender, task: decideTask, link: decideLink } as const;

type ApproveCall = Call<'POST /reviews/:kind/:id/approve'>;
type RejectCall = Call<'POST /reviews/:kind/:id/reject'>;

export function approveReview(call: ApproveCall, deps: ApiDeps): Promise<undefined> {
  const decision: Decision = {
    id: call.params.id,
    version: call.body.version ?? null,
    auditStatus: AuditStatus.Approved,
    reasonCode: null,
    reason: null,
    span: null,
    reviewerId: call.user.userId,
  };
  return decide(call, deps, decision);
}

export function rejectReview(call: RejectCall, deps: ApiDeps): Promise<undefined> {
  const { params, body, user } = call;
  const kind = reviewKinds[params.kind];
  const { reasonCode, reason, span } = body;
  if (reasonCode === ReviewReason.Other && reason === '') throw new ProblemError('REASON_REQUIRED');
  if (!reviewReasons[kind].includes(reasonCode)) throw new ProblemError('REASON_UNFIT');
  const decision: Decision = {
    id: params.id,
    version: body.version ?? null,
    auditStatus: AuditStatus.Rejected,
    reasonCode,
    // A task shows its note only if there is one; the others always have a text, possibly empty.
    reason: kind === 'task' && reason === '' ? null : reason,
    span: span ?? null,
    reviewerId: user.userId,
  };
  return decide(call, deps, decision);
}

/** The decision, the end of the claim and the record are one transaction. */
async function decide(call: ApproveCall | RejectCall, deps: ApiDeps, decision: Decision): Promise<undefined> {
  const { params, user, withTransaction, audit } = call;
  const kind = reviewKinds[params.kind];
  const isApproved = decision.auditStatus === AuditStatus.Approved;
  const action = isApproved ? 'approve' : 'reject';
  const subject = { kind, id: params.id, userId: user.userId };
  await withTransaction(async (tx) => {
    // The claim's holder keeps it; an unclaimed item is claimed by the decider: a program need not open it first.
    if ((await claimReview(tx, subject, uuidV7())) === null) throw await explainRefusal(tx, kind, params.id, action);
    if (decision.span !== null) await assertSpan(tx, kind, decision);
    if (isApproved && kind === 'template') await assertOwnLinks(tx, params.id, deps.now());
    const decided = await deciders[kind](tx, decision);
    // Held by the reviewer, and yet nothing to decide: withdrawn, or another version than the one that was read.
    if (decided === null) throw await explainOvertaken(tx, kind, params.id, action);
    await releaseClaim(tx, subject);
    const { auditStatus, reasonCode, reason, span, version } = decision;
    await audit(tx, {
      customerId: decided.customerId,
      action,
      subjectType: kind,
      subjectId: params.id,
      before: { auditStatus: AuditStatus.Pending },
      after: { auditStatus, reasonCode, reason, span, version },
    });
    await notifySubmitter(tx, deps, decision, { kind, customerId: decided.customerId });
  });
  // A lost notification costs seconds: the jobs poll, and streams read again.
  if (kind === 'task') {
    await notify(deps.pools.control, TASK_CHANNEL, params.id);
    if (isApproved) await notify(deps.pools.control, JOBS_CHANNEL, 'task');
  }
  return undefined;
}

/** Notifies the submitter, or, if removed, all users that may submit. */
async function notifySubmitter(
  tx: PoolClient,
  { config }: ApiDeps,
  { id, auditStatus, reasonCode }: Decision,
  { kind, customerId }: { kind: ReviewKind; customerId: string },
): Promise<void> {
  const subject = await readReviewSubject(tx, kind, id);
  if (subject === null) return;
  const approved = auditStatus === AuditStatus.Approved;
  const params = { of: kind, id, title: subject.title, approved, reasonCode };
  const userIds = subject.submittedBy === null ? {} : { userIds: [subject.submittedBy] };
  await notifyPeople(tx, { kind: 'reviewDecided', customerId, params, ...userIds }, config);
}

async function assertSpan(tx: Db, kind: ReviewKind, { id, span }: Decision): Promise<void> {
  const content = (await findReviewState(tx, kind, id))?.content ?? null;
  if (span !== null && (content === null || !isSpanOf(content, span))) throw new ProblemError('SPAN_INVALID');
}

/** A template is approved after its short links: a reviewer decides what they lead to before the text that has them. */
async function assertOwnLinks(tx: Db, templateId: string, now: Date): Promise<void> {
  const state = await findReviewState(tx, 'template', templateId);
  if (state !== null) await assertLinksApproved(tx, state.customerId, state.content ?? '', now);
}

async function explainOvertaken(tx: Db, kind: ReviewKind, id: string, action: string): Promise<ProblemError> {
  const why = await explainRefusal(tx, kind, id, action);
  return why.code === 'REVIEW_CLAIMED' ? new ProblemError('ALREADY_REVIEWED') : why;
}
