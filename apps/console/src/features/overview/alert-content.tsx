import type { Alert, DatabaseRiskKind } from '@pahatid/contract';
import { SmsType } from '@pahatid/contract/enums';
import {
  CircleSlash,
  Clock,
  DatabaseZap,
  Eye,
  FileDown,
  FileExclamationPoint,
  FileQuestion,
  Hourglass,
  KeyRound,
  type LucideIcon,
  MailQuestion,
  MapPin,
  MessageSquareReply,
  Scale,
  ServerOff,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useBindErrorText } from '../../lib/format/bind-error-text.ts';
import { useBreakerText } from '../../lib/format/breaker-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { DateTime, RelativeTime } from '../../ui/data/text.tsx';

export const alertIcons: Record<Alert['kind'], LucideIcon> = {
  databaseRisk: DatabaseZap,
  noSender: ServerOff,
  supplierDown: Unplug,
  supplierSuspended: TriangleAlert,
  bindsLost: Unplug,
  queueOld: Hourglass,
  receiptsStalled: MailQuestion,
  receiptsUnmatched: FileQuestion,
  eventsSetAside: FileExclamationPoint,
  repliesUnowned: MessageSquareReply,
  codesStopped: CircleSlash,
  passwordSpraying: KeyRound,
  bulkLookUps: Eye,
  unusualExports: FileDown,
  ownerSignIn: MapPin,
  jobFailing: TriangleAlert,
  reviewsLate: Clock,
  figuresDiffer: Scale,
};

export const alertKey = (alert: Alert): string =>
  [
    alert.kind,
    'supplierId' in alert ? alert.supplierId : '',
    'lane' in alert ? alert.lane : '',
    'job' in alert ? alert.job : '',
    'why' in alert ? alert.why : '',
    'risk' in alert ? alert.risk : '',
    'network' in alert ? alert.network : '',
    'actor' in alert ? alert.actor : '',
  ].join(' ');

interface AlertLink {
  to:
    | '/routing'
    | '/bulkMessage'
    | '/bussinessStatistics/sendRecord'
    | '/auditLog'
    | '/review'
    | '/billing'
    | '/setAsideEvent'
    | '/unownedReply';
  search: Record<string, string>;
  /** One verb. */
  verb: string;
  /** The verb with its object, for screen reader users that hear links without their surroundings. */
  name: string;
}

interface AlertContent {
  title: string;
  note: ReactNode;
  since: ReactNode;
  link: AlertLink | null;
}

/** Jobs that work on tasks; what holds them up is seen there. */
const taskJobs = ['check', 'start', 'prepare', 'finish', 'endStopped', 'recover', 'stopDisabled', 'parse'];
const moneyChecks = ['reservation', 'charge', 'balance'];

export function useAlertContent(): (alert: Alert) => AlertContent {
  const t = useText();
  const formats = useFormats();
  const errorText = useBindErrorText();
  const breakerText = useBreakerText();
  // Reviewers see the system's traffic; they may not fix carriers and money.
  const mayRoute = useMay('operator', 'admin');

  const place = (alert: Alert): Pick<AlertLink, 'to' | 'search'> | null => {
    switch (alert.kind) {
      case 'databaseRisk':
        return null;
      case 'noSender':
        return mayRoute ? { to: '/routing', search: {} } : null;
      case 'supplierDown':
      case 'supplierSuspended':
      case 'bindsLost':
      case 'receiptsStalled':
      case 'receiptsUnmatched':
        return mayRoute ? { to: '/routing', search: { tab: 'suppliers', open: alert.supplierId } } : null;
      case 'eventsSetAside':
        return mayRoute ? { to: '/setAsideEvent', search: { supplierId: alert.supplierId, handled: '0' } } : null;
      case 'queueOld':
        return alert.lane === SmsType.Marketing
          ? { to: '/bulkMessage', search: { taskStatus: '5' } }
          : { to: '/bussinessStatistics/sendRecord', search: { clientStatus: '0', smsType: String(alert.lane) } };
      case 'codesStopped':
        return { to: '/auditLog', search: { action: 'sendCode' } };
      case 'passwordSpraying':
        return { to: '/auditLog', search: { action: 'signInFailed' } };
      case 'bulkLookUps':
        return { to: '/auditLog', search: { action: 'unmask' } };
      case 'unusualExports':
        return { to: '/auditLog', search: { action: 'export' } };
      case 'ownerSignIn':
        return { to: '/auditLog', search: { action: 'signIn', actor: alert.actor } };
      case 'jobFailing':
        if (taskJobs.includes(alert.job)) return { to: '/bulkMessage', search: {} };
        return alert.job === 'prices' && mayRoute ? { to: '/routing', search: { tab: 'prices' } } : null;
      case 'repliesUnowned':
        return { to: '/unownedReply', search: {} };
      case 'reviewsLate':
        return { to: '/review', search: {} };
      case 'figuresDiffer':
        if (alert.checks.includes('auditChain')) return { to: '/auditLog', search: {} };
        return mayRoute && alert.checks.some((check) => moneyChecks.includes(check))
          ? { to: '/billing', search: {} }
          : null;
    }
  };

  const note = (alert: Alert): ReactNode => {
    switch (alert.kind) {
      case 'databaseRisk':
        return alert.stopsSending ? t('overview.alert.databaseRisk.stopped') : null;
      case 'supplierSuspended':
        return `${breakerText(alert.breaker)}. ${t('overview.alert.supplierDown.note')}`;
      case 'supplierDown':
      case 'bindsLost':
        return (
          <>
            {alert.lastError && <span title={alert.lastError}>{errorText(alert.lastError)} </span>}
            {t(`overview.alert.${alert.kind}.note`)}
          </>
        );
      case 'codesStopped':
        return (
          <>
            {t(`overview.alert.codesStopped.${alert.why}`)} <Prefixes of={alert.prefixes} />
          </>
        );
      case 'receiptsStalled':
        return t('overview.alert.receiptsStalled.note', { count: alert.accepted });
      case 'receiptsUnmatched':
        return t('overview.alert.receiptsUnmatched.note', { count: alert.count });
      case 'eventsSetAside':
        return t('overview.alert.eventsSetAside.note', { count: alert.count });
      case 'repliesUnowned':
        return t('overview.alert.repliesUnowned.note');
      case 'passwordSpraying':
        return [t('overview.alert.withinHour', { count: alert.accounts }), alert.network ?? []].flat().join(' · ');
      case 'bulkLookUps':
        return t('overview.alert.withinHour', { count: alert.numbers });
      case 'unusualExports':
        return t('overview.alert.unusualExports.note', { count: alert.rows, files: alert.files });
      case 'ownerSignIn':
        return alert.country === null ? alert.network : `${alert.network} (${alert.country})`;
      case 'jobFailing':
        return t('overview.alert.jobFailing.note', { count: alert.failures });
      case 'figuresDiffer':
        return t('overview.alert.figuresDiffer.note', { checks: formats.list(alert.checks) });
      case 'queueOld':
      case 'noSender':
        return t(`overview.alert.${alert.kind}.note`);
      case 'reviewsLate':
        return null;
    }
  };

  return (alert) => {
    const title = titleOf(alert, t);
    const to = place(alert);
    const verb = alert.kind === 'databaseRisk' ? '' : t(`overview.alert.${actOf(alert.kind)}.act`);
    return {
      title,
      note: note(alert),
      since:
        alert.since &&
        t.rich(`overview.alert.since.${sinceOf[alert.kind]}`, {
          time: <DateTime value={alert.since} style="short" />,
          ago: <RelativeTime value={alert.since} />,
        }),
      link: to && { ...to, verb, name: t('overview.act.name', { word: verb, name: title }) },
    };
  };
}

