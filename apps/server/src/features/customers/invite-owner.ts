/** The link for a new owner: sent by mail, or shown once to the admin that requested it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '@pahatid/db';
import { insertOwnerInvitation } from '@pahatid/db/queries/customer-admin';
import { isEmail, type Language } from '@pahatid/domain';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { sendMail } from '../../mail/send-mail.ts';

const invitationMs = 7 * 24 * 3_600_000;

interface Invited {
  readonly customerId: string;
  readonly customerName: string;
  readonly ownerEmail: string;
  readonly invite: 'email' | 'link';
  readonly invitedBy: string;
  readonly lang: Language;
}

/** Throws EMAIL_TAKEN if the address is already in use. The database stores the token only as SHA-256. */
export async function inviteOwner(
  tx: Db,
  deps: ApiDeps,
  invited: Invited,
): Promise<{ ownerLink: string | null; ownerLinkExpireTime: string }> {
  if (!isEmail(invited.ownerEmail)) throw fieldProblem('ownerEmail', 'EMAIL');
  const token = randomBytes(32).toString('base64url');
  const now = deps.now();
  const expiresAt = new Date(now.getTime() + invitationMs);
  const email = invited.ownerEmail.toLowerCase();
  const isFree = await insertOwnerInvitation(tx, {
    customerId: invited.customerId,
    email,
    tokenHash: createHash('sha256').update(token).digest(),
    invitedBy: invited.invitedBy,
    now,
    expiresAt,
  });
  if (!isFree) throw new ProblemError('EMAIL_TAKEN', undefined, [{ field: 'ownerEmail', code: 'EMAIL_TAKEN' }]);
  const link = `${deps.config.publicUrl}/invitation#token=${token}`;
  if (invited.invite === 'email')
    await sendMail(tx, { to: email, ...mailTexts[invited.lang](invited.customerName, link), lifetimeMs: invitationMs });
  return { ownerLink: invited.invite === 'link' ? link : null, ownerLinkExpireTime: expiresAt.toISOString() };
}

const mailTexts: Record<Language, (customer: string, link: string) => { subject: string; text: string }> = {
  'en-US': (customer, link) => ({
    subject: `Your Pahatid account for ${customer}`,
    text: [
      `You are now an owner of ${customer} on Pahatid.`,
      `Open this link within 7 days to choose your account name and password. The link can be used once:`,
      link,
      `If you did not expect this email, ignore it. Nothing happens unless the link is opened.`,
    ].join('\n\n'),
  }),
  'zh-CN': (customer, link) => ({
    subject: `您在 Pahatid 的账号：${customer}`,
    text: [
      `您已成为 Pahatid 客户“${customer}”的所有者。`,
      `请在 7 天内打开以下链接，设置您的账号名和密码。链接只能使用一次：`,
      link,
      `如果您对此并不知情，请忽略本邮件；不打开链接，什么都不会发生。`,
    ].join('\n\n'),
  }),
};
