/** Texts about changes to a user's sign-in methods. A user who did not make them must be notified immediately. */
import type { Language } from '@pahatid/domain';
import { type Letter, makeLetter } from '../letter.ts';

export type AccountEvent =
  | { readonly what: 'passwordReset' | 'passwordChanged' }
  | { readonly what: 'totpAdded' | 'totpRemoved' | 'recoveryCodesRenewed' }
  | { readonly what: 'passkeyAdded' | 'passkeyRemoved'; readonly name: string }
  /** Digits, masked. */
  | { readonly what: 'phoneSet' | 'phoneRemoved'; readonly phone: string }
  | { readonly what: 'factorsReset'; readonly by: 'owner' | 'staff' }
  | { readonly what: 'newDevice'; readonly device: Device };

export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
  readonly ip: string;
  /** As text, with the zone. */
  readonly time: string;
}

export interface AccountNotice extends Letter {
  /** Of what may go to the phone as well; one segment. */
  readonly sms: string | null;
}

type Words = { readonly subject: string; readonly lines: readonly string[]; readonly sms?: string };

const english = (event: AccountEvent, account: string): Words => {
  switch (event.what) {
    case 'passwordReset':
      return {
        subject: 'Your password was reset',
        lines: [
          `The password of your Pahatid account “${account}” was reset just now.`,
          'All sessions have ended; please sign in again.',
        ],
        sms: 'Pahatid: the password of your account was reset. If that was not you, reset it again immediately.',
      };
    case 'passwordChanged':
      return {
        subject: 'Your password was changed',
        lines: [
          `The password of your Pahatid account “${account}” was changed just now.`,
          'Your other sessions have ended.',
        ],
        sms: 'Pahatid: the password of your account was changed. If that was not you, reset it immediately.',
      };
    case 'totpAdded':
      return {
        subject: 'An authenticator app was added',
        lines: [
          `An authenticator app was added to your Pahatid account “${account}” just now.`,
          'Signing in now requires a code from the app, or another of your second factors.',
        ],
      };
    case 'totpRemoved':
      return {
        subject: 'Your authenticator app was removed',
        lines: [`The authenticator app of your Pahatid account “${account}” was removed just now.`],
      };
    case 'recoveryCodesRenewed':
      return {
        subject: 'You have new recovery codes',
        lines: [
          `New recovery codes were created for your Pahatid account “${account}” just now.`,
          'The old codes no longer work.',
        ],
      };
    case 'passkeyAdded':
      return {
        subject: 'A passkey was added',
        lines: [`The passkey “${event.name}” was added to your Pahatid account “${account}” just now.`],
      };
    case 'passkeyRemoved':
      return {
        subject: 'A passkey was removed',
        lines: [`The passkey “${event.name}” was removed from your Pahatid account “${account}” just now.`],
      };
    case 'phoneSet':
      return {
        subject: 'Your phone was changed',
        lines: [
          `Codes for your Pahatid account “${account}” now go to the phone ${event.phone}.`,
          'They are no longer sent to any previous phone.',
        ],
        sms: 'Pahatid: codes for your account now go to another phone. If that was not you, reset your password immediately.',
      };
    case 'phoneRemoved':
      return {
        subject: 'Your phone was removed',
        lines: [`The phone ${event.phone} was removed from your Pahatid account “${account}” just now.`],
        sms: 'Pahatid: this phone was removed from your account. If that was not you, reset your password immediately.',
      };
    case 'factorsReset':
      return {
        subject: 'Your two-factor sign-in was reset',
        lines: [
          `${event.by === 'owner' ? 'An owner of your customer' : 'Pahatid staff'} removed the authenticator app, the passkeys and the recovery codes from your account “${account}” just now.`,
          'All your sessions have ended. Sign in with your password, and set up two-factor sign-in again.',
        ],
        sms: 'Pahatid: the two-factor sign-in of your account was reset. If you did not request it, contact your administrator.',
      };
    case 'newDevice':
      return {
        subject: 'A new sign-in to your account',
        lines: [
          `Your Pahatid account “${account}” was signed in to from a new browser.`,
          `Browser: ${event.device.browser ?? 'unknown'}${event.device.system === null ? '' : `, ${event.device.system}`}`,
          `Address: ${event.device.ip}`,
          `Time: ${event.device.time}`,
        ],
      };
  }
};

