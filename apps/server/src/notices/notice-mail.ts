/**
 * The mail of a notice: what happened, in one sentence, and a link. In the reader's language; names and numbers only,
 * never a message text or a phone.
 */
import { TaskStatus } from '@pahatid/contract/enums';
import type { NoticeReader } from '@pahatid/db/queries/notices';
import { formatMoney, type Language } from '@pahatid/domain';
import { writeLetter } from '../mail/write-letter.ts';
import type { AnyNotice } from './any-notice.ts';
import { counted } from './counted.ts';
import { describeApprovalEnd, describeDossier } from './dossier-texts.ts';
import { describeRule } from './threshold-texts.ts';
import { describeTopUp } from './top-up-texts.ts';

interface Words {
  subject: string;
  lead: string;
  /** Local path of the screen. */
  path: string;
  act: string;
}

export function writeNoticeMail(
  notice: AnyNotice,
  { locale }: Pick<NoticeReader, 'locale'>,
  publicUrl: string,
): { subject: string; text: string; html: string } {
  const lang = languageOf(locale);
  const { subject, lead, path, act } = wordsOf(notice, lang);
  return writeLetter({
    lang,
    subject,
    lead,
    act: { label: act, link: `${publicUrl}${path}` },
    note: {
      'en-US': 'Choose which emails you receive under Account, Notifications.',
      'zh-CN': '您可以在“账号 - 通知”中选择接收哪些邮件。',
    }[lang],
  });
}

/** Mails are written in two languages; users with no or another language get the nearer one. */
const languageOf = (locale: string | null): Language =>
  locale === null || locale.startsWith('zh') ? 'zh-CN' : 'en-US';

