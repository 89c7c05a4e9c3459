import { type Notice, TaskStatus } from '@pahatid/contract';
import {
  BadgeCheck,
  Cable,
  CircleCheck,
  CircleX,
  Download,
  Gauge,
  type LucideIcon,
  Split,
  Stamp,
  Unplug,
  Users,
  Wallet,
} from 'lucide-react';
import { useDayText } from '../../lib/format/day-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useThresholdAlertText } from '../../lib/format/threshold-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';

interface NoticeContent {
  icon: LucideIcon;
  tone: 'good' | 'warning' | 'bad' | 'plain';
  title: string;
  text: string;
  /** Local path of its target or download; null: none. */
  path: string | null;
  download?: boolean;
}

/** Returns a notice's text, and its target. */
export function useNoticeContent(): (notice: Notice) => NoticeContent {
  const t = useText();
  const formats = useFormats();
  const day = useDayText();
  const describeAlert = useThresholdAlertText();

  return (notice) => {
    switch (notice.kind) {
      case 'taskEnded': {
        const { taskId, taskName: name, taskStatus, total, success, failed, reason } = notice.params;
        const state =
          taskStatus === TaskStatus.Completed ? 'done' : taskStatus === TaskStatus.Failed ? 'failed' : 'stopped';
        return {
          icon: state === 'done' ? CircleCheck : CircleX,
          tone: state === 'done' ? 'good' : 'bad',
          title: t('notices.taskEnded.title', { name, state }),
          // A failed task sent nothing: the reason is more useful than its counts.
          text:
            state === 'failed' && reason !== null
              ? (t.maybe(`tasks.reason.${reason}`) ?? t('tasks.reason.OTHER', { code: reason }))
              : t('notices.taskEnded.text', { total, success, failed }),
          path: `/bulkMessage?open=${taskId}`,
        };
      }
      case 'abUndecided': {
        const { taskId, taskName: name } = notice.params;
        return {
          icon: Split,
          tone: 'warning',
          title: t('notices.abUndecided.title', { name }),
          text: t('tasks.reason.AB_UNDECIDED'),
          path: `/bulkMessage?open=${taskId}`,
        };
      }
      case 'reviewDecided': {
        const { of, id, title: name, approved, reasonCode } = notice.params;
        return {
          icon: approved ? BadgeCheck : CircleX,
          tone: approved ? 'good' : 'bad',
          title: t('notices.reviewDecided.title', { of, name, approved: approved ? 'yes' : 'no' }),
          text: reasonCode === null || reasonCode === 'OTHER' ? '' : t(`reason.${reasonCode}`),
          path: {
            template: `/smsTemplate?open=${id}`,
            sender: `/sender?open=${id}`,
            task: `/bulkMessage?open=${id}`,
            link: `/bussinessStatistics/shortLinkStatics?open=${id}`,
          }[of],
        };
      }
      case 'thresholdAlert': {
        const { thresholdId, event } = notice.params;
        return {
          icon: Gauge,
          tone: event === 'alert' ? 'warning' : 'bad',
          ...describeAlert(notice.params),
          path: `/deliveryThreshold?open=${thresholdId}`,
        };
      }
      case 'balanceLow': {
        const { available, line } = notice.params;
        return {
          icon: Wallet,
          tone: 'bad',
          title: t('notices.balanceLow.title'),
          text: t('notices.balanceLow.text', { available: formats.money(available), line: formats.money(line) }),
          path: '/billing',
        };
      }
      case 'exportReady': {
        const { fileName: name, rows, path } = notice.params;
        const isReady = path !== null;
        return {
          icon: Download,
          tone: isReady ? 'good' : 'bad',
          title: t(isReady ? 'notices.exportReady.title' : 'notices.exportReady.failed', { name }),
          text: isReady ? t('notices.exportReady.text', { rows }) : t('notices.exportReady.failed.text'),
          path,
          download: path?.startsWith('/api/') === true,
        };
      }
      case 'memberChanged': {
        const { change, name, role, by } = notice.params;
        return {
          icon: Users,
          tone: 'plain',
          title: t(`notices.memberChanged.title.${change}`, { name }),
          text: t('notices.memberChanged.text', { role, by: by ?? 'none' }),
          path: '/member',
        };
      }
      case 'bindDown': {
        const { supplierAccount: name, bound, wanted } = notice.params;
        return {
          icon: Cable,
          tone: 'bad',
          title: t('notices.bindDown.title', { name }),
          text: t('notices.bindDown.text', { bound, wanted }),
          path: '/routing',
        };
      }
      case 'callbackDisabled': {
        const { endpointId, host, reason, waiting } = notice.params;
        return {
          icon: Unplug,
          tone: 'bad',
          title: t('notices.callbackDisabled.title', { host }),
          text: t('notices.callbackDisabled.text', { reason, waiting }),
          path: `/developer?tab=callbacks&endpoint=${endpointId}`,
        };
      }
      case 'approvalPending': {
        const { of, account } = notice.params;
        return {
          icon: Stamp,
          tone: 'plain',
          title: t('notices.approvalPending.title', { of: of === 'topUp' ? 'ledger' : of }),
          text: t('notices.approvalPending.text', { account }),
          path: of === 'topUp' ? '/billing' : '/approvals',
        };
      }
      case 'topUpDecided': {
        const { approved, amount, entered, reference, reason } = notice.params;
        return {
          icon: Wallet,
          tone: approved ? 'good' : 'bad',
          title: t(`notices.topUpDecided.${approved ? 'approved' : 'rejected'}`, {
            amount: formats.money(entered ?? amount),
          }),
          text: reason === null ? reference : `${reference} · ${reason}`,
          path: '/billing',
        };
      }
      case 'dossierDecided': {
        const { id, senderId: name, carrier, approved, approvedUntil, answer } = notice.params;
        return {
          icon: approved ? BadgeCheck : CircleX,
          tone: approved ? 'good' : 'bad',
          title: t(`notices.dossierDecided.${approved ? 'approved' : 'returned'}`, { carrier, name }),
          text: answer ?? (approvedUntil === null ? '' : day(approvedUntil)),
          path: `/sender?open=${id}&part=carriers&carrier=${carrier}`,
        };
      }
      case 'approvalEnds': {
        const { id, senderId: name, carrier, approvedUntil, ended } = notice.params;
        return {
          icon: Stamp,
          tone: ended ? 'bad' : 'warning',
          title: t(`notices.approvalEnds.${ended ? 'ended' : 'soon'}`, { carrier, name }),
          text: day(approvedUntil),
          path: `/sender?open=${id}&part=carriers&carrier=${carrier}`,
        };
      }
    }
  };
}
