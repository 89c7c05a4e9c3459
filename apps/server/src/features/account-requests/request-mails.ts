/** Mails about a request for an account. Plain text: a stranger wrote parts of it. */
import { accountRequestConfirmDays, accountRequestDecidedDays } from '@pahatid/contract';
import type { Language } from '@pahatid/domain';

interface Written {
  readonly subject: string;
  readonly text: string;
}

const lines = (...paragraphs: readonly string[]): string => paragraphs.join('\n\n');

/** To the address that was entered, which may be a stranger's: nothing of what was written is repeated. */
export const confirmMail: Record<Language, (link: string) => Written> = {
  'en-US': (link) => ({
    subject: 'Confirm your request for a Pahatid account',
    text: lines(
      'An account on Pahatid was requested with this email address.',
      `Open this link within ${accountRequestConfirmDays} days to confirm the address. Our staff then read the request and reply by email:`,
      link,
      'If you did not request an account, ignore this email. The request is then deleted.',
    ),
  }),
  'zh-CN': (link) => ({
    subject: '请确认您的 Pahatid 开户申请',
    text: lines(
      '有人使用此邮箱地址申请了 Pahatid 账号。',
      `请在 ${accountRequestConfirmDays} 天内打开以下链接确认邮箱。确认后，我们的工作人员会查看申请并以邮件答复：`,
      link,
      '如果您没有申请账号，请忽略本邮件，该申请将被删除。',
    ),
  }),
};

/** To staff that may decide. */
export const staffMail: Record<Language, (company: string, name: string, link: string) => Written> = {
  'en-US': (company, name, link) => ({
    subject: `Account requested by ${company}`,
    text: lines(`${name} of ${company} requested an account and confirmed the email address.`, link),
  }),
  'zh-CN': (company, name, link) => ({
    subject: `开户申请：${company}`,
    text: lines(`${company} 的 ${name} 申请开户，邮箱已确认。`, link),
  }),
};

/** To the person that asked. */
export const rejectedMail: Record<Language, (reason: string, link: string) => Written> = {
  'en-US': (reason, link) => ({
    subject: 'Your request for a Pahatid account',
    text: lines(
      'Thank you for your interest in Pahatid. We can not open an account for this request. Our staff wrote:',
      reason,
      `If something has changed or was misunderstood, write to us: ${link}`,
      `The request is deleted after ${accountRequestDecidedDays} days.`,
    ),
  }),
  'zh-CN': (reason, link) => ({
    subject: '您的 Pahatid 开户申请',
    text: lines(
      '感谢您关注 Pahatid。我们暂时无法为此申请开户。工作人员的说明：',
      reason,
      `如情况有变或存在误解，请联系我们：${link}`,
      `该申请将在 ${accountRequestDecidedDays} 天后删除。`,
    ),
  }),
};
