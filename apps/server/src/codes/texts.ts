/** What codes and notices say, in the language of the page they were asked for on. */
import type { CodePurpose } from '@pahatid/db';
import type { Language } from '../http/csv.ts';

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);

/** Plain paragraphs; the one that is `strong` stands out. */
function letter(subject: string, paragraphs: readonly string[], strong?: string): Letter {
  const style = 'font:600 28px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px';
  const html = paragraphs
    .map((text) => (text === strong ? `<p style="${style}">${escapeHtml(text)}</p>` : `<p>${escapeHtml(text)}</p>`))
    .join('\n');
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<div style="font:15px/24px -apple-system,'Segoe UI',sans-serif;color:#0e1f26">\n${html}\n</div>\n`,
  };
}

const mailTexts = {
  'en-US': {
    signIn: ['Your sign-in code', 'Enter this code to sign in to Pahatid:'],
    resetPassword: ['Your code to reset your password', 'Enter this code to set a new password for Pahatid:'],
    after: [
      'It works for 5 minutes, once, and only in the browser that asked for it.',
      'If you did not ask for it, you need do nothing. Nobody of Pahatid will ever ask you for it.',
    ],
  },
  'zh-CN': {
    signIn: ['您的登录验证码', '请输入以下验证码登录 Pahatid：'],
    resetPassword: ['您的重置密码验证码', '请输入以下验证码，为 Pahatid 设置新密码：'],
    after: [
      '验证码 5 分钟内有效，只能使用一次，且仅限在申请它的浏览器中使用。',
      '如果不是您本人申请，请忽略本邮件。Pahatid 的工作人员绝不会向您索要验证码。',
    ],
  },
} as const;

export function codeMail(purpose: CodePurpose, code: string, lang: Language): Letter {
  const { [purpose]: words, after } = mailTexts[lang];
  return letter(words[0], [words[1], code, ...after], code);
}

/** One segment in either language. */
export const codeSms = (code: string, lang: Language): string =>
  lang === 'zh-CN'
    ? `Pahatid：验证码 ${code}，用于重置密码，5 分钟内有效。请勿告诉任何人。`
    : `Pahatid: ${code} is your code to reset your password. It works for 5 minutes. Tell it to nobody.`;

export type PasswordChange = 'reset' | 'changed';

const noticeTexts = {
  'en-US': {
    subject: { reset: 'Your password was reset', changed: 'Your password was changed' },
    first: (account: string, what: PasswordChange) =>
      `The password of your Pahatid account “${account}” was ${what === 'reset' ? 'reset' : 'changed'} just now.`,
    sessions: {
      reset: 'All sessions have ended; please sign in again.',
      changed: 'Your other sessions have ended.',
    },
    last: 'If that was not you, reset your password at once and tell your administrator.',
    sms: {
      reset: 'Pahatid: the password of your account was reset. If that was not you, reset it again at once.',
      changed: 'Pahatid: the password of your account was changed. If that was not you, reset it at once.',
    },
  },
  'zh-CN': {
    subject: { reset: '您的密码已重置', changed: '您的密码已修改' },
    first: (account: string, what: PasswordChange) =>
      `您的 Pahatid 账号“${account}”的密码刚刚被${what === 'reset' ? '重置' : '修改'}。`,
    sessions: { reset: '所有会话均已结束，请重新登录。', changed: '您的其他会话均已结束。' },
    last: '如果不是您本人操作，请立即重置密码，并告知您的管理员。',
    sms: {
      reset: 'Pahatid：您的账号密码已被重置。如非本人操作，请立即再次重置密码。',
      changed: 'Pahatid：您的账号密码已被修改。如非本人操作，请立即重置密码。',
    },
  },
} as const;

export function passwordNotice(account: string, what: PasswordChange, lang: Language): Letter & { sms: string } {
  const words = noticeTexts[lang];
  const mail = letter(words.subject[what], [words.first(account, what), words.sessions[what], words.last]);
  return { ...mail, sms: words.sms[what] };
}
