/** Texts that belong to no customer, for staff, who see their numbers masked. */
import type { UnownedReply } from '@pahatid/contract';
import { listUnownedReplies, type UnownedReplyRow } from '@pahatid/db/queries/inbound';
import type { FastifyInstance } from 'fastify';
import type { SignedInUser } from '../../http/call.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { phoneFor, textFor } from '../../http/phones.ts';
import { serveList } from '../../http/serve-list.ts';

const SORT = 'unowned';

export function registerUnownedReplies(app: FastifyInstance): void {
  serveList(app, 'GET /unowned-replies', async ({ query, user, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-time');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const found = await listUnownedReplies(tx, {
          destination: query.destination,
          isOptOut: query.optOut === undefined ? undefined : query.optOut === 1,
          after: decodeCursor(cursor, name, ['uuid']),
          isReversed,
          limit: limit + 1,
        });
        const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.inboundId]);
        return { items: rows.map((row) => presentUnowned(row, user)), nextCursor };
      });
    return { fileName: 'unowned-replies', columns, readPage };
  });
}

const presentUnowned = (row: UnownedReplyRow, user: SignedInUser): UnownedReply => ({
  inboundId: row.inboundId,
  time: row.receivedAt.toISOString(),
  mobileNumber: phoneFor(user, row.msisdn),
  destination: row.destination,
  content: textFor(user, row.content),
  optOut: row.isOptOut ? 1 : 0,
  supplierAccount: row.supplierAccount,
});

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

const columns: readonly CsvColumn<UnownedReply>[] = [
  { head: head('时间', 'Time'), value: (row) => row.time },
  { head: head('手机号码', 'Phone number'), value: (row) => row.mobileNumber },
  { head: head('回复至', 'Sent to'), value: (row) => row.destination },
  { head: head('内容', 'Text'), value: (row) => row.content },
  { head: head('是否退订', 'Opt-out'), value: (row) => row.optOut },
  { head: head('供应商账号', 'Supplier account'), value: (row) => row.supplierAccount },
];
