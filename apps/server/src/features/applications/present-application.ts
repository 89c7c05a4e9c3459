import type { Application } from '@pahatid/contract';
import type { ApplicationRow } from '@pahatid/db';
import type { CsvColumn } from '../../http/csv.ts';

export const presentApplication = (row: ApplicationRow): Application => ({
  appId: row.appId,
  appName: row.appName,
  remarkInfo: row.remarkInfo,
  useState: row.useState,
  createTime: row.createTime.toISOString(),
  chargeType: row.chargeType,
  accessType: row.accessType,
  account: row.account,
  maxConnectNum: row.maxConnectNum,
  tps: row.tps,
  whiteListIp: row.whiteListIp,
  countries: row.countries,
  callbackUrl: row.callbackUrl,
  doubtPolicy: row.doubtPolicy,
  validFor: row.validFor,
  serviceTypes: row.serviceTypes,
  smppDeduplication: row.smppDeduplication,
  version: row.version,
});

export const applicationColumns: readonly CsvColumn<Application>[] = [
  { head: { 'en-US': 'Application ID', 'zh-CN': '应用ID' }, value: (row) => row.appId },
  { head: { 'en-US': 'Application name', 'zh-CN': '应用名称' }, value: (row) => row.appName },
  { head: { 'en-US': 'Remarks', 'zh-CN': '备注' }, value: (row) => row.remarkInfo },
  { head: { 'en-US': 'Use status', 'zh-CN': '使用状态' }, value: (row) => row.useState },
  { head: { 'en-US': 'Charge type', 'zh-CN': '计费方式' }, value: (row) => row.chargeType },
  { head: { 'en-US': 'Account', 'zh-CN': '账号' }, value: (row) => row.account },
  { head: { 'en-US': 'Connections', 'zh-CN': '连接数' }, value: (row) => row.maxConnectNum },
  { head: { 'en-US': 'Allowed IPs', 'zh-CN': 'IP白名单' }, value: (row) => row.whiteListIp.join(' ') },
  { head: { 'en-US': 'Countries', 'zh-CN': '可发送国家或地区' }, value: (row) => row.countries.join(' ') },
  { head: { 'en-US': 'Created', 'zh-CN': '创建时间' }, value: (row) => row.createTime },
];
