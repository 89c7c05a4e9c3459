/** The mail that invites: in the inviter's language, for what the invited one reads is not known yet. */
import type { CustomerRole } from '@pahatid/db/queries/members';
import type { Language } from '@pahatid/domain';
import type { Mail } from '../../mail/send-mail.ts';

interface Invited {
  readonly email: string;
  readonly role: CustomerRole;
  readonly customerName: string;
  readonly invitedBy: string;
  readonly link: string;
  readonly lang: Language;
  readonly lifetimeMs: number;
}

const roles: Record<Language, Record<CustomerRole, string>> = {
  'en-US': {
    owner: 'owner (full access, including members and billing)',
    member: 'member (templates, sender IDs and tasks)',
    viewer: 'viewer (read-only; phone numbers are masked)',
  },
  'zh-CN': {
    owner: '所有者（可进行所有操作，包括成员和费用）',
    member: '成员（模板、Sender ID 和任务）',
    viewer: '只读成员（只读，手机号码已打码）',
  },
};

const texts = {
  'en-US': (at: Invited, role: string) => ({
    subject: `${at.invitedBy} invites you to ${at.customerName} on Pahatid`,
    lead: `${at.invitedBy} invites you to join ${at.customerName} on Pahatid as ${role}.`,
    act: 'Accept the invitation',
    note: 'The link can be used once and is valid for 7 days. If you did not expect this email, ignore it.',
  }),
  'zh-CN': (at: Invited, role: string) => ({
    subject: `${at.invitedBy} 邀请您加入 Pahatid 上的 ${at.customerName}`,
    lead: `${at.invitedBy} 邀请您加入 Pahatid 上的 ${at.customerName}，角色为${role}。`,
    act: '接受邀请',
    note: '链接仅可使用一次，7 天内有效。如果您并未预期收到此邮件，忽略即可。',
  }),
};

export function invitationMail(at: Invited): Mail {
  const { subject, lead, act, note } = texts[at.lang](at, roles[at.lang][at.role]);
  return {
    to: at.email,
    subject,
    text: `${lead}\n\n${act}:\n${at.link}\n\n${note}\n`,
    html: `<!doctype html><html lang="${at.lang}"><body style="font-family:-apple-system,'Segoe UI',Arial,sans-serif;color:#0E1F26;line-height:1.6">
<p>${escapeHtml(lead)}</p>
<p><a href="${escapeHtml(at.link)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#00667D;color:#FFFFFF;text-decoration:none">${act}</a></p>
<p style="color:#45565D">${note}</p>
<p style="color:#45565D;font-size:12px;word-break:break-all">${escapeHtml(at.link)}</p>
</body></html>`,
    lifetimeMs: at.lifetimeMs,
  };
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
