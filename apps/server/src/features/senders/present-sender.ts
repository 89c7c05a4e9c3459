import type { Sender } from '@pahatid/contract';
import type { Scope, SenderRow } from '@pahatid/db';
import type { CsvColumn } from '../../http/csv.ts';
import type { ReviewRules } from '../../review-rules/review-rules.ts';

export const presentSender = (row: SenderRow, scope: Scope, rules: ReviewRules): Sender => ({
  id: row.id,
  senderId: row.senderId,
  areaCode: row.areaCode,
  appId: row.appId,
  appName: row.appName,
  useState: row.useState,
  auditStatus: row.auditStatus,
  auditReason: row.auditReason,
  auditCode: row.auditCode,
  auditTime: row.auditTime?.toISOString() ?? null,
  operateTime: row.operateTime.toISOString(),
  carriers: row.carriers,
  remarkInfo: row.remarkInfo,
  ...rules.expected(row.auditStatus, row.submitTime),
  ...('staff' in scope && { operator: row.customerName }),
});

export const senderColumns: readonly CsvColumn<Sender>[] = [
  { head: { 'en-US': 'Sender ID', 'zh-CN': 'Sender ID' }, value: (row) => row.senderId },
  { head: { 'en-US': 'Country/region', 'zh-CN': '国家/地区' }, value: (row) => row.areaCode },
  { head: { 'en-US': 'Application', 'zh-CN': '应用' }, value: (row) => row.appName },
  { head: { 'en-US': 'Use status', 'zh-CN': '使用状态' }, value: (row) => row.useState },
  { head: { 'en-US': 'Review status', 'zh-CN': '审核状态' }, value: (row) => row.auditStatus },
  {
    head: { 'en-US': 'Rejection reason', 'zh-CN': '驳回原因' },
    value: (row) => [row.auditCode, row.auditReason].filter(Boolean).join(': '),
  },
  { head: { 'en-US': 'Remarks', 'zh-CN': '备注' }, value: (row) => row.remarkInfo },
  { head: { 'en-US': 'Reviewed', 'zh-CN': '审核时间' }, value: (row) => row.auditTime },
  { head: { 'en-US': 'Updated', 'zh-CN': '操作时间' }, value: (row) => row.operateTime },
];
