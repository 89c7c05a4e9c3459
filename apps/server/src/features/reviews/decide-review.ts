import { AuditStatus } from '@pahatid/contract';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import {
  type Decision,
  decideSender,
  decideTask,
  decideTemplate,
  findDecidedBefore,
  type ReviewKind,
} from '@pahatid/db/queries/reviews';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { TASK_CHANNEL } from '../../sending/notifier.ts';

const kinds = { templates: 'template', senders: 'sender', tasks: 'task' } as const;
const deciders = { template: decideTemplate, sender: decideSender, task: decideTask } as const;

type DecideCall = Call<'POST /reviews/:kind/:id/approve'> | Call<'POST /reviews/:kind/:id/reject'>;

/** Approves, or rejects where a reason is given. The decision and its record are one transaction. */
export async function decideReview(call: DecideCall, deps: ApiDeps, reason: string | null): Promise<undefined> {
  const { params, body, user, withTransaction, audit } = call;
  const kind = kinds[params.kind];
  const decision: Decision = {
    id: params.id,
    version: body.version ?? null,
    auditStatus: reason === null ? AuditStatus.Approved : AuditStatus.Rejected,
    reason,
    reviewerId: user.userId,
  };
  const action = reason === null ? 'approve' : 'reject';
  await withTransaction(async (tx) => {
    const decided = await deciders[kind](tx, decision);
    if (decided === null) throw await explain(tx, kind, params.id, action);
    await audit(tx, {
      customerId: decided.customerId,
      action,
      subjectType: kind,
      subjectId: params.id,
      before: { auditStatus: AuditStatus.Pending },
      after: { auditStatus: decision.auditStatus, reason, version: decision.version },
    });
  });
  // A word that is lost costs seconds: the jobs look by themselves, and streams read again.
  if (kind === 'task') {
    await notify(deps.pools.control, TASK_CHANNEL, params.id);
    if (reason === null) await notify(deps.pools.control, JOBS_CHANNEL, 'task');
  }
  return undefined;
}

/** Why there was nothing to decide. */
async function explain(
  tx: Parameters<typeof findDecidedBefore>[0],
  kind: ReviewKind,
  id: string,
  action: string,
): Promise<ProblemError> {
  const found = await findDecidedBefore(tx, kind, id);
  if (found === null) return new ProblemError('NOT_FOUND');
  if (found.wasReviewed || found.taskStatus === null) return new ProblemError('ALREADY_REVIEWED');
  return new ProblemError('TASK_TRANSITION', { from: found.taskStatus, action });
}
