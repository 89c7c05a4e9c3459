/**
 * Actions of the holder of an invitation link: view its offer, and accept it, once. The link proves that the mailbox is
 * theirs, so only they are informed whether the address has an account.
 */
import type { FieldError, InvitationOffer } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { countAttempt, type Db, deleteUserSessions, insertUser } from '@pahatid/db';
import {
  type AddressHolder,
  deleteInvitation,
  findAddressHolder,
  findInvitationByToken,
  lockMembers,
  type OpenInvitation,
  rejoinMember,
  releaseAddress,
} from '@pahatid/db/queries/members';
import { isAccount } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { notify } from '../../notices/notify.ts';
import { checkFirstPassword } from '../../secrets/first-password.ts';
import { hashInvitationToken } from './invitation-token.ts';

/** A token can't be guessed (256 bits): this bounds the work of trying. */
const triesPerMinute = 20;
const minuteMs = 60_000;

const taken = { app_user_account: 'ACCOUNT_TAKEN', app_user_email: 'EMAIL_TAKEN' } as const;

interface Open {
  readonly invitation: OpenInvitation;
  /** The holder of the address, that may join with it again. */
  readonly former: AddressHolder | null;
  readonly kind: InvitationOffer['kind'];
}

export function registerInvitationLinks(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;

  const countTry = async (ip: string): Promise<void> => {
    const now = deps.now();
    const attempt = { what: 'invitationLink', key: ip, limit: triesPerMinute, windowMs: minuteMs, now };
    const { allowed, endsAt } = await countAttempt(control, attempt);
    if (!allowed) throw tooOften(endsAt, now);
  };

  serve(app, 'POST /invitations/check', async ({ body, ip }) => {
    await countTry(ip);
    const { invitation, former, kind } = await readLink(control, body.token, deps.now());
    const { customerName, email, role, invitedBy, expiresTime } = invitation;
    return {
      customerName,
      email,
      role,
      invitedBy,
      kind,
      expiresTime: expiresTime.toISOString(),
      account: kind === 'rejoin' && former !== null ? former.account : proposeAccount(email),
      name: kind === 'rejoin' && former !== null ? former.name : '',
    };
  });

  serve(app, 'POST /invitations/accept', async ({ body, ip, withTransaction, audit }) => {
    await countTry(ip);
    // Before the rules and the hash: a caller without a link gets no information and costs nothing.
    const chosen = checkChoice(await readLink(control, body.token, deps.now()), body);
    const passwordHash = await app.api.passwords.hash(body.password);
    return onConflict(taken, () =>
      withTransaction(async (tx) => {
        const open = await readLink(tx, body.token, deps.now(), true);
        const { invitation } = open;
        const { customerId, invitationId, email, role } = invitation;
        await lockMembers(tx, customerId);
        if ((await deleteInvitation(tx, customerId, invitationId)) === 0) throw new ProblemError('INVITATION_INVALID');
        const { userId, account } = await join(tx, open, {
          account: chosen,
          name: body.name,
          passwordHash,
          locale: body.locale,
        });
        await audit(tx, {
          customerId,
          userId,
          account,
          role,
          action: open.kind === 'rejoin' ? 'rejoin' : 'join',
          subjectType: 'member',
          subjectId: userId,
          after: { account, email, name: body.name, role, invitedBy: invitation.invitedBy },
        });
        const params = { change: 'joined', name: body.name, role, by: invitation.invitedBy } as const;
        await notify(tx, { kind: 'memberChanged', customerId, except: userId, params }, deps.config);
        return { account };
      }),
    );
  });
}

/** Throws if the link is unusable, whatever the reason; `forUse` locks it until the transaction ends. */
async function readLink(db: Db, token: string, now: Date, forUse = false): Promise<Open> {
  const invitation = await findInvitationByToken(db, hashInvitationToken(token), forUse);
  if (invitation === null) throw new ProblemError('INVITATION_INVALID');
  if (invitation.expiresTime <= now) throw new ProblemError('INVITATION_EXPIRED');
  if (invitation.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');
  const holder = await findAddressHolder(db, invitation.email);
  if (holder !== null && !holder.isRemoved) throw new ProblemError('EMAIL_TAKEN');
  return { invitation, former: holder, kind: holder?.customerId === invitation.customerId ? 'rejoin' : 'new' };
}

/**
 * Applies the rules that the page shows while typing, and checks for guessable passwords; returns the account of a new
 * user, in lower case.
 */
function checkChoice(
  { kind, invitation, former }: Open,
  body: { account?: string | undefined; name: string; password: string },
): string {
  const account = (body.account ?? '').toLowerCase();
  const errors: FieldError[] = [];
  if (kind === 'new' && !isAccount(account)) errors.push({ field: 'account', code: 'ACCOUNT' });
  const { email, customerName } = invitation;
  errors.push(...checkFirstPassword(body.password, [account, former?.account ?? '', email, body.name, customerName]));
  if (errors.length > 0) throw new ProblemError('VALIDATION_FAILED', undefined, errors);
  return account;
}

async function join(
  tx: PoolClient,
  { invitation, former, kind }: Open,
  person: { account: string; name: string; passwordHash: string; locale: string | undefined },
): Promise<{ userId: string; account: string }> {
  const { customerId, email, role } = invitation;
  const { account, name, passwordHash, locale } = person;
  if (kind === 'rejoin' && former !== null) {
    await rejoinMember(tx, customerId, { userId: former.userId, role, name, passwordHash });
    await deleteUserSessions(tx, former.userId);
    return former;
  }
  if (former !== null) await releaseAddress(tx, former.userId);
  return { userId: await insertUser(tx, { customerId, account, email, name, role, passwordHash, locale }), account };
}

/** Returns the part before the @, as far as it can be an account. */
function proposeAccount(email: string): string {
  const proposal = (email.split('@', 1)[0] ?? '')
    .replaceAll(/[^a-z0-9._-]/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 32);
  return isAccount(proposal) ? proposal : '';
}