function wordsOf(notice: AnyNotice, lang: Language): Words {
  const zh = lang === 'zh-CN';
  const number = (value: number): string => new Intl.NumberFormat(lang).format(value);
  switch (notice.kind) {
    case 'taskEnded': {
      const { taskId, taskName, taskStatus, total, success, failed } = notice.params;
      const how =
        endWords[lang][
          taskStatus === TaskStatus.Completed ? 'done' : taskStatus === TaskStatus.Failed ? 'failed' : 'stopped'
        ];
      // A failed task submitted nothing: its counts would be meaningless.
      const isFailed = taskStatus === TaskStatus.Failed;
      return {
        subject: zh ? `任务“${taskName}”${how}` : `Task “${taskName}” ${how}`,
        lead: isFailed
          ? zh
            ? `任务“${taskName}”失败，未发送任何短信。请在控制台查看原因并修改后重新提交。`
            : `Task “${taskName}” failed and nothing was sent. See the reason in the console, edit the task and submit it again.`
          : zh
            ? `任务“${taskName}”${how}：共 ${number(total)} 个接收号码，运营商已受理 ${number(success)}，失败 ${number(failed)}。`
            : `Task “${taskName}” ${how}: ${counted(total, 'recipient')}, ${number(success)} accepted by carriers, ${number(failed)} failed.`,
        path: `/bulkMessage?open=${taskId}`,
        act: zh ? '查看任务' : 'Open the task',
      };
    }
    case 'abUndecided': {
      const { taskId, taskName } = notice.params;
      return {
        subject: zh ? `A/B 测试“${taskName}”待您决定` : `A/B test “${taskName}” waits for your decision`,
        lead: zh
          ? `A/B 测试“${taskName}”已有结果，请选择发送给其余接收号码的版本。在您决定之前不会发送。`
          : `The results of A/B test “${taskName}” are in. Choose the variant that the other recipients get; nothing is sent to them until you decide.`,
        path: `/bulkMessage?open=${taskId}`,
        act: zh ? '查看结果' : 'See the results',
      };
    }
    case 'reviewDecided': {
      const { of, id, title, approved } = notice.params;
      const what = subjectWords[lang][of];
      return {
        subject: zh
          ? `${what}“${title}”${approved ? '已通过审核' : '未通过审核'}`
          : `${what} “${title}” was ${approved ? 'approved' : 'rejected'}`,
        lead: approved
          ? zh
            ? `${what}“${title}”已通过审核，可以使用。`
            : `${what} “${title}” was approved and can be used.`
          : zh
            ? `${what}“${title}”未通过审核，请在控制台查看原因并修改后重新提交。`
            : `${what} “${title}” was rejected. See the reason in the console, edit it and submit it again.`,
        path: {
          template: `/smsTemplate?open=${id}`,
          sender: `/sender?open=${id}`,
          task: `/bulkMessage?open=${id}`,
          link: `/bussinessStatistics/shortLinkStatics?open=${id}`,
        }[of],
        act: zh ? '查看' : 'Open it',
      };
    }
    case 'thresholdAlert': {
      const { thresholdId } = notice.params;
      const { subject, lead } = describeRule(notice.params, lang);
      return {
        subject,
        lead,
        path: `/deliveryThreshold?open=${thresholdId}`,
        act: zh ? '查看阈值' : 'Open the threshold',
      };
    }
    case 'balanceLow': {
      const { available, line } = notice.params;
      return {
        subject: zh ? '余额不足提醒' : 'Your balance is low',
        lead: zh
          ? `可用余额为 ${formatMoney(available, lang)}，低于提醒线 ${formatMoney(line, lang)}。余额用完后将无法继续发送。`
          : `Your available balance is ${formatMoney(available, lang)}, below your alert level of ${formatMoney(line, lang)}. When it is used up, no more messages can be sent.`,
        path: '/billing',
        act: zh ? '查看费用' : 'Open billing',
      };
    }
    case 'exportReady': {
      const { fileName, rows, path } = notice.params;
      if (path === null)
        return {
          subject: zh ? '导出失败' : 'Your export failed',
          lead: zh ? `导出“${fileName}”失败，请重新导出。` : `The export “${fileName}” failed. Start it again.`,
          path: '/notice',
          act: zh ? '打开控制台' : 'Open the console',
        };
      return {
        subject: zh ? '导出已完成' : 'Your export is ready',
        lead: zh
          ? `导出“${fileName}”已完成，共 ${number(rows)} 行。登录后即可下载。`
          : `The export “${fileName}” is ready: ${counted(rows, 'row')}. Sign in to download it.`,
        path: '/notice?kind=exportReady',
        act: zh ? '去下载' : 'Download',
      };
    }
    case 'memberChanged': {
      const { change, name } = notice.params;
      const lead = memberWords[lang][change](name);
      return { subject: lead, lead, path: '/member', act: zh ? '查看成员' : 'Open the team' };
    }
    case 'bindDown': {
      const { supplierAccount, bound, wanted } = notice.params;
      return {
        subject: zh ? `通道 ${supplierAccount} 的连接中断` : `Supplier ${supplierAccount} has lost binds`,
        lead: zh
          ? `通道 ${supplierAccount} 需要 ${number(wanted)} 条连接，目前仅有 ${number(bound)} 条。`
          : `Supplier ${supplierAccount} has ${number(bound)} of ${counted(wanted, 'bind')}.`,
        path: '/routing',
        act: zh ? '查看路由' : 'Open routing',
      };
    }
    case 'callbackDisabled': {
      const { endpointId, host, appName, reason, waiting } = notice.params;
      const of = appName === null ? '' : zh ? `（应用“${appName}”）` : ` of application “${appName}”`;
      const why = {
        gone: zh ? '该地址返回已失效（410）' : 'The address responded with 410 Gone',
        failing: zh ? '该地址连续三天全部失败' : 'Every attempt has failed for three days',
      }[reason];
      return {
        subject: zh ? `发往 ${host} 的回调已停用` : `Callbacks to ${host} are disabled`,
        lead: zh
          ? `发往 ${host} 的回调${of}已停用：${why}。有 ${number(waiting)} 个事件等待发送，修复后发送测试即可恢复，保留 30 天。`
          : `Callbacks to ${host}${of} are disabled. ${why}. Waiting events: ${number(waiting)}. They are kept for 30 days and sent after the address passes a test.`,
        path: `/developer?tab=callbacks&endpoint=${endpointId}`,
        act: zh ? '查看回调' : 'Open callbacks',
      };
    }
    case 'approvalPending': {
      const { of, account } = notice.params;
      const what = approvalWords[lang][of];
      if (of === 'topUp')
        return {
          subject: zh ? `${what}待处理` : `${what} is waiting`,
          lead: zh
            ? `${account} 提交了${what}，到账后请批准。`
            : `${what} of ${account} is waiting. Approve it when the money has arrived.`,
          path: '/billing',
          act: zh ? '查看申请' : 'Open the request',
        };
      return {
        subject: zh ? `${what}等待审批` : `${what} needs approval`,
        lead: zh
          ? `${account} 提交的${what}需要另一位工作人员审批，七天内有效。`
          : `${what} requested by ${account} must be approved by another staff member within seven days.`,
        path: '/approvals',
        act: zh ? '查看申请' : 'Open the request',
      };
    }
    case 'topUpDecided':
      return { ...describeTopUp(notice.params, lang), path: '/billing', act: zh ? '查看费用' : 'Open billing' };
    case 'dossierDecided':
    case 'approvalEnds': {
      const text =
        notice.kind === 'approvalEnds'
          ? describeApprovalEnd(notice.params, lang)
          : describeDossier(notice.params, lang);
      return {
        ...text,
        path: `/sender?open=${notice.params.id}&part=carriers&carrier=${notice.params.carrier}`,
        act: zh ? '查看 Sender ID' : 'Open the sender ID',
      };
    }
  }
}

const endWords = {
  'en-US': { done: 'is completed', failed: 'failed', stopped: 'was terminated' },
  'zh-CN': { done: '已完成', failed: '失败', stopped: '已终止' },
} as const;

const subjectWords = {
  'en-US': { template: 'Template', sender: 'Sender ID', task: 'Task', link: 'Short link' },
  'zh-CN': { template: '模板', sender: 'Sender ID ', task: '任务', link: '短链' },
} as const;

const approvalWords = {
  'en-US': {
    ledger: 'A top-up or correction',
    price: 'A price change',
    limits: 'A change of the approval limits',
    topUp: 'A requested top-up',
  },
  'zh-CN': { ledger: '充值或调整', price: '价格变更', limits: '审批限额变更', topUp: '充值申请' },
} as const;

const memberWords = {
  'en-US': {
    joined: (name: string) => `${name} has joined your team`,
    role: (name: string) => `The role of ${name} has changed`,
    removed: (name: string) => `${name} was removed from your team`,
  },
  'zh-CN': {
    joined: (name: string) => `${name} 已加入团队`,
    role: (name: string) => `${name} 的角色已变更`,
    removed: (name: string) => `${name} 已被移出团队`,
  },
} as const;
