/** Alerts for staff, computed from data that is stored anyway. */
import type { Alert } from '@pahatid/contract';
import {
  type CodeCounts,
  findLastVerifyRun,
  listJobFailures,
  listPendingSince,
  listStalledReceipts,
  listSupplierAccounts,
  listUnmatchedReceipts,
  readCodeCounts,
} from '@pahatid/db/queries/alerts';
import { countUnownedReplies } from '@pahatid/db/queries/inbound';
import { countSetAside } from '@pahatid/db/queries/set-aside';
import { type AlarmKind, listAlarms, type RaisedAlarm } from '@pahatid/db/queries/staff-alarms';
import { listSuspended, type SuspendedSupplier } from '@pahatid/db/queries/supplier-breakers';
import { type BindRow, findLastSenderSign, type QueueRow } from '@pahatid/db/queries/traffic';
import {
  conversionLeast,
  conversionShare,
  conversionWindowMs,
  rangePrefixes,
  smsPerRange,
  strangersSmsPerDay,
} from '../../codes/code-rules.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { findStoppingRisks, listDatabaseRisks, readDatabaseState } from '../../process/database-risks.ts';
import type { ReadReviewRules, ReviewRules } from '../../review-rules/review-rules.ts';
import {
  bindPatienceMs,
  countedReviews,
  jobFailures,
  queuePatienceMs,
  setAsideWithinS,
  stalledReceipts,
  unmatchedReceipts,
} from './limits.ts';

export interface SystemState {
  readonly binds: readonly BindRow[];
  readonly queues: readonly QueueRow[];
  readonly now: Date;
}

const namedPrefixes = 5;
/** Unmatched receipts are shown from their own rows. */
const shownAlarms: readonly AlarmKind[] = ['passwordSpraying', 'bulkLookUps', 'unusualExports', 'ownerSignIn'];
const mostAlarms = 20;
const dayMs = 86_400_000;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The gravest first. */
export async function readAlerts(
  { pools, config }: Pick<ApiDeps, 'pools' | 'config'>,
  state: SystemState,
  readRules: ReadReviewRules,
): Promise<Alert[]> {
  const { control, data } = pools;
  const [
    database,
    binds,
    suspended,
    stalled,
    unmatched,
    setAside,
    unowned,
    codes,
    jobs,
    pending,
    rules,
    figures,
    alarms,
  ] = await Promise.all([
    readDatabaseAlerts(control, config),
    findBindAlerts(state, () => findLastSenderSign(control)),
    listSuspended(control),
    listStalledReceipts(control, stalledReceipts),
    readUnmatched(pools),
    readSetAside(pools),
    countUnownedReplies(control, new Date(state.now.getTime() - dayMs)),
    readCodeCounts(control, state.now, { rangeLimit: smsPerRange, prefixes: rangePrefixes }),
    listJobFailures(control, jobFailures),
    listPendingSince(control, countedReviews),
    readRules(),
    findLastVerifyRun(data),
    listAlarms(control, { kinds: shownAlarms, since: new Date(state.now.getTime() - dayMs), limit: mostAlarms }),
  ]);
  const alerts: Alert[] = [
    ...database,
    // Senders that refuse the database have no binds either, and to start more would not help.
    ...(database.some(({ stopsSending }) => stopsSending) ? binds.filter(({ kind }) => kind !== 'noSender') : binds),
    ...suspended.map(presentSuspended),
    ...findOldQueues(state),
    ...stalled.map(
      (row): Alert => ({ ...row, kind: 'receiptsStalled', severity: 'warning', since: row.since.toISOString() }),
    ),
    ...unmatched,
    ...setAside,
    ...findUnowned(unowned),
    ...findStoppedCodes(codes),
    ...alarms.flatMap(presentAlarm),
    ...jobs.map(
      ({ job, failures, failingSince }): Alert => ({
        kind: 'jobFailing',
        severity: 'danger',
        since: failingSince.toISOString(),
        job,
        failures,
      }),
    ),
    ...findLateReviews(rules, pending, state.now),
  ];
  if (figures !== null && figures.differences > 0)
    alerts.push({
      kind: 'figuresDiffer',
      severity: 'danger',
      since: figures.at.toISOString(),
      count: figures.differences,
      checks: Object.keys(figures.totals)
        .filter((check) => (figures.totals[check] ?? 0) > 0)
        .sort(),
    });
  return alerts.sort((a, b) => Number(b.severity === 'danger') - Number(a.severity === 'danger'));
}

type DatabaseAlert = Extract<Alert, { kind: 'databaseRisk' }>;

async function readDatabaseAlerts(
  control: ApiDeps['pools']['control'],
  config: ApiDeps['config'],
): Promise<DatabaseAlert[]> {
  const risks = listDatabaseRisks(await readDatabaseState(control, config));
  const stops = findStoppingRisks(risks, config);
  return risks.map((risk): DatabaseAlert => {
    const stopsSending = stops.includes(risk);
    const severity = stopsSending ? 'danger' : 'warning';
    return { kind: 'databaseRisk', severity, since: null, risk: risk.kind, stopsSending };
  });
}

