/**
 * The review of a template version and of a sender ID: one table of transitions (specification §4 names the states).
 *
 *   0 Pending → 1 Approved | 2 Rejected;  edited or registered again → 0 Pending, or 3 Not Required where exempted
 *
 * Editing an approved template creates a new pending version while the approved one stays in use, so the status here is
 * that of the newest version.
 */
import { AuditStatus, UseState } from '@pahatid/contract/enums';

export type AuditAction = 'approve' | 'reject' | 'revise' | 'reviseExempt';

const S = AuditStatus;

const auditTransitions: ReadonlyArray<{
  readonly action: AuditAction;
  readonly from: readonly AuditStatus[];
  readonly to: AuditStatus;
}> = [
  { action: 'approve', from: [S.Pending], to: S.Approved },
  { action: 'reject', from: [S.Pending], to: S.Rejected },
  { action: 'revise', from: [S.Pending, S.Approved, S.Rejected, S.NotRequired], to: S.Pending },
  { action: 'reviseExempt', from: [S.Pending, S.Approved, S.Rejected, S.NotRequired], to: S.NotRequired },
];

/** Returns the status an action leads to, or null if the table does not allow it. */
export function nextAuditStatus(from: AuditStatus, action: AuditAction): AuditStatus | null {
  const found = auditTransitions.find((transition) => transition.action === action && transition.from.includes(from));
  return found?.to ?? null;
}

/** Approved, or exempt from review. */
function isAuditPassed(status: AuditStatus): boolean {
  return status === S.Approved || status === S.NotRequired;
}

/** A template sends with its newest version, or with an older approved one that is still in use. */
export function isTemplateSendable(template: { auditStatus: AuditStatus; servingVersion: number | null }): boolean {
  return isAuditPassed(template.auditStatus) || template.servingVersion !== null;
}

/** A sender ID sends while it is enabled and has passed review. */
export function isSenderSendable(sender: { auditStatus: AuditStatus; useState: UseState }): boolean {
  return isAuditPassed(sender.auditStatus) && sender.useState === UseState.Enabled;
}
