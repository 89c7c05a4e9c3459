/** The people of a customer: its owners list them, change their roles and remove them. */
import type { NoticeParams } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { deleteUserSessions, getCustomerId } from '@pahatid/db';
import { unassignConversations } from '@pahatid/db/queries/conversations';
import {
  findMember,
  hasOtherOwner,
  listMembers,
  lockMembers,
  type MemberRow,
  removeMember,
  setMemberRole,
} from '@pahatid/db/queries/members';
import { findTwoFactorUsers } from '@pahatid/db/queries/second-factors';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { SignedInUser } from '../../http/call.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { notify } from '../../notices/notify.ts';
import { resetFactors } from '../../second-factors/reset-factors.ts';
import { customerOfUser } from './customer-of-user.ts';
import { registerInvitations } from './invitations.ts';
import { registerInvitationLinks } from './links.ts';
import { memberColumns, presentMember } from './present-member.ts';

const SORT = 'members';

export function registerMembers(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /members', async ({ query, scope, user, inScope }) => {
    const customerId = getCustomerId(scope);
    const isStaff = user.customerId === null;
    const { name, isReversed } = readOrder(SORT, query.sort, 'name');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const { search, role } = query;
      const page = { after: decodeCursor(cursor, name, ['text', 'uuid']), isReversed, limit: limit + 1 };
      const found = await inScope((tx) => listMembers(tx, customerId, { search, role, ...page }));
      const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.nameKey, row.userId]);
      // Beyond a customer's scope, which sees nothing of factors: of the people just found there alone.
      const secured = await findTwoFactorUsers(
        deps.pools.control,
        rows.map(({ userId }) => userId),
      );
      return { items: rows.map((row) => presentMember(row, secured.has(row.userId), isStaff)), nextCursor };
    };
    return { fileName: 'members', columns: memberColumns, readPage };
  });

  serve(app, 'PATCH /members/:userId', async ({ params, body, user, withTransaction, audit, needProof }) => {
    const customerId = customerOfUser(user);
    return withTransaction(async (tx) => {
      const member = await findForChange(tx, user, params.userId);
      const hasTwoFactor = (await findTwoFactorUsers(tx, [member.userId])).has(member.userId);
      if (member.role === body.role) return presentMember(member, hasTwoFactor);
      if (body.role === 'owner') needProof();
      await assertNotLastOwner(tx, customerId, member);
      await setMemberRole(tx, customerId, member.userId, body.role);
      if (body.role === 'viewer') await unassignConversations(tx, customerId, member.userId);
      await audit(tx, {
        action: 'edit',
        subjectType: 'member',
        subjectId: member.userId,
        before: { role: member.role },
        after: { role: body.role },
      });
      await notifyOwners(tx, deps, user, { change: 'role', name: member.name, role: body.role });
      return presentMember({ ...member, role: body.role }, hasTwoFactor);
    });
  });

  serve(app, 'DELETE /members/:userId', async ({ params, user, withTransaction, audit }) => {
    const customerId = customerOfUser(user);
    await withTransaction(async (tx) => {
      const member = await findForChange(tx, user, params.userId);
      await assertNotLastOwner(tx, customerId, member);
      await removeMember(tx, customerId, member.userId, deps.now());
      await unassignConversations(tx, customerId, member.userId);
      await deleteUserSessions(tx, member.userId);
      const { account, email, role } = member;
      const before = { account, email, role };
      await audit(tx, { action: 'delete', subjectType: 'member', subjectId: member.userId, before });
      await notifyOwners(tx, deps, user, { change: 'removed', name: member.name, role });
    });
    return undefined;
  });

  serve(app, 'POST /members/:userId/reset-two-factor', async ({ params, body, user, lang, withTransaction, audit }) => {
    const customerId = customerOfUser(user);
    const { userId } = params;
    if (userId === user.userId) throw new ProblemError('OWN_FACTORS');
    // Before the password: for another customer's id nothing is disclosed or computed.
    if ((await findMember(deps.pools.control, customerId, userId)) === null) throw new ProblemError('NOT_FOUND');
    await reauthenticate(app.api, user, body.currentPassword);
    await withTransaction(async (tx) => {
      await findForChange(tx, user, userId);
      await resetFactors(tx, { userId, customerId, by: 'owner', reason: body.reason, page: lang, audit });
    });
    return undefined;
  });

  registerInvitations(app, deps);
  registerInvitationLinks(app, deps);
}

/** Notifies the other owners, not the one that acted. */
async function notifyOwners(
  tx: PoolClient,
  { config }: ApiDeps,
  user: SignedInUser,
  change: Omit<NoticeParams['memberChanged'], 'by'>,
): Promise<void> {
  const { customerId, userId } = user;
  await notify(tx, { kind: 'memberChanged', customerId, except: userId, params: { ...change, by: user.name } }, config);
}

/**
 * Serializes changes for each customer. The caller may have been downgraded or removed by the previous change: then it
 * is treated as if the call had come a moment later.
 */
async function findForChange(tx: PoolClient, user: SignedInUser, userId: string): Promise<MemberRow> {
  const customerId = customerOfUser(user);
  await lockMembers(tx, customerId);
  const asking = await findMember(tx, customerId, user.userId);
  if (asking === null || asking.useState === UseState.Disabled) throw new ProblemError('NOT_SIGNED_IN');
  if (asking.role !== 'owner') throw new ProblemError('NOT_FOUND');
  const member = await findMember(tx, customerId, userId);
  if (member === null) throw new ProblemError('NOT_FOUND');
  return member;
}

async function assertNotLastOwner(tx: PoolClient, customerId: string, member: MemberRow): Promise<void> {
  if (member.role === 'owner' && !(await hasOtherOwner(tx, customerId, member.userId)))
    throw new ProblemError('LAST_OWNER');
}
