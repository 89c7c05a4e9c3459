/**
 * A month's statement: the opening balance, the movements, the closing balance. All amounts are integers of 1/10,000
 * PHP, so that opening balance and lines add up to the closing balance to the last digit, which is the ledger's own
 * sum.
 */

import { findDays, listLedgerNames, listStatement, type StatementRow, sumLedger } from '@pahatid/db/queries/ledger';
import type { Language } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, csvAnswer } from '../../http/csv.ts';
import { serve } from '../../http/serve.ts';
import { chooseCustomer, chooseZone } from './choose-customer.ts';
import { distinct } from './present-ledger.ts';

type Kind = StatementRow['kind'] | 'opening' | 'charges' | 'topUps' | 'adjustments' | 'closing';

interface Line {
  day: string | null;
  kind: Kind;
  application: string | null;
  task: string | null;
  note: string | null;
  segments: number | null;
  amount: number;
}

const kinds: Record<Language, Record<Kind, string>> = {
  'en-US': {
    opening: 'Opening balance',
    topUp: 'Top-up',
    charge: 'Charge',
    adjustment: 'Correction',
    charges: 'Sum of charges',
    topUps: 'Sum of top-ups',
    adjustments: 'Sum of corrections',
    closing: 'Closing balance',
  },
  'zh-CN': {
    opening: '期初余额',
    topUp: '充值',
    charge: '扣费',
    adjustment: '调整',
    charges: '扣费合计',
    topUps: '充值合计',
    adjustments: '调整合计',
    closing: '期末余额',
  },
};

const columnsIn = (lang: Language): readonly CsvColumn<Line>[] => [
  { head: { 'en-US': 'Day', 'zh-CN': '日期' }, value: (row) => row.day },
  { head: { 'en-US': 'Kind', 'zh-CN': '类型' }, value: (row) => kinds[lang][row.kind] },
  { head: { 'en-US': 'Application', 'zh-CN': '应用' }, value: (row) => row.application },
  { head: { 'en-US': 'Task', 'zh-CN': '任务' }, value: (row) => row.task },
  { head: { 'en-US': 'Note', 'zh-CN': '备注' }, value: (row) => row.note },
  { head: { 'en-US': 'Segments', 'zh-CN': '计费条数' }, value: (row) => row.segments },
  { head: { 'en-US': 'Amount (1/10,000 PHP)', 'zh-CN': '金额（1/10,000 PHP）' }, value: (row) => row.amount },
];

export const lastDay = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

export function registerStatement(app: FastifyInstance): void {
  serve(app, 'GET /billing/statement', async ({ query, scope, lang, inScope, inDataScope }) => {
    const { month } = query;
    const zone = chooseZone(query.zone);
    const { customerId } = await inScope((tx) => chooseCustomer(tx, scope, query.customerId));
    const { rows, opening } = await inDataScope(async (tx) => {
      // Entries are dated when they are made, so what lies before the month no longer changes; the rest is one statement.
      const span = { customerId, ...(await findDays(tx, `${month}-01`, lastDay(month), zone)) };
      return { rows: await listStatement(tx, span, zone), opening: await sumLedger(tx, customerId, span.from) };
    });
    const names = await inScope((tx) =>
      listLedgerNames(tx, {
        customerId,
        taskIds: distinct(rows.map(({ taskId }) => taskId)),
        appIds: distinct(rows.map(({ appId }) => appId)),
        userIds: [],
      }),
    );
    const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? id));
    const empty = { application: null, task: null, note: null, segments: null };
    const sumOf = (kind: StatementRow['kind']): { amount: number; segments: number } => {
      const sum = { amount: 0, segments: 0 };
      for (const row of rows) {
        if (row.kind !== kind) continue;
        sum.amount += row.amount;
        sum.segments += row.segments;
      }
      return sum;
    };
    const [charged, toppedUp, adjusted] = [sumOf('charge'), sumOf('topUp'), sumOf('adjustment')];
    async function* lines(): AsyncGenerator<Line> {
      yield { ...empty, day: `${month}-01`, kind: 'opening', amount: opening };
      for (const row of rows)
        yield {
          day: row.day,
          kind: row.kind,
          application: nameOf(row.appId),
          task: nameOf(row.taskId),
          note: row.note,
          segments: row.segments,
          amount: row.amount,
        };
      yield { ...empty, day: null, kind: 'charges', segments: charged.segments, amount: charged.amount };
      yield { ...empty, day: null, kind: 'topUps', amount: toppedUp.amount };
      yield { ...empty, day: null, kind: 'adjustments', segments: adjusted.segments, amount: adjusted.amount };
      const closing = opening + charged.amount + toppedUp.amount + adjusted.amount;
      yield { ...empty, day: lastDay(month), kind: 'closing', amount: closing };
    }
    return csvAnswer({ fileName: `statement-${month}`, columns: columnsIn(lang), rows: lines() });
  });
}
