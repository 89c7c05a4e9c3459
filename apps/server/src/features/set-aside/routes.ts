/** Events of carriers that the database could not store: listed for staff, and marked once they are handled. */
import type { SetAsideEventView } from '@pahatid/contract';
import { listSupplierAccounts } from '@pahatid/db/queries/alerts';
import {
  findSetAside,
  handleSetAside,
  listSetAside,
  listSetAsideMessages,
  type SetAsideMessage,
  type SetAsideRow,
} from '@pahatid/db/queries/set-aside';
import { listUserNames } from '@pahatid/db/queries/threshold-rules';
import type { FastifyInstance } from 'fastify';
import type { SignedInUser } from '../../http/call.ts';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { textFor } from '../../http/phones.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';

const SORT = 'setAside';
/** Letters of an event that are shown; the database keeps all of it. */
const shownLetters = 2_000;

export function registerSetAside(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /set-aside-events', async ({ query, user }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-time');
    return {
      fileName: 'set-aside-events',
      columns,
      readPage: async (cursor, limit) => {
        const found = await listSetAside(deps.pools.data, {
          kind: query.kind,
          supplierId: query.supplierId,
          isHandled: query.handled === undefined ? undefined : query.handled === 1,
          after: decodeCursor(cursor, name, ['time', 'uuid']) as [string, string] | null,
          isReversed,
          limit: limit + 1,
        });
        const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.atKey, row.eventId]);
        return { items: await present(rows, user, deps), nextCursor };
      },
    };
  });

  serve(app, 'POST /set-aside-events/:eventId/handle', async ({ params, user, withTransaction, audit }) => {
    const { eventId } = params;
    await withTransaction(async (tx) => {
      const row = await findSetAside(tx, eventId);
      if (row === null) throw new ProblemError('NOT_FOUND');
      if (!(await handleSetAside(tx, eventId, user.userId))) throw new ProblemError('CONFLICT');
      const { kind, supplierId, errorCode } = row;
      await audit(tx, {
        action: 'complete',
        subjectType: 'setAsideEvent',
        subjectId: eventId,
        after: { kind, supplierId, errorCode },
      });
    });
    return undefined;
  });
}

async function present(
  rows: readonly SetAsideRow[],
  user: SignedInUser,
  { pools }: ApiDeps,
): Promise<SetAsideEventView[]> {
  const accounts = await listSupplierAccounts(
    pools.control,
    rows.map(({ supplierId }) => supplierId),
  );
  const names = await listUserNames(
    pools.control,
    rows.flatMap(({ handledBy }) => handledBy ?? []),
  );
  const messages = new Map(
    (await listSetAsideMessages(pools.data, rows.flatMap(readMessageKey))).map((each) => [each.messageId, each]),
  );
  return rows.map((row) => ({
    eventId: row.eventId,
    time: row.setAsideAt.toISOString(),
    kind: row.kind,
    supplierId: row.supplierId,
    supplierAccount: accounts.get(row.supplierId) ?? '',
    errorCode: row.errorCode,
    message: presentMessage(messages.get(row.messageId ?? '')),
    content: textFor(user, row.content).slice(0, shownLetters),
    optOut: row.isOptOut ? (row.optedOut ? 'applied' : 'unowned') : null,
    handledTime: row.handledAt?.toISOString() ?? null,
    handledBy: row.handledBy === null ? null : (names.get(row.handledBy) ?? ''),
  }));
}

const presentMessage = (message: SetAsideMessage | undefined): SetAsideEventView['message'] => message ?? null;

/** A result names its message and customer in its content. */
function readMessageKey({ messageId, content }: SetAsideRow): { customerId: string; messageId: string }[] {
  if (messageId === null) return [];
  const { customerId } = JSON.parse(content) as { customerId?: unknown };
  return typeof customerId === 'string' ? [{ customerId, messageId }] : [];
}

const columns: readonly CsvColumn<SetAsideEventView>[] = [
  column('时间', 'Time', (row) => row.time),
  column('类型', 'Kind', (row) => row.kind),
  column('供应商账号', 'Supplier account', (row) => row.supplierAccount),
  column('错误码', 'Error code', (row) => row.errorCode),
  column('短信ID', 'Message ID', (row) => row.message?.messageId),
  column('客户', 'Customer', (row) => row.message?.operator),
  column('任务', 'Task', (row) => row.message?.taskName),
  column('内容', 'Content', (row) => row.content),
  column('退订', 'Opt-out', (row) => row.optOut),
  column('处理时间', 'Handled', (row) => row.handledTime),
  column('处理人', 'Handled by', (row) => row.handledBy),
];
