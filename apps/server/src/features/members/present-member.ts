import type { Invitation, Member } from '@pahatid/contract';
import type { InvitationRow, MemberRow } from '@pahatid/db/queries/members';
import { type CsvColumn, column } from '../../http/csv.ts';
import type { RowOf } from '../../http/serve-list.ts';

export const presentMember = (row: MemberRow, hasTwoFactor: boolean, isStaff = false): Member => ({
  userId: row.userId,
  account: row.account,
  name: row.name,
  email: row.email,
  role: row.role,
  useState: row.useState,
  createTime: row.createTime.toISOString(),
  lastSignInTime: row.lastSignInTime?.toISOString() ?? null,
  hasTwoFactor,
  ...(isStaff && { operator: row.customerName }),
});

export const presentInvitation = (row: InvitationRow, now: Date, isStaff = false): Invitation => ({
  invitationId: row.invitationId,
  email: row.email,
  role: row.role,
  invitedBy: row.invitedBy,
  createTime: row.createTime.toISOString(),
  sentTime: row.sentTime.toISOString(),
  expiresTime: row.expiresTime.toISOString(),
  isExpired: row.expiresTime <= now,
  ...(isStaff && { operator: row.customerName }),
});

export const memberColumns: readonly CsvColumn<Member>[] = [
  { head: { 'zh-CN': '姓名', 'en-US': 'Name' }, value: (row) => row.name },
  { head: { 'zh-CN': '账号', 'en-US': 'Account' }, value: (row) => row.account },
  { head: { 'zh-CN': '邮箱', 'en-US': 'Email' }, value: (row) => row.email },
  { head: { 'zh-CN': '角色', 'en-US': 'Role' }, value: (row) => row.role },
  { head: { 'zh-CN': '使用状态', 'en-US': 'Use state' }, value: (row) => row.useState },
  { head: { 'zh-CN': '加入时间', 'en-US': 'Joined' }, value: (row) => row.createTime },
  { head: { 'zh-CN': '最近登录', 'en-US': 'Last sign-in' }, value: (row) => row.lastSignInTime },
  { head: { 'zh-CN': '两步验证', 'en-US': 'Two-factor' }, value: (row) => (row.hasTwoFactor ? 1 : 0) },
];

/** With the customer for staff, who see those of all. */
export const invitationColumns = (isStaff: boolean): readonly CsvColumn<RowOf<'GET /invitations'>>[] => [
  ...(isStaff ? [column<RowOf<'GET /invitations'>>('客户', 'Customer', (row) => row.operator)] : []),
  column('邮箱', 'Email', (row) => row.email),
  column('角色', 'Role', (row) => row.role),
  column('邀请人', 'Invited by', (row) => row.invitedBy),
  column('创建时间', 'Created', (row) => row.createTime),
  column('发送时间', 'Sent', (row) => row.sentTime),
  column('到期时间', 'Expires', (row) => row.expiresTime),
];
