/** Texts of codes, in the language of the page that requested them. */
import type { CodePurpose } from '@pahatid/db';
import type { Language } from '@pahatid/domain';
import { type Letter, makeLetter } from '../mail/letter.ts';

const mailTexts = {
  'en-US': {
    signIn: ['Your sign-in code', 'Enter this code to sign in to Pahatid:'],
    resetPassword: ['Your code to reset your password', 'Enter this code to set a new password for Pahatid:'],
    after: [
      'The code is valid for 5 minutes, can be used once, and only in the browser that requested it.',
      'If you did not request it, ignore this email. Pahatid staff will never ask you for this code.',
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

/** Codes to a phone go by SMS alone. */
export type MailedPurpose = Exclude<CodePurpose, 'setPhone'>;

export function codeMail(purpose: MailedPurpose, code: string, lang: Language): Letter {
  const { [purpose]: words, after } = mailTexts[lang];
  return makeLetter(words[0], [words[1], code, ...after], code);
}

/** One segment in either language. */
export function codeSms(purpose: CodePurpose, code: string, lang: Language): string {
  const isPhone = purpose === 'setPhone';
  return lang === 'zh-CN'
    ? `Pahatid：验证码 ${code}，用于${isPhone ? '绑定手机号码' : '重置密码'}，5 分钟内有效。请勿告诉任何人。`
    : `Pahatid: ${code} is your code to ${isPhone ? 'add this phone to your account' : 'reset your password'}. It is valid for 5 minutes. Do not share it.`;
}
