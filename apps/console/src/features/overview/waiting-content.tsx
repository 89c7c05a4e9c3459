import type { Waiting } from '@pahatid/contract';
import {
  BadgeX,
  CircleCheck,
  CircleX,
  ClipboardCheck,
  FilePen,
  FileX2,
  Gauge,
  type LucideIcon,
  Undo2,
  Wallet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useThresholdAlertText } from '../../lib/format/threshold-text.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { RelativeTime } from '../../ui/data/text.tsx';

type Kind = Waiting['kind'];

export const waitingLooks: Record<Kind, { icon: LucideIcon; tone: 'danger' | 'primary' | 'warning' | 'neutral' }> = {
  templateRejected: { icon: FileX2, tone: 'danger' },
  senderRejected: { icon: BadgeX, tone: 'danger' },
  taskReady: { icon: CircleCheck, tone: 'primary' },
  taskDraft: { icon: FilePen, tone: 'neutral' },
  taskFailed: { icon: CircleX, tone: 'danger' },
  taskRejected: { icon: Undo2, tone: 'danger' },
  lowBalance: { icon: Wallet, tone: 'warning' },
  threshold: { icon: Gauge, tone: 'warning' },
  review: { icon: ClipboardCheck, tone: 'primary' },
};

export const waitingKey = (item: Waiting): string => ('id' in item ? item.id : item.kind);

/** Screen that handles each kind; no screen of ours tops up a balance. */
const screens = {
  templateRejected: '/smsTemplate',
  senderRejected: '/sender',
  taskReady: '/bulkMessage',
  taskDraft: '/bulkMessage',
  taskFailed: '/bulkMessage',
  taskRejected: '/bulkMessage',
  threshold: '/deliveryThreshold',
  review: '/review',
} as const;

interface WaitingLink {
  to: string;
  search: { open?: string };
  /** One verb. */
  verb: string;
  /** The verb with its object, for screen reader users that hear links without their surroundings. */
  name: string;
}

interface WaitingContent {
  title: ReactNode;
  note: ReactNode;
  link: WaitingLink | null;
}

export function useWaitingContent(): (item: Waiting) => WaitingContent {
  const t = useText();
  const formats = useFormats();
  const describeAlert = useThresholdAlertText();
  const mayWrite = useMay('owner', 'member');
  const isOwner = useMay('owner');
  const mayReview = useMay('reviewer', 'operator', 'admin');

  const note = (item: Waiting): ReactNode => {
    switch (item.kind) {
      case 'templateRejected':
      case 'senderRejected':
      case 'taskRejected':
        // A reviewer that wrote no note chose a reason of the catalogue.
        return item.note && (t.maybe(`reason.${item.note}`) ?? item.note);
      case 'taskReady':
        return item.cost === null
          ? t('overview.waiting.recipients', { count: item.recipients })
          : t('overview.waiting.cost', { count: item.recipients, cost: formats.money(item.cost) });
      case 'taskDraft':
        return t.rich('overview.waiting.saved', { time: <RelativeTime value={item.time} /> });
      case 'taskFailed':
        return reasonText(item.reason, t);
      case 'lowBalance':
        return t('overview.waiting.low', { amount: formats.money(item.available) });
      case 'threshold':
        return (
          <>
            <bdi>{describeAlert(item).text}</bdi> · <RelativeTime value={item.time} />
          </>
        );
      case 'review':
        return t.rich('overview.waiting.submitted', {
          customer: <bdi>{item.operator}</bdi>,
          time: <RelativeTime value={item.time} />,
        });
    }
  };

  const link = (item: Waiting): WaitingLink | null => {
    if (item.kind === 'lowBalance') {
      const verb = t('overview.act.view');
      const name = t('overview.act.name', { word: verb, name: t('overview.waiting.lowBalance') });
      return isOwner ? { to: '/billing', search: {}, verb, name } : null;
    }
    const mayAct = item.kind === 'review' ? mayReview : mayWrite;
    const verb = t(mayAct ? `overview.act.${item.kind}` : 'overview.act.view');
    const name = t('overview.act.name', {
      word: verb,
      name: item.kind === 'threshold' ? describeAlert(item).title : item.title,
    });
    return { to: screens[item.kind], search: { open: item.id }, verb, name };
  };

  return (item) => ({ title: titleOf(item, t, describeAlert), note: note(item), link: link(item) });
}

function titleOf(item: Waiting, t: Text, describeAlert: ReturnType<typeof useThresholdAlertText>): string {
  switch (item.kind) {
    case 'lowBalance':
      return t('overview.waiting.lowBalance');
    case 'threshold':
      return describeAlert(item).title;
    case 'review':
      return t(`overview.waiting.review.${item.of}`, { name: item.title });
    default:
      return t(`overview.waiting.${item.kind}`, { name: item.title });
  }
}

/** Why a task failed: a reason of tasks, or a code of the error catalogue. */
function reasonText(code: string | null, t: Text): string | null {
  if (code === null) return null;
  return t.maybe(`tasks.reason.${code}`) ?? t.maybe(`error.${code}`) ?? code;
}