async function findBindAlerts({ binds, now }: SystemState, lastSign: () => Promise<Date | null>): Promise<Alert[]> {
  if (binds.length > 0 && binds.every(({ senders }) => senders === 0))
    return [{ kind: 'noSender', severity: 'danger', since: iso(await lastSign()) }];
  return binds.flatMap((bind): Alert[] => {
    const { supplierId, supplierAccount, bound, wanted, lastError, downSince, failedSince } = bind;
    const isRecent = downSince !== null && now.getTime() - downSince.getTime() < bindPatienceMs;
    if (bound >= wanted || (isRecent && failedSince === null)) return [];
    const about = { supplierId, supplierAccount, lastError, since: iso(downSince) };
    return bound === 0
      ? [{ kind: 'supplierDown', severity: 'danger', ...about }]
      : [{ kind: 'bindsLost', severity: 'warning', ...about, bound, wanted }];
  });
}

function presentSuspended({ supplierId, supplierAccount, since: began, ...breaker }: SuspendedSupplier): Alert {
  const since = began.toISOString();
  return {
    kind: 'supplierSuspended',
    severity: 'danger',
    since,
    supplierId,
    supplierAccount,
    breaker: { ...breaker, since },
  };
}

/** Whether what waits there has waited too long. */
export const isOldQueue = ({ lane, oldest }: QueueRow, now: Date): boolean =>
  oldest !== null && now.getTime() - oldest.getTime() > (queuePatienceMs[lane] ?? Number.POSITIVE_INFINITY);

const findOldQueues = ({ queues, now }: SystemState): Alert[] =>
  queues
    .filter((queue) => isOldQueue(queue, now))
    .map(({ lane, messages, held, oldest }) => ({
      kind: 'queueOld',
      severity: 'danger',
      since: iso(oldest),
      lane,
      messages: messages - held,
    }));

const readUnmatched = async (pools: ApiDeps['pools']): Promise<Alert[]> =>
  (await nameAccounts(pools, await listUnmatchedReceipts(pools.data, unmatchedReceipts))).map((row) => ({
    kind: 'receiptsUnmatched',
    severity: 'warning',
    ...row,
  }));

const readSetAside = async (pools: ApiDeps['pools']): Promise<Alert[]> =>
  (await nameAccounts(pools, await countSetAside(pools.data, setAsideWithinS))).map((row) => ({
    kind: 'eventsSetAside',
    severity: 'danger',
    ...row,
  }));

async function nameAccounts(
  { control }: ApiDeps['pools'],
  found: readonly { supplierId: string; count: number; since: Date }[],
): Promise<{ supplierId: string; supplierAccount: string; count: number; since: string }[]> {
  if (found.length === 0) return [];
  const accounts = await listSupplierAccounts(
    control,
    found.map(({ supplierId }) => supplierId),
  );
  return found.map(({ supplierId, count, since }) => ({
    supplierId,
    supplierAccount: accounts.get(supplierId) ?? '',
    count,
    since: since.toISOString(),
  }));
}

const findUnowned = ({ count, since }: { count: number; since: Date | null }): Alert[] =>
  count === 0 ? [] : [{ kind: 'repliesUnowned', severity: 'warning', since: iso(since), count }];

/** The same conditions under which the jobs stop sending them. */
function findStoppedCodes(counts: CodeCounts): Alert[] {
  const stopped = (why: 'unused' | 'range' | 'day', since: Date | null): Alert => ({
    kind: 'codesStopped',
    severity: 'danger',
    since: iso(since),
    why,
    prefixes: why === 'range' ? counts.fullPrefixes.slice(0, namedPrefixes) : [],
  });
  const before = (end: Date | null, ms: number): Date | null => end && new Date(end.getTime() - ms);
  return [
    ...(counts.sent >= conversionLeast && counts.used < counts.sent * conversionShare
      ? [stopped('unused', before(counts.sentUntil, conversionWindowMs))]
      : []),
    ...(counts.fullRanges > 0 ? [stopped('range', counts.rangeSince)] : []),
    ...(counts.day >= strangersSmsPerDay ? [stopped('day', before(counts.dayUntil, dayMs))] : []),
  ];
}

/** For a day after it was raised. */
function presentAlarm({ raisedAt, ...alarm }: RaisedAlarm): Alert[] {
  const since = raisedAt.toISOString();
  switch (alarm.kind) {
    case 'passwordSpraying':
      return [{ kind: alarm.kind, severity: 'danger', since, ...alarm.facts }];
    case 'bulkLookUps':
      return [{ kind: alarm.kind, severity: 'warning', since, ...alarm.facts }];
    case 'unusualExports': {
      const { actor, rows, files } = alarm.facts;
      return [{ kind: alarm.kind, severity: 'warning', since, actor, rows, files }];
    }
    case 'ownerSignIn':
      return [{ kind: alarm.kind, severity: alarm.facts.isNewCountry ? 'danger' : 'warning', since, ...alarm.facts }];
    case 'receiptsUnmatched':
      return [];
  }
}

function findLateReviews(rules: ReviewRules, submitted: readonly Date[], now: Date): Alert[] {
  const due = submitted
    .map((at) => rules.clockOf(at, now))
    .filter(({ clock }) => clock.leftS < 0)
    .map(({ expectedTime }) => expectedTime)
    .sort();
  return due[0] === undefined ? [] : [{ kind: 'reviewsLate', severity: 'warning', since: due[0], count: due.length }];
}
