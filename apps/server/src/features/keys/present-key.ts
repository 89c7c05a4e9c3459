import type { NamedKey } from '@pahatid/contract';
import type { KeyRow } from '@pahatid/db/queries/keys';
import { type CsvColumn, column } from '../../http/csv.ts';

export const presentKey = ({ customerId: _, ...row }: KeyRow): NamedKey => ({
  ...row,
  createTime: row.createTime.toISOString(),
  expireTime: row.expireTime?.toISOString() ?? null,
  lastUsedTime: row.lastUsedTime?.toISOString() ?? null,
});

export const keyColumns: readonly CsvColumn<NamedKey>[] = [
  column('名称', 'Name', (row) => row.keyName),
  column('App ID', 'App ID', (row) => row.appId),
  column('应用名称', 'Application name', (row) => row.appName),
  column('模式', 'Mode', (row) => row.mode),
  column('开头', 'Begins with', (row) => row.prefix),
  column('权限', 'Scopes', (row) => row.scopes.join(' ')),
  column('IP 白名单', 'Allowed addresses', (row) => row.whiteListIp.join(' ')),
  column('生成时间', 'Created', (row) => row.createTime),
  column('创建人', 'Created by', (row) => row.createdBy),
  column('最近使用', 'Last used', (row) => row.lastUsedTime),
  column('有效至', 'Valid until', (row) => row.expireTime),
];
