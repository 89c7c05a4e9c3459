import { AuditStatus, type ReviewItem } from '@pahatid/contract';
import type { ReviewRow } from '@pahatid/db/queries/reviews';
import { checkTemplate } from '@pahatid/domain';
import { toAuditSpan } from '../../review-rules/audit-span.ts';
import type { ReviewRules } from '../../review-rules/review-rules.ts';

/** Converts an item for review, with every finding of the rules marked in the text. */
export function presentReview(
  row: ReviewRow,
  rules: ReviewRules,
  userId: string,
  now: Date,
  ownDomain: string,
): ReviewItem {
  const isText = row.kind !== 'sender' && row.kind !== 'link' && row.content !== null && row.smsType !== null;
  const findings =
    isText && row.content !== null && row.smsType !== null
      ? checkTemplate(row.content, row.smsType, { lexicon: rules.lexicon, ownDomain })
      : [];
  const { clock, ...expected } = rules.clockOf(row.submitTime, now);
  return {
    kind: row.kind,
    id: row.id,
    title: row.title,
    operator: row.customerName,
    customerId: row.customerId,
    appId: row.appId,
    appName: row.appName,
    smsType: row.smsType,
    auditStatus: row.auditStatus,
    auditReason: row.auditReason,
    auditCode: row.auditCode,
    auditSpan: toAuditSpan(row),
    submitTime: row.submitTime.toISOString(),
    ...expected,
    clock: row.auditStatus === AuditStatus.Pending ? clock : null,
    claim:
      row.claimUntil === null
        ? null
        : {
            name: row.claimName ?? '',
            isMine: row.claimUserId === userId,
            until: row.claimUntil.toISOString(),
          },
    submittedBy: row.submittedBy ?? '',
    content: row.content,
    previousContent: row.previousContent,
    findings: findings.map(({ code, severity, from, to, params }) => ({
      code,
      severity,
      from,
      to,
      ...(params && { params }),
    })),
    version: row.version,
    totalCount: row.totalCount,
    estimatedCost: row.estimatedCost,
    senderId: row.senderId,
  };
}
