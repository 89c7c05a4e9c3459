import type { PriceChange, PriceItem, RouteRuleItem } from '@pahatid/contract';
import type { PriceChangeView } from '@pahatid/db/queries/price-changes';
import type { PriceView, RouteView } from '@pahatid/db/queries/routing-admin';
import type { CsvColumn } from '../../http/csv.ts';

export const presentRoute = (row: RouteView): RouteRuleItem => ({
  routeId: row.routeId,
  routeName: row.routeName,
  areaCode: row.areaCode,
  carrier: row.carrier,
  smsType: row.smsType,
  supplierId: row.supplierId,
  supplierAccount: row.supplierAccount,
  priority: row.priority,
  weight: row.weight,
  useState: row.useState,
  version: row.version,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});

/** For the audit log: what staff set. */
export const presentSettings = (row: RouteView) => ({
  routeName: row.routeName,
  areaCode: row.areaCode,
  carrier: row.carrier,
  smsType: row.smsType,
  supplierId: row.supplierId,
  priority: row.priority,
  weight: row.weight,
  useState: row.useState,
});

export const presentPrice = (row: PriceView): PriceItem => ({ ...row });

export const routeColumns: readonly CsvColumn<RouteRuleItem>[] = [
  { head: { 'en-US': 'Route', 'zh-CN': '路由' }, value: (row) => row.routeName },
  { head: { 'en-US': 'Country', 'zh-CN': '国家' }, value: (row) => row.areaCode },
  { head: { 'en-US': 'Carrier', 'zh-CN': '运营商' }, value: (row) => row.carrier },
  { head: { 'en-US': 'SMS type', 'zh-CN': '短信类型' }, value: (row) => row.smsType },
  { head: { 'en-US': 'Supplier account', 'zh-CN': '供应商账号' }, value: (row) => row.supplierAccount },
  { head: { 'en-US': 'Priority', 'zh-CN': '优先级' }, value: (row) => row.priority },
  { head: { 'en-US': 'Weight', 'zh-CN': '权重' }, value: (row) => row.weight },
  { head: { 'en-US': 'Use status', 'zh-CN': '使用状态' }, value: (row) => row.useState },
];

/** Pesos, from 1/10,000. */
const pesos = (amount: number): string => (amount / 10_000).toFixed(4);

export const priceColumns: readonly CsvColumn<PriceItem>[] = [
  { head: { 'en-US': 'Country', 'zh-CN': '国家' }, value: (row) => row.areaCode },
  { head: { 'en-US': 'Carrier', 'zh-CN': '运营商' }, value: (row) => row.carrier },
  { head: { 'en-US': 'SMS type', 'zh-CN': '短信类型' }, value: (row) => row.smsType },
  { head: { 'en-US': 'Customer', 'zh-CN': '客户' }, value: (row) => row.operator },
  { head: { 'en-US': 'Price per segment (PHP)', 'zh-CN': '每计费条价格（PHP）' }, value: (row) => pesos(row.price) },
];

export const presentPriceChange = (row: PriceChangeView): PriceChange => ({
  changeId: row.changeId,
  areaCode: row.areaCode,
  carrier: row.carrier,
  smsType: row.smsType,
  customerId: row.customerId,
  operator: row.operator,
  price: row.price,
  effectiveTime: row.effectiveTime.toISOString(),
  planned: row.planned,
  account: row.account,
  createTime: row.createTime.toISOString(),
});

export const priceChangeColumns: readonly CsvColumn<PriceChange>[] = [
  { head: { 'en-US': 'From (UTC)', 'zh-CN': '生效时间（UTC）' }, value: (row) => row.effectiveTime },
  { head: { 'en-US': 'Planned', 'zh-CN': '待生效' }, value: (row) => (row.planned ? 1 : 0) },
  { head: { 'en-US': 'Country', 'zh-CN': '国家' }, value: (row) => row.areaCode },
  { head: { 'en-US': 'Carrier', 'zh-CN': '运营商' }, value: (row) => row.carrier },
  { head: { 'en-US': 'SMS type', 'zh-CN': '短信类型' }, value: (row) => row.smsType },
  { head: { 'en-US': 'Customer', 'zh-CN': '客户' }, value: (row) => row.operator },
  {
    head: { 'en-US': 'Price per segment (PHP)', 'zh-CN': '每计费条价格（PHP）' },
    value: (row) => (row.price === null ? null : pesos(row.price)),
  },
  { head: { 'en-US': 'By', 'zh-CN': '操作人' }, value: (row) => row.account },
];
