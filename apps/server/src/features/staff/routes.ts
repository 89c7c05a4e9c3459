/** The provider's own people, for an admin. They are added on the command line. */
import type { StaffPerson } from '@pahatid/contract';
import { findTwoFactorUsers } from '@pahatid/db/queries/second-factors';
import { findStaff, pageStaff } from '@pahatid/db/queries/staff';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { resetFactors } from '../../second-factors/reset-factors.ts';

const SORT = 'staff';

type Row = Awaited<ReturnType<typeof pageStaff>>[number];

const staffColumns: readonly CsvColumn<StaffPerson>[] = [
  column('姓名', 'Name', (row) => row.name),
  column('账号', 'Account', (row) => row.account),
  column('邮箱', 'Email', (row) => row.email),
  column('角色', 'Role', (row) => row.role),
  column('使用状态', 'Use state', (row) => row.useState),
  column('创建时间', 'Created', (row) => row.createTime),
  column('最近登录', 'Last sign-in', (row) => row.lastSignInTime),
  column('两步验证', 'Two-factor', (row) => (row.hasTwoFactor ? 1 : 0)),
];

export function registerStaff(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;

  serveList(app, 'GET /staff', async ({ query }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, 'name');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['text', 'uuid']);
      const found = await pageStaff(control, { after, isDescending: isReversed, limit: limit + 1 });
      const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.nameKey, row.userId]);
      const secured = await findTwoFactorUsers(
        control,
        rows.map(({ userId }) => userId),
      );
      return { items: rows.map((row) => present(row, secured.has(row.userId))), nextCursor };
    };
    return { fileName: 'staff', columns: staffColumns, readPage };
  });

  serve(app, 'POST /staff/:userId/reset-two-factor', async ({ params, body, user, lang, withTransaction, audit }) => {
    const { userId } = params;
    if (userId === user.userId) throw new ProblemError('OWN_FACTORS');
    if ((await findStaff(control, userId)) === null) throw new ProblemError('NOT_FOUND');
    await reauthenticate(app.api, user, body.currentPassword);
    await withTransaction((tx) =>
      resetFactors(tx, { userId, customerId: null, by: 'staff', reason: body.reason, page: lang, audit }),
    );
    return undefined;
  });
}

const present = ({ nameKey, ...row }: Row, hasTwoFactor: boolean): StaffPerson => ({
  ...row,
  createTime: row.createTime.toISOString(),
  lastSignInTime: row.lastSignInTime?.toISOString() ?? null,
  hasTwoFactor,
});
