import type { LedgerEntry } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { type LedgerRow, listLedgerNames } from '@pahatid/db/queries/ledger';
import { listCustomerNames } from '@pahatid/db/queries/overview';
import type { CsvColumn } from '../../http/csv.ts';

export const distinct = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== null)),
];

/** `customerId`: the customer that sees them; null: staff, who also see the customer and the author. */
export async function presentLedger(
  tx: Db,
  customerId: string | null,
  rows: readonly LedgerRow[],
): Promise<LedgerEntry[]> {
  const names = await listLedgerNames(tx, {
    customerId,
    taskIds: distinct(rows.map(({ taskId }) => taskId)),
    appIds: [],
    userIds: customerId === null ? distinct(rows.map(({ userId }) => userId)) : [],
  });
  const operators =
    customerId === null ? await listCustomerNames(tx, distinct(rows.map((row) => row.customerId))) : null;
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  return rows.map((row) => ({
    entryId: row.entryId,
    time: row.time.toISOString(),
    kind: row.kind,
    amount: row.amount,
    segments: row.segments,
    appId: row.appId,
    taskId: row.taskId,
    taskName: nameOf(row.taskId),
    account: nameOf(row.userId),
    note: row.note,
    customerId: row.customerId,
    ...(operators !== null && { operator: operators.get(row.customerId) ?? null }),
  }));
}

const columns: readonly CsvColumn<LedgerEntry>[] = [
  { head: { 'en-US': 'Time (UTC)', 'zh-CN': '时间（UTC）' }, value: (row) => row.time },
  { head: { 'en-US': 'Kind', 'zh-CN': '类型' }, value: (row) => row.kind },
  { head: { 'en-US': 'Amount (1/10,000 PHP)', 'zh-CN': '金额（1/10,000 PHP）' }, value: (row) => row.amount },
  { head: { 'en-US': 'Segments', 'zh-CN': '计费条数' }, value: (row) => row.segments },
  { head: { 'en-US': 'Application', 'zh-CN': '应用' }, value: (row) => row.appId },
  { head: { 'en-US': 'Task', 'zh-CN': '任务' }, value: (row) => row.taskName },
  { head: { 'en-US': 'Note', 'zh-CN': '备注' }, value: (row) => row.note },
  { head: { 'en-US': 'Entry ID', 'zh-CN': '流水 ID' }, value: (row) => row.entryId },
];

export const ledgerColumns = (isStaff: boolean): readonly CsvColumn<LedgerEntry>[] =>
  isStaff
    ? [
        { head: { 'en-US': 'Customer', 'zh-CN': '客户' }, value: (row) => row.operator },
        ...columns,
        { head: { 'en-US': 'Entered by', 'zh-CN': '录入人' }, value: (row) => row.account },
      ]
    : columns;
