import type { AuditActorKind, AuditEntryDetail, AuditEntryView } from '@pahatid/contract';
import type { AuditRow, AuditRowDetail } from '@pahatid/db/queries/audit-log';
import type { CsvColumn } from '../../http/csv.ts';

const kindOf = (row: AuditRow): AuditActorKind => {
  if (row.userId !== null) return row.isStaff ? 'staff' : 'member';
  if (row.appId !== null) return 'application';
  return row.ip === null ? 'system' : 'visitor';
};

/** A customer sees that staff acted and what they did, but not which member or from which address. */
export const presentAudit = (row: AuditRow, forStaff: boolean): AuditEntryView => {
  const kind = kindOf(row);
  const isHidden = kind === 'staff' && !forStaff;
  const account = row.account ?? row.appId;
  return {
    auditId: row.auditId,
    time: row.time.toISOString(),
    actor: {
      kind,
      userId: isHidden ? null : row.userId,
      account: isHidden ? null : account,
      name: isHidden ? null : row.name,
      role: isHidden ? null : row.role,
    },
    action: row.action,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    subjectName: row.subjectName,
    ip: isHidden ? null : row.ip,
    userAgent: isHidden ? null : row.userAgent,
    customerId: row.customerId,
    ...(forStaff && row.customerName !== null && { operator: row.customerName }),
  };
};

/** Fields of an entry that customers are not shown anywhere. */
const staffFields = new Set(['supplierAccount', 'supplierId', 'routeId', 'operator']);

const withoutStaffFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutStaffFields);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !staffFields.has(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutStaffFields(each)]));
};

export const presentAuditDetail = (
  row: AuditRowDetail,
  link: { seq: string; hash: Buffer } | null,
  forStaff: boolean,
): AuditEntryDetail => ({
  ...presentAudit(row, forStaff),
  before: forStaff ? row.before : withoutStaffFields(row.before),
  after: forStaff ? row.after : withoutStaffFields(row.after),
  chain: link === null ? null : { seq: link.seq, hash: link.hash.toString('hex') },
});

export const auditColumns = (forStaff: boolean): readonly CsvColumn<AuditEntryDetail>[] => [
  { head: { 'zh-CN': '时间', 'en-US': 'Time' }, value: (row) => row.time },
  ...(forStaff
    ? [{ head: { 'zh-CN': '客户', 'en-US': 'Customer' }, value: (row: AuditEntryDetail) => row.operator ?? '' }]
    : []),
  { head: { 'zh-CN': '操作者类型', 'en-US': 'Kind of actor' }, value: (row) => row.actor.kind },
  { head: { 'zh-CN': '操作者', 'en-US': 'Actor' }, value: (row) => row.actor.account },
  { head: { 'zh-CN': '操作者姓名', 'en-US': "Actor's name" }, value: (row) => row.actor.name },
  { head: { 'zh-CN': '角色', 'en-US': 'Role' }, value: (row) => row.actor.role },
  { head: { 'zh-CN': '操作', 'en-US': 'Action' }, value: (row) => row.action },
  { head: { 'zh-CN': '对象类型', 'en-US': 'Kind of object' }, value: (row) => row.subjectType },
  { head: { 'zh-CN': '对象', 'en-US': 'Object' }, value: (row) => row.subjectId },
  { head: { 'zh-CN': '对象名称', 'en-US': 'Name of object' }, value: (row) => row.subjectName },
  { head: { 'zh-CN': 'IP 地址', 'en-US': 'IP address' }, value: (row) => row.ip },
  { head: { 'zh-CN': '浏览器', 'en-US': 'User agent' }, value: (row) => row.userAgent },
  { head: { 'zh-CN': '更改前', 'en-US': 'Before' }, value: (row) => jsonOf(row.before) },
  { head: { 'zh-CN': '更改后', 'en-US': 'After' }, value: (row) => jsonOf(row.after) },
  { head: { 'zh-CN': '序号', 'en-US': 'Entry' }, value: (row) => row.chain?.seq },
  { head: { 'zh-CN': '哈希', 'en-US': 'Hash' }, value: (row) => row.chain?.hash },
];

const jsonOf = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));
