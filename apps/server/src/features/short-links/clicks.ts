import { getCustomerId } from '@pahatid/db';
import { findClickers, listClicks } from '@pahatid/db/queries/link-clicks';
import { listClickNames } from '@pahatid/db/queries/link-statistics';
import { findShortLink } from '@pahatid/db/queries/short-links';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import { serveList } from '../../http/serve-list.ts';
import { clickColumns, presentClick } from './present-link.ts';

const SORT = 'clicks';

/** Single clicks of a link, with the recipient as the user may see it. */
export function registerClicks(app: FastifyInstance): void {
  serveList(app, 'GET /short-links/:linkId/clicks', async (call) => {
    const { params, query, scope, user, inScope, inDataScope } = call;
    const link = await inScope((tx) => findShortLink(tx, getCustomerId(scope), params.linkId));
    if (link === null) throw new ProblemError('NOT_FOUND');
    const { customerId, linkId } = link;
    const { name, isReversed } = readOrder(SORT, query.sort, '-clickTime');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['uuid']);
      const found = await inDataScope(async (tx) => {
        const rows = await listClicks(tx, {
          customerId,
          linkId,
          human: query.by === 'human',
          after,
          isDescending: !isReversed,
          limit: limit + 1,
        });
        const ids = [...new Set(rows.flatMap((row) => row.messageId ?? []))];
        return { rows, messages: ids.length === 0 ? [] : await findClickers(tx, customerId, ids) };
      });
      const taskIds = [...new Set(found.messages.flatMap((message) => message.taskId ?? []))];
      const names = taskIds.length === 0 ? {} : await inScope((tx) => listClickNames(tx, { linkIds: [], taskIds }));
      const messageOf = new Map(found.messages.map((message) => [message.messageId, message]));
      const { rows, nextCursor } = toPage(found.rows, limit, name, (row) => [row.clickId]);
      const items = rows.map((row) => presentClick(row, messageOf.get(row.messageId ?? ''), names, user));
      return { items, nextCursor };
    };
    return { fileName: 'short-link-clicks', columns: clickColumns, readPage };
  });
}