const chinese = (event: AccountEvent, account: string): Words => {
  switch (event.what) {
    case 'passwordReset':
      return {
        subject: '您的密码已重置',
        lines: [`您的 Pahatid 账号“${account}”的密码刚刚被重置。`, '所有会话均已结束，请重新登录。'],
        sms: 'Pahatid：您的账号密码已被重置。如非本人操作，请立即再次重置密码。',
      };
    case 'passwordChanged':
      return {
        subject: '您的密码已修改',
        lines: [`您的 Pahatid 账号“${account}”的密码刚刚被修改。`, '您的其他会话均已结束。'],
        sms: 'Pahatid：您的账号密码已被修改。如非本人操作，请立即重置密码。',
      };
    case 'totpAdded':
      return {
        subject: '已添加身份验证器',
        lines: [
          `您的 Pahatid 账号“${account}”刚刚添加了身份验证器应用。`,
          '今后登录时，需要输入应用中的验证码，或使用您的其他两步验证方式。',
        ],
      };
    case 'totpRemoved':
      return { subject: '已移除身份验证器', lines: [`您的 Pahatid 账号“${account}”的身份验证器应用刚刚被移除。`] };
    case 'recoveryCodesRenewed':
      return {
        subject: '已生成新的恢复码',
        lines: [`您的 Pahatid 账号“${account}”刚刚生成了新的恢复码。`, '旧的恢复码已全部失效。'],
      };
    case 'passkeyAdded':
      return { subject: '已添加通行密钥', lines: [`您的 Pahatid 账号“${account}”刚刚添加了通行密钥“${event.name}”。`] };
    case 'passkeyRemoved':
      return {
        subject: '已移除通行密钥',
        lines: [`您的 Pahatid 账号“${account}”刚刚移除了通行密钥“${event.name}”。`],
      };
    case 'phoneSet':
      return {
        subject: '您的手机号码已更改',
        lines: [
          `您的 Pahatid 账号“${account}”的验证码今后将发送至 ${event.phone}。`,
          '如之前绑定过其他手机，验证码将不再发送至该手机。',
        ],
        sms: 'Pahatid：您账号的验证码已改为发送至另一手机。如非本人操作，请立即重置密码。',
      };
    case 'phoneRemoved':
      return {
        subject: '您的手机号码已移除',
        lines: [`手机号码 ${event.phone} 刚刚已从您的 Pahatid 账号“${account}”移除。`],
        sms: 'Pahatid：本手机已从您的账号移除。如非本人操作，请立即重置密码。',
      };
    case 'factorsReset':
      return {
        subject: '您的两步验证已重置',
        lines: [
          `${event.by === 'owner' ? '您所属客户的所有者' : 'Pahatid 的工作人员'}刚刚移除了您的账号“${account}”的身份验证器、通行密钥和恢复码。`,
          '您的所有会话均已结束。请使用密码登录，并重新设置两步验证。',
        ],
        sms: 'Pahatid：您账号的两步验证已被重置。如非您本人要求，请告知您的管理员。',
      };
    case 'newDevice':
      return {
        subject: '您的账号有新的登录',
        lines: [
          `您的 Pahatid 账号“${account}”在新的浏览器中登录。`,
          `浏览器：${event.device.browser ?? '未知'}${event.device.system === null ? '' : `，${event.device.system}`}`,
          `地址：${event.device.ip}`,
          `时间：${event.device.time}`,
        ],
      };
  }
};

/** What to do if the change was made by another person; omitted if others made it and the text says so. */
const last: Record<Language, string> = {
  'en-US': 'If that was not you, reset your password immediately and contact your administrator.',
  'zh-CN': '如果不是您本人操作，请立即重置密码，并告知您的管理员。',
};
const lastOfReset: Record<Language, string> = {
  'en-US': 'If you did not request it, contact your administrator immediately.',
  'zh-CN': '如果您没有提出过此要求，请立即告知您的管理员。',
};

export function describeEvent(event: AccountEvent, account: string, lang: Language): AccountNotice {
  const { subject, lines, sms } = lang === 'zh-CN' ? chinese(event, account) : english(event, account);
  const closing = event.what === 'factorsReset' ? lastOfReset : last;
  return { ...makeLetter(subject, [...lines, closing[lang]]), sms: sms ?? null };
}
