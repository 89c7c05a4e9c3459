/** The provider's own people, for an admin. They are added on the command line. */
import type { StaffPerson } from '@pahatid/contract';
import { findTwoFactorUsers } from '@pahatid/db/queries/second-factors';
import { findStaff, listStaff, type StaffRow } from '@pahatid/db/queries/staff';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { resetFactors } from '../../second-factors/reset-factors.ts';

export function registerStaff(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;

  serve(app, 'GET /staff', async () => {
    const rows = await listStaff(control);
    const secured = await findTwoFactorUsers(
      control,
      rows.map(({ userId }) => userId),
    );
    return { items: rows.map((row) => present(row, secured.has(row.userId))), nextCursor: null };
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

const present = (row: StaffRow, hasTwoFactor: boolean): StaffPerson => ({
  ...row,
  createTime: row.createTime.toISOString(),
  lastSignInTime: row.lastSignInTime?.toISOString() ?? null,
  hasTwoFactor,
});
