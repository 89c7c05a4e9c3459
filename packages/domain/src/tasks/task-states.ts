/**
 * The life of a bulk task: one table of transitions (specification §4 names the states), used by the server to decide
 * and by the console to enable buttons. Pause and resume do not change the status: they set a flag in addition to 5
 * Sending.
 */
import { Role, TaskStatus } from '@pahatid/contract/enums';

/** What causes a transition: the program itself, or users with one of the roles. */
export type Actor = 'system' | readonly Role[];

const writers: Actor = [Role.Owner, Role.Member];
const reviewers: Actor = [Role.Reviewer, Role.Operator, Role.Admin];
const stoppers: readonly Role[] = [Role.Owner, Role.Member, Role.Operator, Role.Admin];

export type TaskAction =
  | 'submit'
  | 'pass'
  | 'fail'
  | 'confirm'
  | 'requestReview'
  | 'edit'
  | 'cancel'
  | 'approve'
  | 'reject'
  | 'prepare'
  | 'send'
  | 'complete'
  | 'terminate'
  | 'retry'
  | 'resend';

interface TaskTransition {
  readonly action: TaskAction;
  readonly from: readonly TaskStatus[];
  readonly to: TaskStatus;
  readonly by: Actor;
}

const S = TaskStatus;

export const taskTransitions: readonly TaskTransition[] = [
  { action: 'submit', from: [S.Draft], to: S.Initialized, by: writers },
  { action: 'pass', from: [S.Initialized], to: S.ValidationPassed, by: 'system' },
  { action: 'fail', from: [S.Initialized, S.Confirmed, S.Preparing], to: S.Failed, by: 'system' },
  { action: 'confirm', from: [S.ValidationPassed], to: S.Confirmed, by: writers },
  { action: 'requestReview', from: [S.ValidationPassed], to: S.PendingReview, by: writers },
  { action: 'edit', from: [S.ValidationPassed, S.Rejected, S.Confirmed, S.Failed], to: S.Draft, by: writers },
  { action: 'cancel', from: [S.ValidationPassed, S.PendingReview, S.Confirmed], to: S.Cancelled, by: writers },
  { action: 'approve', from: [S.PendingReview], to: S.Confirmed, by: reviewers },
  { action: 'reject', from: [S.PendingReview], to: S.Rejected, by: reviewers },
  { action: 'prepare', from: [S.Confirmed], to: S.Preparing, by: 'system' },
  { action: 'send', from: [S.Preparing], to: S.Sending, by: 'system' },
  { action: 'complete', from: [S.Sending], to: S.Completed, by: 'system' },
  { action: 'terminate', from: [S.Preparing, S.Sending], to: S.Terminated, by: stoppers },
  { action: 'retry', from: [S.Completed, S.Terminated], to: S.Preparing, by: writers },
  // The same for recipients without any receipt.
  { action: 'resend', from: [S.Completed, S.Terminated], to: S.Preparing, by: writers },
];

/** The statuses an action may leave: the guard of its UPDATE. */
export const fromStatuses = (action: TaskAction): readonly TaskStatus[] =>
  taskTransitions.find((transition) => transition.action === action)?.from ?? [];

/** The status an action leads to. */
export const toStatus = (action: TaskAction): TaskStatus => {
  const found = taskTransitions.find((transition) => transition.action === action);
  if (!found) throw new Error(`no transition ${action}`);
  return found.to;
};

export const canTransition = (from: TaskStatus, to: TaskStatus): boolean =>
  taskTransitions.some((transition) => transition.to === to && transition.from.includes(from));

/** Actions of the console's buttons; `delete`, `pause`, `resume` and `test` are not in the table above. */
export type UserTaskAction =
  | Extract<
      TaskAction,
      'submit' | 'confirm' | 'edit' | 'cancel' | 'approve' | 'reject' | 'terminate' | 'retry' | 'resend'
    >
  | 'delete'
  | 'pause'
  | 'resume'
  | 'test';

const beside: readonly { action: UserTaskAction; from: readonly TaskStatus[]; by: readonly Role[] }[] = [
  { action: 'delete', from: [S.Draft], by: [Role.Owner, Role.Member] },
  { action: 'pause', from: [S.Preparing, S.Sending], by: stoppers },
  { action: 'resume', from: [S.Preparing, S.Sending], by: stoppers },
  { action: 'test', from: [S.Draft, S.ValidationPassed, S.Rejected], by: [Role.Owner, Role.Member] },
];

export interface TaskFacts {
  taskStatus: TaskStatus;
  paused: 0 | 1;
  failedCount: number;
  /** Why it is paused, if it is. */
  statusReason?: string | null;
  /** Its A/B test, and whether it sends a variant of one. */
  abTest?: { readonly startTime: string | null } | null;
  abVariant?: object | null;
  /** Recipients in doubt for longer than a receipt may take. */
  resendableCount?: number;
}

/** What staff paused, staff resume. */
export const pausedByStaff = 'PAUSED_BY_STAFF';
const staff: readonly Role[] = [Role.Reviewer, Role.Operator, Role.Admin];

/** The actions a user of `role` may take on a task now, for enabling buttons; the server decides again. */
export const allowedTaskActions = (task: TaskFacts, role: Role): Set<UserTaskAction> => {
  const actions = new Set<UserTaskAction>();
  for (const { action, from, by } of taskTransitions)
    if (by !== 'system' && by.includes(role) && from.includes(task.taskStatus) && action !== 'requestReview')
      actions.add(action as UserTaskAction);
  for (const { action, from, by } of beside)
    if (by.includes(role) && from.includes(task.taskStatus)) actions.add(action);
  actions.delete(task.paused === 1 ? 'pause' : 'resume');
  if (task.statusReason === pausedByStaff && !staff.includes(role)) actions.delete('resume');
  // Of its recipients some have their text already.
  if (task.abTest?.startTime || task.abVariant) actions.delete('edit');
  if (task.failedCount === 0) actions.delete('retry');
  if (!task.resendableCount) actions.delete('resend');
  return actions;
};