/** All that lead to the audit log say the same. */
function actOf(kind: Exclude<Alert['kind'], 'databaseRisk'>) {
  switch (kind) {
    case 'passwordSpraying':
    case 'bulkLookUps':
    case 'unusualExports':
    case 'ownerSignIn':
      return 'codesStopped';
    default:
      return kind;
  }
}

/** First digits of Philippine numbers. */
function Prefixes({ of }: { of: readonly string[] }) {
  const { list } = useFormats();
  const shown = of.map((prefix) => `+${prefix.replace(/^(63)(\d{3})/, '$1 $2 ')}…`);
  return <span className="num">{list(shown)}</span>;
}

/** What the instant of an alert is that of. */
const sinceOf = {
  databaseRisk: 'began',
  noSender: 'heard',
  supplierDown: 'began',
  supplierSuspended: 'began',
  bindsLost: 'began',
  queueOld: 'due',
  receiptsStalled: 'began',
  receiptsUnmatched: 'first',
  eventsSetAside: 'first',
  repliesUnowned: 'first',
  codesStopped: 'began',
  passwordSpraying: 'found',
  bulkLookUps: 'found',
  unusualExports: 'found',
  ownerSignIn: 'found',
  jobFailing: 'began',
  reviewsLate: 'due',
  figuresDiffer: 'found',
} as const satisfies Record<Alert['kind'], string>;

function titleOf(alert: Alert, t: Text): string {
  switch (alert.kind) {
    case 'databaseRisk':
      return databaseTitle(alert.risk, t);
    case 'supplierDown':
    case 'supplierSuspended':
    case 'receiptsStalled':
    case 'receiptsUnmatched':
    case 'eventsSetAside':
      return t(`overview.alert.${alert.kind}`, { name: alert.supplierAccount });
    case 'bindsLost':
      return t('overview.alert.bindsLost', { name: alert.supplierAccount, bound: alert.bound, wanted: alert.wanted });
    case 'queueOld':
      return t(`overview.alert.queueOld.${alert.lane as 1 | 2 | 3}`, { count: alert.messages });
    case 'jobFailing':
      return t('overview.alert.jobFailing', { name: alert.job });
    case 'reviewsLate':
    case 'repliesUnowned':
    case 'figuresDiffer':
      return t(`overview.alert.${alert.kind}`, { count: alert.count });
    case 'bulkLookUps':
    case 'unusualExports':
      return t(`overview.alert.${alert.kind}`, { name: alert.actor });
    case 'ownerSignIn':
      return t(alert.isNewCountry ? 'overview.alert.ownerSignIn.country' : 'overview.alert.ownerSignIn', {
        name: alert.actor,
      });
    case 'noSender':
    case 'codesStopped':
    case 'passwordSpraying':
      return t(`overview.alert.${alert.kind}`);
  }
}

function databaseTitle(risk: DatabaseRiskKind, t: Text): string {
  switch (risk) {
    case 'standby':
    case 'failover':
    case 'clock':
    case 'archive':
    case 'disk':
      return t(`overview.alert.databaseRisk.${risk}`);
    default:
      return t('overview.alert.databaseRisk.setting', { name: risk });
  }
}
