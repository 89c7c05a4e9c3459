import type { Template, TemplateUsage, TemplateVersion } from '@pahatid/contract';
import type { Scope, TemplateRow, TemplateVersionRow } from '@pahatid/db';
import type { TemplateUsageRow } from '@pahatid/db/queries/application-usage';
import { countVariables } from '@pahatid/domain';
import type { CsvColumn } from '../../http/csv.ts';
import { toAuditSpan } from '../../review-rules/audit-span.ts';
import type { ReviewRules } from '../../review-rules/review-rules.ts';

export const presentTemplate = (row: TemplateRow, scope: Scope, rules: ReviewRules): Template => ({
  templateId: row.templateId,
  templateName: row.templateName,
  smsType: row.smsType,
  content: row.content,
  auditStatus: row.auditStatus,
  auditReason: row.auditReason,
  auditCode: row.auditCode,
  auditSpan: toAuditSpan(row),
  appId: row.appId,
  appName: row.appName,
  version: row.version,
  editVersion: row.editVersion,
  servingVersion: row.servingVersion,
  variableCount: countVariables(row.content),
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
  ...rules.expected(row.auditStatus, row.submitTime),
  ...('staff' in scope && { operator: row.customerName }),
});

/** Undefined: nothing was sent with it. */
export const presentUsage = (row: TemplateUsageRow | undefined): TemplateUsage => ({
  taskCount: row?.taskCount ?? 0,
  acceptedCount: Math.max(0, row?.accepted ?? 0),
  deliveredCount: Math.max(0, row?.delivered ?? 0),
  undeliveredCount: Math.max(0, row?.undelivered ?? 0),
  unknownCount: Math.max(0, row?.unknown ?? 0),
  lastTime: row?.lastAt?.toISOString() ?? null,
});

export const presentVersion = (row: TemplateVersionRow): TemplateVersion => ({
  version: row.version,
  content: row.content,
  smsType: row.smsType,
  auditStatus: row.auditStatus,
  auditReason: row.auditReason,
  auditCode: row.auditCode,
  auditSpan: toAuditSpan(row),
  auditTime: row.auditTime?.toISOString() ?? null,
  createTime: row.createTime.toISOString(),
  createdBy: row.createdBy ?? '',
});

export const templateColumns: readonly CsvColumn<Template>[] = [
  { head: { 'en-US': 'Template ID', 'zh-CN': '模板ID' }, value: (row) => row.templateId },
  { head: { 'en-US': 'Template name', 'zh-CN': '模板名称' }, value: (row) => row.templateName },
  { head: { 'en-US': 'Application', 'zh-CN': '应用' }, value: (row) => row.appName },
  { head: { 'en-US': 'Send type', 'zh-CN': '发送类型' }, value: (row) => row.smsType },
  { head: { 'en-US': 'Content', 'zh-CN': '模板内容' }, value: (row) => row.content },
  { head: { 'en-US': 'Review status', 'zh-CN': '审核状态' }, value: (row) => row.auditStatus },
  {
    head: { 'en-US': 'Rejection reason', 'zh-CN': '驳回原因' },
    value: (row) => [row.auditCode, row.auditReason].filter(Boolean).join(': '),
  },
  { head: { 'en-US': 'Version', 'zh-CN': '版本' }, value: (row) => row.version },
  { head: { 'en-US': 'Version in use', 'zh-CN': '使用中的版本' }, value: (row) => row.servingVersion },
  { head: { 'en-US': 'Tasks, 90 days', 'zh-CN': '任务数（90 天）' }, value: (row) => row.usage?.taskCount ?? 0 },
  { head: { 'en-US': 'Accepted, 90 days', 'zh-CN': '已受理（90 天）' }, value: (row) => row.usage?.acceptedCount ?? 0 },
  {
    head: { 'en-US': 'Delivered, 90 days', 'zh-CN': '已送达（90 天）' },
    value: (row) => row.usage?.deliveredCount ?? 0,
  },
  { head: { 'en-US': 'Created', 'zh-CN': '创建时间' }, value: (row) => row.createTime },
  { head: { 'en-US': 'Updated', 'zh-CN': '更新时间' }, value: (row) => row.updateTime },
];
