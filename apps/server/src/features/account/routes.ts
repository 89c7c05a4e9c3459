/** Everybody's own account: profile, how the console looks, sessions; and an owner's wish that all have two factors. */
import type { OpenedSession } from '@pahatid/contract';
import {
  type AccountChange,
  endOtherSessions,
  endSession,
  getAccount,
  listSessions,
  type SessionRow,
  setTwoFactorRequired,
  updateAccount,
} from '@pahatid/db/queries/account';
import { describeUserAgent } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { sessionIdleMs } from '../../http/session-cookie.ts';
import { zoneNamed } from '../../http/zone.ts';
import { registerPhone } from './phone.ts';
import { presentAccount } from './present-account.ts';

export function registerAccount(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;

  serve(app, 'GET /account', async ({ user }) => presentAccount(deps, user.userId));

  serve(app, 'PATCH /account', async ({ user, body, withTransaction, audit }) => {
    if (body.zone !== undefined && zoneNamed(body.zone) === null) throw fieldProblem('zone', 'FORMAT');
    await withTransaction(async (tx) => {
      const before = await getAccount(tx, user.userId);
      await updateAccount(tx, user.userId, body as AccountChange);
      const names = Object.keys(body) as (keyof AccountChange)[];
      await audit(tx, {
        action: 'update',
        subjectType: 'user',
        subjectId: user.userId,
        before: Object.fromEntries(names.map((name) => [name, before[name]])),
        after: body,
      });
    });
    return presentAccount(deps, user.userId);
  });

  serve(app, 'PATCH /account/customer', async ({ user, body, withTransaction, audit, needProof }) => {
    if (!body.requireTwoFactor) needProof();
    const { customerId } = user;
    if (customerId === null) throw new ProblemError('NOT_FOUND');
    await withTransaction(async (tx) => {
      const before = await setTwoFactorRequired(tx, customerId, body.requireTwoFactor);
      await audit(tx, {
        action: 'customer.requireTwoFactor',
        subjectType: 'customer',
        subjectId: customerId,
        before: { requireTwoFactor: before },
        after: body,
      });
    });
    return presentAccount(deps, user.userId);
  });

  registerPhone(app, deps);

  serve(app, 'GET /account/sessions', async ({ user }) => {
    const rows = await listSessions(control, user, deps.now(), sessionIdleMs);
    return { items: rows.map((row) => presentSession(row, user.sessionHash)), nextCursor: null };
  });

  serve(app, 'DELETE /account/sessions/:sessionId', async ({ user, params, withTransaction, audit }) => {
    await withTransaction(async (tx) => {
      if (!(await endSession(tx, user.userId, params.sessionId))) throw new ProblemError('NOT_FOUND');
      await audit(tx, { action: 'session.end', subjectType: 'session', subjectId: params.sessionId });
    });
    return undefined;
  });

  serve(app, 'DELETE /account/sessions', async ({ user, withTransaction, audit }) =>
    withTransaction(async (tx) => {
      const ended = await endOtherSessions(tx, user.userId, user.sessionHash);
      await audit(tx, {
        action: 'session.endOthers',
        subjectType: 'user',
        subjectId: user.userId,
        after: { ended },
      });
      return { ended };
    }),
  );
}

const presentSession = (row: SessionRow, own: Buffer): OpenedSession => ({
  sessionId: row.sessionId,
  current: row.hash.equals(own),
  ...describeUserAgent(row.userAgent),
  ip: row.ip,
  createTime: row.createdAt.toISOString(),
  lastUsedTime: row.lastSeenAt.toISOString(),
});
