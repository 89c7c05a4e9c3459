/** Mails to owners or admins when a user creates lasting access or moves money. */
import type { Role, StepUpRoute } from '@pahatid/contract';
import type { Language } from '@pahatid/domain';
import { type Letter, makeLetter } from '../letter.ts';

const acts: Record<StepUpRoute, Record<Language, string>> = {
  'POST /applications': { 'en-US': 'An application was added', 'zh-CN': '新增了一个应用' },
  'POST /applications/:appId/secret': { 'en-US': 'An application has a new secret', 'zh-CN': '应用有了新的密钥' },
  'POST /applications/:appId/smpp-password': {
    'en-US': 'An application has a new SMPP password',
    'zh-CN': '应用有了新的 SMPP 密码',
  },
  'POST /keys': { 'en-US': 'An application has a new API key', 'zh-CN': '应用有了新的 API 密钥' },
  'POST /callback-endpoints/:endpointId/secret': {
    'en-US': 'A callback address has a new secret',
    'zh-CN': '回调地址有了新的密钥',
  },
  'POST /account/two-factor/disable': {
    'en-US': 'An authenticator app was removed from an account',
    'zh-CN': '一个账号停用了身份验证器',
  },
  'POST /members/:userId/reset-two-factor': {
    'en-US': 'The second factors of a member were removed',
    'zh-CN': '一位成员的两步验证已被重置',
  },
  'POST /staff/:userId/reset-two-factor': {
    'en-US': 'The second factors of a staff account were removed',
    'zh-CN': '一个员工账号的两步验证已被重置',
  },
  'POST /customers/:customerId/users/:userId/reset-two-factor': {
    'en-US': 'The second factors of a customer’s user were removed',
    'zh-CN': '客户一位用户的两步验证已被重置',
  },
  'PATCH /applications/:appId': {
    'en-US': 'The callback address or the allowed addresses of an application were changed',
    'zh-CN': '应用的回调地址或 IP 白名单已更改',
  },
  'POST /thresholds': { 'en-US': 'An alert with a callback address was added', 'zh-CN': '新增了带回调地址的告警' },
  'PATCH /thresholds/:thresholdId': {
    'en-US': 'The callback address of an alert was changed',
    'zh-CN': '告警的回调地址已更改',
  },
  'POST /members': { 'en-US': 'An owner was invited', 'zh-CN': '邀请了一位所有者' },
  'PATCH /members/:userId': { 'en-US': 'A member was made an owner', 'zh-CN': '一位成员成为了所有者' },
  'PATCH /account/customer': {
    'en-US': 'Two-factor sign-in is no longer required of members',
    'zh-CN': '不再要求成员使用两步验证',
  },
  'POST /customers': { 'en-US': 'A customer was added', 'zh-CN': '新增了一个客户' },
  'POST /account-requests/:accountRequestId/approve': {
    'en-US': 'A customer was added for an account request',
    'zh-CN': '根据开户申请新增了一个客户',
  },
  'POST /customers/:customerId/owners': {
    'en-US': 'An owner of a customer was invited',
    'zh-CN': '邀请了客户的所有者',
  },
  'POST /customers/:customerId/ledger': { 'en-US': 'The balance of a customer was changed', 'zh-CN': '客户余额已更改' },
  'POST /customers/:customerId/top-ups/:topUpId/approve': {
    'en-US': 'A requested top-up was approved',
    'zh-CN': '充值申请已批准',
  },
  'PATCH /customers/:customerId/applications/:appId': {
    'en-US': 'The charge type of an application was changed',
    'zh-CN': '应用的计费方式已更改',
  },
  'POST /suppliers': { 'en-US': 'A supplier account was added', 'zh-CN': '新增了供应商账号' },
  'PATCH /suppliers/:supplierId': {
    'en-US': 'The password of a supplier account was changed',
    'zh-CN': '供应商账号的密码已更改',
  },
  'POST /prices': { 'en-US': 'A price was added', 'zh-CN': '新增了价格' },
  'PATCH /prices/:priceId': { 'en-US': 'A price was changed', 'zh-CN': '价格已更改' },
  'DELETE /prices/:priceId': { 'en-US': 'A price was removed', 'zh-CN': '价格已删除' },
  'POST /price-changes': { 'en-US': 'A price change was planned', 'zh-CN': '计划了价格变更' },
  'DELETE /price-changes/:changeId': {
    'en-US': 'A planned price change was withdrawn',
    'zh-CN': '计划的价格变更已撤销',
  },
  'PATCH /approval-limits': { 'en-US': 'The approval limits were lowered', 'zh-CN': '审批限额已调低' },
  'POST /approvals/:approvalId/approve': {
    'en-US': 'A top-up, price or limit was approved',
    'zh-CN': '批准了一项充值、价格或限额申请',
  },
  'POST /restores/:restoreId/lanes/:lane/decide': {
    'en-US': 'Sending was resumed after a restore of the database',
    'zh-CN': '数据库恢复后已继续发送',
  },
};

export interface Act {
  readonly key: StepUpRoute;
  /** Account of the user that acted. */
  readonly account: string;
  /** Id of the changed object. */
  readonly subject: string;
  readonly ip: string;
}

export function describeAct({ key, account, subject, ip }: Act, lang: Language): Letter {
  const what = acts[key][lang];
  return lang === 'zh-CN'
    ? makeLetter(`Pahatid：${what}`, [
        `${what}（${subject}）。`,
        `操作账号：${account}，IP 地址：${ip}。`,
        '如果这不是您或同事的操作，请立即结束该账号的会话并更改其密码。',
      ])
    : makeLetter(`Pahatid: ${what.charAt(0).toLowerCase()}${what.slice(1)}`, [
        `${what} (${subject}).`,
        `Account: ${account}. IP address: ${ip}.`,
        'If neither you nor a colleague did this, end the sessions of this account and change its password.',
      ]);
}

/** For all admins, if a staff account was added by the command line of a machine. */
export function describeStaffAdded(added: { account: string; role: Role; host: string }, lang: Language): Letter {
  const { account, role, host } = added;
  return lang === 'zh-CN'
    ? makeLetter('Pahatid：新增了一个员工账号', [
        `通过命令行新增了员工账号 ${account}（角色：${role}）。`,
        `主机：${host}。`,
        '如果这不是您或同事的操作，请立即停用该账号，并检查谁可以访问这台主机。',
      ])
    : makeLetter('Pahatid: a staff account was added', [
        `The staff account ${account} (role: ${role}) was added by the command line.`,
        `Host: ${host}.`,
        'If neither you nor a colleague did this, disable the account and check who has access to this host.',
      ]);
}
