/**
 * The ledger by day and task, read day by day, so that a page reads no entries of other days
 * (decision 188).
 */
import type { LedgerDay } from '@pahatid/contract';
import { type Db, getCustomerId } from '@pahatid/db';
import { listLedgerNames } from '@pahatid/db/queries/ledger';
import { findLedgerDay, type LedgerLine, type LedgerLineFilter, listDayLines } from '@pahatid/db/queries/ledger-lines';
import { sumSpan } from '@pahatid/db/queries/ledger-sums';
import { listCustomerNames } from '@pahatid/db/queries/overview';
import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, encodeCursor, type ListOrder, readOrder } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { serveList } from '../../http/serve-list.ts';
import { assertMaySeeAll, chooseCustomer, chooseZone } from './choose-customer.ts';
import { distinct } from './present-ledger.ts';

const SORT = 'ledger-days';
/** A page ends early, after a day by which it has summed so many entries. */
const mostEntries = 200_000;
const dayMs = 86_400_000;
const firstInstant = new Date('2000-01-01T00:00:00Z');

interface Asked {
  filter: LedgerLineFilter;
  order: ListOrder;
  after: string[] | null;
  limit: number;
}

interface Page {
  lines: LedgerLine[];
  nextCursor: string | null;
}

/** `after`: the day, kind, customer and task of the last line seen. */
async function readLines(tx: Db, { filter, order, after, limit }: Asked): Promise<Page> {
  const lines: LedgerLine[] = [];
  const pageUpTo = (count: number): Page => {
    const shown = lines.slice(0, count);
    const last = shown.at(-1);
    const key = last && [last.day, last.kind, last.customerId, last.taskKey];
    return { lines: shown, nextCursor: key === undefined ? null : encodeCursor(order.name, key) };
  };
  let entries = 0;
  let past = after?.slice(1);
  let day = after?.[0] ?? (await findLedgerDay(tx, filter, null, order.isReversed));
  while (day !== null) {
    const page = { after: past, isReversed: order.isReversed, limit: limit - lines.length + 1 };
    for (const line of await listDayLines(tx, filter, day, page)) {
      lines.push(line);
      entries += line.entries;
    }
    if (lines.length > limit) return pageUpTo(limit);
    past = undefined;
    day = await findLedgerDay(tx, filter, day, order.isReversed);
    // A day with an entry has a line, so the next page is not empty.
    if (day !== null && (lines.length === limit || entries >= mostEntries)) return pageUpTo(limit);
  }
  return { lines, nextCursor: null };
}

/** `customerId`: the customer that sees them; null: staff, who also see the customer. */
async function presentLines(tx: Db, customerId: string | null, lines: readonly LedgerLine[]): Promise<LedgerDay[]> {
  const taskIds = distinct(lines.map(({ taskId }) => taskId));
  const names = await listLedgerNames(tx, { customerId, taskIds, appIds: [], userIds: [] });
  const operators =
    customerId === null ? await listCustomerNames(tx, distinct(lines.map((line) => line.customerId))) : null;
  return lines.map(({ day, kind, customerId: of, taskId, entries, segments, amount }) => ({
    ...{ day, kind, customerId: of, taskId, entryCount: entries, segments, amount },
    taskName: taskId === null ? null : (names.get(taskId) ?? null),
    ...(operators !== null && { operator: operators.get(of) ?? null }),
  }));
}

const columns: readonly CsvColumn<LedgerDay>[] = [
  { head: { 'en-US': 'Day', 'zh-CN': '日期' }, value: (row) => row.day },
  { head: { 'en-US': 'Kind', 'zh-CN': '类型' }, value: (row) => row.kind },
  { head: { 'en-US': 'Task', 'zh-CN': '任务' }, value: (row) => row.taskName },
  { head: { 'en-US': 'Task ID', 'zh-CN': '任务 ID' }, value: (row) => row.taskId },
  { head: { 'en-US': 'Entries', 'zh-CN': '笔数' }, value: (row) => row.entryCount },
  { head: { 'en-US': 'Segments', 'zh-CN': '计费条数' }, value: (row) => row.segments },
  { head: { 'en-US': 'Amount (1/10,000 PHP)', 'zh-CN': '金额（1/10,000 PHP）' }, value: (row) => row.amount },
];
const staffColumns: readonly CsvColumn<LedgerDay>[] = [
  { head: { 'en-US': 'Customer', 'zh-CN': '客户' }, value: (row) => row.operator },
  ...columns,
];

export function registerLedgerDays(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /billing/days', async ({ query, user, scope, wantsCsv, inScope, inDataScope }) => {
    assertMaySeeAll(user, query.customerId);
    const own = getCustomerId(scope);
    const zone = chooseZone(query.zone);
    const order = readOrder(SORT, query.sort, '-day');
    const isAll = own === null && query.customerId === undefined;
    const customerId = isAll ? null : (await inScope((tx) => chooseCustomer(tx, scope, query.customerId))).customerId;
    const [from, to] = [query.from, query.to].map((at) => (at === undefined ? undefined : new Date(at)));
    const filter = { customerId, kind: query.kind, from, to, zone };
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, order.name, ['day', 'text', 'uuid', 'uuid']);
      const { lines, nextCursor, sums } = await inDataScope(async (tx) => {
        const page = await readLines(tx, { filter, order, after, limit });
        if (customerId === null || wantsCsv) return { ...page, sums: null };
        const until = to ?? new Date(deps.now().getTime() + dayMs);
        const span = { customerId, from: from ?? firstInstant, to: until };
        return { ...page, sums: span.from < until ? await sumSpan(tx, span) : null };
      });
      return { items: await inScope((tx) => presentLines(tx, own, lines)), nextCursor, sums };
    };
    return { fileName: 'ledger-by-day', columns: own === null ? staffColumns : columns, readPage };
  });
}
