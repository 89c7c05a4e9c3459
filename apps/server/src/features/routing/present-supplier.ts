import type { Supplier } from '@pahatid/contract';
import type { SupplierView } from '@pahatid/db/queries/supplier-admin';
import type { CsvColumn } from '../../http/csv.ts';

const presentBreaker = (row: SupplierView): Supplier['breaker'] => {
  const { breakerState: state, breakerReason: reason, breakerSince: since, breakerFigures: figures } = row;
  if (state === null || reason === null || since === null || figures === null) return null;
  return { state, reason, since: since.toISOString(), figures };
};

export const presentSupplier = (row: SupplierView): Supplier => ({
  supplierId: row.supplierId,
  supplierAccount: row.supplierAccount,
  carrier: row.carrier,
  host: row.host,
  port: row.port,
  systemId: row.systemId,
  bindType: row.bindType,
  bindCount: row.bindCount,
  windowSize: row.windowSize,
  tps: row.tps,
  profile: row.profile,
  useState: row.useState,
  version: row.version,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
  boundCount: row.boundCount,
  senderCount: row.senderCount,
  lastError: row.lastError,
  failedTime: row.failedTime?.toISOString() ?? null,
  breaker: presentBreaker(row),
  waitingCount: row.waitingCount,
  windowUsed: row.windowUsed,
  rate: row.rate,
});

/** For the audit log: the fields that staff set, without those that change automatically. Excludes the password. */
export const presentSettings = (row: SupplierView) => ({
  supplierAccount: row.supplierAccount,
  carrier: row.carrier,
  host: row.host,
  port: row.port,
  systemId: row.systemId,
  bindType: row.bindType,
  bindCount: row.bindCount,
  windowSize: row.windowSize,
  tps: row.tps,
  profile: row.profile,
  useState: row.useState,
});

export const supplierColumns: readonly CsvColumn<Supplier>[] = [
  { head: { 'en-US': 'Supplier account', 'zh-CN': '供应商账号' }, value: (row) => row.supplierAccount },
  { head: { 'en-US': 'Carrier', 'zh-CN': '运营商' }, value: (row) => row.carrier },
  { head: { 'en-US': 'Host', 'zh-CN': '主机' }, value: (row) => row.host },
  { head: { 'en-US': 'Port', 'zh-CN': '端口' }, value: (row) => row.port },
  { head: { 'en-US': 'System ID', 'zh-CN': '系统ID' }, value: (row) => row.systemId },
  { head: { 'en-US': 'Binds', 'zh-CN': '连接数' }, value: (row) => row.bindCount },
  { head: { 'en-US': 'Bound', 'zh-CN': '已连接' }, value: (row) => row.boundCount },
  { head: { 'en-US': 'Window', 'zh-CN': '窗口' }, value: (row) => row.windowSize },
  { head: { 'en-US': 'TPS', 'zh-CN': 'TPS' }, value: (row) => row.tps },
  { head: { 'en-US': 'Use status', 'zh-CN': '使用状态' }, value: (row) => row.useState },
  { head: { 'en-US': 'Waiting', 'zh-CN': '等待中' }, value: (row) => row.waitingCount },
  { head: { 'en-US': 'Last error', 'zh-CN': '最近错误' }, value: (row) => row.lastError },
];
