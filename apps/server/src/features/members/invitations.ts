/** What owners do with invitations: send, send again, withdraw. */
import { countAttempt, getCustomerId } from '@pahatid/db';
import {
  deleteInvitation,
  findAddressHolder,
  findCustomerName,
  findInvitation,
  insertInvitation,
  listInvitations,
  lockMembers,
  renewInvitation,
} from '@pahatid/db/queries/members';
import { isEmail, type Language } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { SignedInUser } from '../../http/call.ts';
import { onConflict } from '../../http/conflicts.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { sendMail } from '../../mail/send-mail.ts';
import { customerOfUser } from './customer-of-user.ts';
import { invitationMail } from './invitation-mail.ts';
import { invitationLifeMs, makeInvitationToken } from './invitation-token.ts';
import { invitationColumns, presentInvitation } from './present-member.ts';

const SORT = 'invitations';
/** Mails that one customer may send in an hour: any address is allowed, so it must not be a mailing engine. */
const mailsPerHour = 50;
const hourMs = 3_600_000;

export function registerInvitations(app: FastifyInstance, deps: ApiDeps): void {
  const countMail = async (customerId: string): Promise<void> => {
    const now = deps.now();
    const attempt = { what: 'invitation', key: customerId, limit: mailsPerHour, windowMs: hourMs, now };
    const { allowed, endsAt } = await countAttempt(deps.pools.control, attempt);
    if (!allowed) throw tooOften(endsAt, now);
  };

  const mail = async (
    tx: PoolClient,
    user: SignedInUser,
    invitationId: string,
    sent: { token: string; lang: Language },
  ) => {
    const customerId = customerOfUser(user);
    const row = await findInvitation(tx, customerId, invitationId);
    if (row === null) throw new ProblemError('NOT_FOUND');
    const { email, role } = row;
    const link = `${deps.config.publicUrl}/invitation#token=${sent.token}`;
    const customerName = await findCustomerName(tx, customerId);
    const about = { email, role, customerName, invitedBy: user.name, link, lang: sent.lang };
    await sendMail(tx, invitationMail({ ...about, lifetimeMs: invitationLifeMs }));
    return row;
  };

  serveList(app, 'GET /invitations', async ({ query, scope, user, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-createTime');
    return {
      fileName: 'invitations',
      columns: invitationColumns(user.customerId === null),
      readPage: async (cursor, limit) => {
        const page = {
          after: decodeCursor(cursor, name, ['time', 'uuid']),
          isDescending: !isReversed,
          limit: limit + 1,
        };
        const found = await inScope((tx) => listInvitations(tx, getCustomerId(scope), page));
        const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.createKey, row.invitationId]);
        return { items: rows.map((row) => presentInvitation(row, deps.now(), user.customerId === null)), nextCursor };
      },
    };
  });

  serve(app, 'POST /members', async ({ body, user, lang, withTransaction, audit, needProof }) => {
    if (body.role === 'owner') needProof();
    const customerId = customerOfUser(user);
    const email = body.email.toLowerCase();
    if (!isEmail(email)) throw new ProblemError('VALIDATION_FAILED', undefined, [{ field: 'email', code: 'EMAIL' }]);
    await countMail(customerId);
    const now = deps.now();
    const { token, tokenHash } = makeInvitationToken();
    return onConflict({ invitation_email: 'INVITATION_EXISTS' }, () =>
      withTransaction(async (tx) => {
        await lockMembers(tx, customerId);
        // Whether the address has an account elsewhere is only disclosed to its holder, by the link.
        const holder = await findAddressHolder(tx, email);
        if (holder !== null && holder.customerId === customerId && !holder.isRemoved)
          throw new ProblemError('MEMBER_EXISTS');
        const expiresAt = new Date(now.getTime() + invitationLifeMs);
        const { role } = body;
        const made = { customerId, email, role, tokenHash, invitedBy: user.userId, now, expiresAt };
        const invitationId = await insertInvitation(tx, made);
        const row = await mail(tx, user, invitationId, { token, lang });
        await audit(tx, { action: 'add', subjectType: 'invitation', subjectId: invitationId, after: { email, role } });
        return presentInvitation(row, now);
      }),
    );
  });

  serve(app, 'POST /invitations/:invitationId/resend', async ({ params, user, lang, withTransaction, audit }) => {
    const customerId = customerOfUser(user);
    const { invitationId } = params;
    if ((await findInvitation(deps.pools.control, customerId, invitationId)) === null)
      throw new ProblemError('NOT_FOUND');
    await countMail(customerId);
    const now = deps.now();
    const { token, tokenHash } = makeInvitationToken();
    const expiresAt = new Date(now.getTime() + invitationLifeMs);
    return withTransaction(async (tx) => {
      const renewed = await renewInvitation(tx, customerId, invitationId, { tokenHash, now, expiresAt });
      if (renewed === 0) throw new ProblemError('NOT_FOUND');
      const row = await mail(tx, user, invitationId, { token, lang });
      const { email, role } = row;
      await audit(tx, { action: 'resend', subjectType: 'invitation', subjectId: invitationId, after: { email, role } });
      return presentInvitation(row, now);
    });
  });

  serve(app, 'DELETE /invitations/:invitationId', async ({ params, user, withTransaction, audit }) => {
    const customerId = customerOfUser(user);
    const { invitationId } = params;
    await withTransaction(async (tx) => {
      const row = await findInvitation(tx, customerId, invitationId);
      const isWithdrawn = row !== null && (await deleteInvitation(tx, customerId, invitationId)) === 1;
      if (!isWithdrawn) throw new ProblemError('NOT_FOUND');
      const before = { email: row.email, role: row.role };
      await audit(tx, { action: 'delete', subjectType: 'invitation', subjectId: invitationId, before });
    });
    return undefined;
  });
}
