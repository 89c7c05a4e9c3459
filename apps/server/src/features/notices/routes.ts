/** A user's own notices and notification settings. Run without a customer scope: each statement names the user. */
import { type Notice, type NoticeParams, noticeParams } from '@pahatid/contract';
import {
  countUnread,
  listNoticeSettings,
  listNotices,
  type NoticeOwner,
  type NoticeRow,
  readNotice,
  readNotices,
  setNoticeSettings,
} from '@pahatid/db/queries/notices';
import { mergeNoticeSettings } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { SignedInUser } from '../../http/call.ts';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';

const SORT = 'notices';

const noticeColumns: readonly CsvColumn<Notice>[] = [
  column('时间', 'Time', (row) => row.time),
  column('类型', 'Kind', (row) => row.kind),
  column('已读', 'Read', (row) => (row.read ? 1 : 0)),
  column('内容', 'Facts', (row) => JSON.stringify(row.params)),
];

const ownerOf = ({ userId, customerId }: SignedInUser): NoticeOwner => ({ userId, customerId });

export function registerNotices(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const unreadOf = async (user: SignedInUser) => ({ unread: await countUnread(control, ownerOf(user)) });

  serveList(app, 'GET /notices', async ({ query, user }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-time');
    const filter = { kind: query.kind, unread: query.unread === '1', isReversed };
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['uuid']);
      const found = await listNotices(control, ownerOf(user), { ...filter, after, limit: limit + 1 });
      const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.noticeId]);
      return { items: rows.flatMap(presentNotice), nextCursor };
    };
    return { fileName: 'notices', columns: noticeColumns, readPage };
  });

  serve(app, 'GET /notices/unread', ({ user }) => unreadOf(user));

  serve(app, 'POST /notices/:noticeId/read', async ({ params, user }) => {
    if (!(await readNotice(control, ownerOf(user), params.noticeId))) throw new ProblemError('NOT_FOUND');
    return unreadOf(user);
  });

  serve(app, 'POST /notices/read', async ({ body, user }) => {
    await readNotices(control, ownerOf(user), body.upTo ?? null);
    return unreadOf(user);
  });

  serve(app, 'GET /notices/settings', async ({ user }) => ({
    items: mergeNoticeSettings(user.role, await listNoticeSettings(control, user.userId)),
  }));

  serve(app, 'PUT /notices/settings', async ({ body, user, withTransaction, audit }) => {
    const known = mergeNoticeSettings(user.role, []).map(({ kind }) => kind);
    const kinds = body.items.map(({ kind }) => kind);
    if (new Set(kinds).size !== kinds.length || kinds.some((kind) => !known.includes(kind)))
      throw fieldProblem('items', 'NOT_AN_OPTION');
    return withTransaction(async (tx) => {
      const before = mergeNoticeSettings(user.role, await listNoticeSettings(tx, user.userId));
      await setNoticeSettings(tx, ownerOf(user), body.items);
      await audit(tx, {
        action: 'update',
        subjectType: 'noticeSettings',
        subjectId: user.userId,
        before: { items: before.filter(({ kind }) => kinds.includes(kind)) },
        after: body,
      });
      return { items: mergeNoticeSettings(user.role, await listNoticeSettings(tx, user.userId)) };
    });
  });
}

/** One that an older release wrote in a shape that is none any more is left out. */
function presentNotice({ noticeId, kind, params, createdAt, readAt }: NoticeRow): Notice[] {
  const read = noticeParams[kind]?.safeParse(params);
  if (read?.success !== true) return [];
  const facts = { kind, params: read.data } as {
    [K in Notice['kind']]: { kind: K; params: NoticeParams[K] };
  }[Notice['kind']];
  return [{ noticeId, time: createdAt.toISOString(), read: readAt !== null, ...facts }];
}
