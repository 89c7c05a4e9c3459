import type { CustomerDetail, CustomerItem } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import {
  type CustomerView,
  listCustomerApplications,
  listCustomerUsers,
  listFunds,
  sumTraffic,
} from '@pahatid/db/queries/customer-admin';
import { listCustomerLimits } from '@pahatid/db/queries/customer-limits';
import { findTwoFactorUsers } from '@pahatid/db/queries/second-factors';
import type { CsvColumn } from '../../http/csv.ts';
import type { ApiDeps } from '../../http/deps.ts';

const dayMs = 86_400_000;
/** Manila is UTC+8 all year. */
const manilaMs = 8 * 3_600_000;
const midnight = (now: Date): Date => new Date(Math.floor((now.getTime() + manilaMs) / dayMs) * dayMs - manilaMs);

/** Customers with their money and their traffic of today. */
export async function presentCustomers(tx: Db, deps: ApiDeps, rows: readonly CustomerView[]): Promise<CustomerItem[]> {
  const ids = rows.map(({ customerId }) => customerId);
  const funds = await listFunds(tx, ids);
  const traffic = await sumTraffic(deps.pools.data, ids, midnight(deps.now()));
  return rows.map((row) => ({
    customerId: row.customerId,
    customerName: row.customerName,
    useState: row.useState,
    ...(funds.get(row.customerId) ?? { balance: 0, reserved: 0 }),
    today: traffic.get(row.customerId) ?? { messages: 0, delivered: 0, spend: 0 },
    reviewPolicy: row.reviewPolicy,
    reviewAbove: row.reviewAbove,
    createTime: row.createTime.toISOString(),
    version: row.version,
  }));
}

export async function presentCustomer(tx: Db, deps: ApiDeps, row: CustomerView): Promise<CustomerDetail> {
  const [item] = await presentCustomers(tx, deps, [row]);
  if (item === undefined) throw new Error('a customer is presented as none');
  const users = await listCustomerUsers(tx, row.customerId);
  const secured = await findTwoFactorUsers(
    tx,
    users.map(({ userId }) => userId),
  );
  return {
    ...item,
    exemptSmsTypes: row.exemptSmsTypes,
    quietHoursExempt: row.quietHoursExempt,
    templateRequired: row.templateRequired,
    linkReview: row.linkReview,
    quietHours: { from: row.quietFrom, to: row.quietTo },
    lowBalance: row.lowBalance,
    suspendTime: row.suspendTime?.toISOString() ?? null,
    suspendReason: row.suspendReason,
    users: users.map((user) => ({
      ...user,
      lastSignInTime: user.lastSignInTime?.toISOString() ?? null,
      hasTwoFactor: secured.has(user.userId),
    })),
    applications: await listCustomerApplications(tx, row.customerId),
    limits: await listCustomerLimits(tx, row.customerId),
  };
}

/** For the audit log: what staff set. */
export const presentSettings = (row: CustomerView) => ({
  customerName: row.customerName,
  reviewPolicy: row.reviewPolicy,
  reviewAbove: row.reviewAbove,
  exemptSmsTypes: row.exemptSmsTypes,
  quietHoursExempt: row.quietHoursExempt,
  templateRequired: row.templateRequired,
  linkReview: row.linkReview,
  lowBalance: row.lowBalance,
});

export const customerColumns: readonly CsvColumn<CustomerItem>[] = [
  { head: { 'en-US': 'Customer', 'zh-CN': '客户' }, value: (row) => row.customerName },
  { head: { 'en-US': 'Use status', 'zh-CN': '使用状态' }, value: (row) => row.useState },
  { head: { 'en-US': 'Balance (1/10,000 PHP)', 'zh-CN': '余额（1/10,000 PHP）' }, value: (row) => row.balance },
  { head: { 'en-US': 'Reserved (1/10,000 PHP)', 'zh-CN': '预留（1/10,000 PHP）' }, value: (row) => row.reserved },
  { head: { 'en-US': 'Messages today', 'zh-CN': '今日短信' }, value: (row) => row.today.messages },
  { head: { 'en-US': 'Delivered today', 'zh-CN': '今日已送达' }, value: (row) => row.today.delivered },
  {
    head: { 'en-US': 'Charged today (1/10,000 PHP)', 'zh-CN': '今日扣费（1/10,000 PHP）' },
    value: (row) => row.today.spend,
  },
  { head: { 'en-US': 'Review policy', 'zh-CN': '审核策略' }, value: (row) => row.reviewPolicy },
  { head: { 'en-US': 'Customer ID', 'zh-CN': '客户 ID' }, value: (row) => row.customerId },
];
