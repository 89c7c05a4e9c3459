/** Rules of the demo shop with their events, and the notices sent to its users. None of them interferes with a send. */
import { type NoticeKind, type NoticeParams, pumpingDefaults } from '@pahatid/contract';
import { type Carrier, SmsType, TaskStatus } from '@pahatid/contract/enums';
import { judgeWindows, type QualityBucket } from '@pahatid/domain';
import type pg from 'pg';
import { uuidV7 } from '../ids.ts';
import { insertRule, insertRuleEvent, type RuleInput } from '../queries/threshold-rules.ts';
import { listQualityBuckets } from '../queries/threshold-watching.ts';
import { many, one, run, sql } from '../sql.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const bucketMs = 300_000;
/** Steps of a quality rule's bound, hundredths of a percent. */
const boundStep = 50;
/** Least messages of its window. */
const leastVolumes = [200, 150, 100, 70, 50, 30];
/** How long the rules have been there. */
const ruleDays = 40;
/** Days in which the quality rule has begun to fire at least once. */
const shownDays = 6;

interface Shop {
  customerId: string;
  userId: string;
  appId: string;
}

const common = {
  appId: null,
  areaCode: null,
  carrier: null as Carrier | null,
  smsType: null,
  useState: 1 as const,
  emails: [] as string[],
  mobileNumbers: [] as string[],
  msisdns: [] as string[],
  webhooks: [] as string[],
  silenceMinutes: 60,
};

const rules = (appId: string) =>
  ({
    daily: {
      ...common,
      kind: 'volume',
      period: 'day',
      unit: 'messages',
      alertAt: 50_000,
      limitAt: null,
      emails: ['operations@sari-sari.example'],
    },
    budget: {
      ...common,
      kind: 'volume',
      appId,
      areaCode: 'PH',
      period: 'month',
      unit: 'cost',
      // ₱75,000 and ₱1,000,000
      alertAt: 750_000_000,
      limitAt: 10_000_000_000,
      silenceMinutes: 1_440,
    },
    codesOfMonth: {
      ...common,
      kind: 'volume',
      smsType: SmsType.Verification,
      period: 'month',
      unit: 'messages',
      // Set below to an almost used-up amount.
      alertAt: 1,
      limitAt: null,
    },
    delivered: {
      ...common,
      kind: 'quality',
      carrier: 'Globe',
      metric: 'delivered',
      bound: 9_700,
      windowMinutes: 60,
      minVolume: 200,
      graceSeconds: 600,
      act: 'alert',
    },
    pumping: { ...common, ...pumpingDefaults, kind: 'pumping', carrier: null, silenceMinutes: 0 },
    codes: {
      ...common,
      kind: 'frequency',
      smsType: SmsType.Verification,
      useState: 0,
      sameContentPer30s: 1,
      perMinute: null,
      perHour: 5,
      perDay: 10,
      exempt: ['639170000001'],
    },
  }) as const satisfies Record<string, RuleInput>;

export const seedThresholds = async (
  tx: pg.PoolClient,
  { customerId, userId, appId }: Shop,
  now: Date,
): Promise<void> => {
  const ids = new Map<string, string>();
  const defaults = rules(appId);
  const traffic = await listTraffic(tx, customerId, defaults.delivered, now);
  const { rule: delivered, turns } = chooseRule<QualityInput>(defaults.delivered, traffic, now);
  const { bound } = delivered;
  const written = { ...defaults, delivered };
  for (const [name, rule] of Object.entries(written)) {
    const thresholdId = await insertRule(tx, customerId, rule, { userId });
    await run(
      tx,
      sql`update threshold set created_at = ${new Date(now.getTime() - ruleDays * dayMs)}, updated_at = ${new Date(now.getTime() - 12 * dayMs)}
          where threshold_id = ${thresholdId}`,
    );
    ids.set(name, thresholdId);
  }
  await countPresentPeriods(tx, customerId, ids, now);
  await passAlert(tx, ids.get('codesOfMonth') ?? '');
  const event = (
    name: string,
    at: Date,
    kind: 'alert' | 'over' | 'refused',
    value: number,
    bound: number,
    amount?: number,
  ) =>
    insertRuleEvent(tx, {
      customerId,
      thresholdId: ids.get(name) ?? '',
      kind,
      value,
      bound,
      amount: amount ?? null,
      notified: kind !== 'over',
      userId: null,
      at,
    });
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  await event('codes', ago(20 * dayMs), 'refused', 14, 1);
  await event('codes', ago(13 * dayMs), 'refused', 3, 1);
  await seedPumpingAlarm(tx, { customerId, appId, thresholdId: ids.get('pumping') ?? '' }, ago(9 * dayMs));
  for (const { kind, at, value, volume } of turns) await event('delivered', at, kind, value, bound, volume);
  const alerts = turns
    .filter(({ kind }) => kind === 'alert')
    .map(({ at, value, volume }) => ({ at, value, bound, amount: volume }));
  await seedNotices(tx, { customerId, userId }, { thresholdId: ids.get('delivered') ?? '', alerts }, now);
};

/** An alarm that is over, so that its history shows what it names. */
async function seedPumpingAlarm(
  tx: pg.PoolClient,
  { customerId, appId, thresholdId }: { customerId: string; appId: string; thresholdId: string },
  at: Date,
): Promise<void> {
  const { appName } = await one<{ appName: string }>(
    tx,
    sql`select app_name as "appName" from application where customer_id = ${customerId} and app_id = ${appId}`,
  );
  const facts = { appId, appName, signal: 'sequence' as const, key: '639171', usual: 2 };
  const of = { customerId, thresholdId, userId: null, facts };
  const overAt = new Date(at.getTime() + hourMs);
  await insertRuleEvent(tx, { ...of, kind: 'alert', value: 86, bound: 20, amount: 164, notified: true, at });
  await insertRuleEvent(tx, { ...of, kind: 'over', value: 21, bound: 100, amount: 21, notified: false, at: overAt });
}

interface Turn {
  kind: 'alert' | 'over';
  at: Date;
  value: number;
  volume: number;
}

type QualityInput = Extract<RuleInput, { kind: 'quality' }>;

const listTraffic = (tx: pg.PoolClient, customerId: string, rule: QualityInput, now: Date): Promise<QualityBucket[]> =>
  listQualityBuckets(tx, { customerId, ...rule }, new Date(now.getTime() - ruleDays * dayMs));

/**
 * Returns the rule with the largest least volume, and of those with the lowest bound, that began to fire in the last
 * days, and when it did: in some weeks no hour of many messages is worse than the one before it.
 */
function chooseRule<Rule extends QualityInput>(
  rule: Rule,
  traffic: readonly QualityBucket[],
  now: Date,
): { rule: Rule; turns: Turn[] } {
  const since = now.getTime() - shownDays * dayMs;
  for (const minVolume of leastVolumes)
    for (let bound = boundStep; bound <= 10_000; bound += boundStep) {
      const chosen = { ...rule, bound, minVolume };
      const turns = turnsOf(chosen, traffic, now);
      if (turns.some(({ kind, at }) => kind === 'alert' && at.getTime() > since)) return { rule: chosen, turns };
    }
  return { rule, turns: turnsOf(rule, traffic, now) };
}

/** Returns when a quality rule began and stopped firing, based on recorded traffic, like the forecast in its drawer. */
function turnsOf(rule: QualityInput, traffic: readonly QualityBucket[], now: Date): Turn[] {
  const graceMs = rule.graceSeconds * 1000;
  const [from, to] = [now.getTime() - ruleDays * dayMs, now.getTime() - graceMs].map((ms) => Math.floor(ms / bucketMs));
  return [...judgeWindows(rule, traffic, from ?? 0, to ?? 0)]
    .filter(({ isTurn }) => isTurn)
    .map(({ at, verdict, value, volume }) => ({
      kind: verdict === 'outside' ? 'alert' : 'over',
      at: new Date(at * bucketMs + graceMs),
      value,
      volume,
    }));
}

/** What the present day and month have taken, as it is on record. */
async function countPresentPeriods(
  tx: pg.PoolClient,
  customerId: string,
  ids: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  for (const [name, period, column, smsType] of [
    ['daily', 'day', 'req_total', null],
    ['budget', 'month', 'charged', null],
    ['codesOfMonth', 'month', 'req_total', SmsType.Verification],
  ] as const)
    await run(
      tx,
      sql`insert into volume_count (customer_id, threshold_id, period_start, used)
          select ${customerId}::uuid, ${ids.get(name)}::uuid, p.start, coalesce(sum(${sql.ref(column)}), 0)
          from (select date_trunc(${period}, ${now}::timestamptz at time zone 'Asia/Manila') at time zone 'Asia/Manila' as start) p
          left join report_minute r on r.customer_id = ${customerId} and r.minute >= p.start
            and (${smsType}::int is null or r.sms_type = ${smsType})
          group by p.start`,
    );
}

/** Marks an alert as already notified, so that a gauge past its mark is visible. */
async function passAlert(tx: pg.PoolClient, thresholdId: string): Promise<void> {
  await run(
    tx,
    sql`update threshold t set alert_at = greatest(1, v.used * 9 / 10), alerted_period = v.period_start
        from volume_count v where v.threshold_id = t.threshold_id and v.customer_id = t.customer_id
          and t.threshold_id = ${thresholdId}`,
  );
}

async function seedNotices(
  tx: pg.PoolClient,
  { customerId, userId }: Pick<Shop, 'customerId' | 'userId'>,
  {
    thresholdId,
    alerts,
  }: { thresholdId: string; alerts: readonly { at: Date; value: number; bound: number; amount: number }[] },
  now: Date,
): Promise<void> {
  const notifyListeners = <K extends NoticeKind>(kind: K, params: NoticeParams[K], agoMs: number, read: boolean) => {
    const at = new Date(now.getTime() - agoMs);
    return run(
      tx,
      sql`insert into notice (notice_id, customer_id, user_id, kind, params, created_at, read_at)
          values (${uuidV7(at.getTime())}, ${customerId}, ${userId}, ${kind}, ${JSON.stringify(params)}::jsonb, ${at},
                  ${read ? new Date(at.getTime() + hourMs) : null}::timestamptz)`,
    );
  };
  const alert = {
    thresholdId,
    of: 'quality',
    event: 'alert',
    measure: 'delivered',
    period: null,
    windowMinutes: 60,
    appId: null,
    carrier: 'Globe',
    paused: 0,
  } as const;
  for (const [index, { at, ...measured }] of alerts.entries())
    await notifyListeners(
      'thresholdAlert',
      { ...alert, ...measured },
      now.getTime() - at.getTime(),
      index < alerts.length - 1,
    );
  const ended = await many<{
    taskId: string;
    taskName: string;
    total: number;
    success: number;
    failed: number;
    at: Date;
  }>(
    tx,
    sql`select t.task_id as "taskId", t.task_name as "taskName", t.total_count as total, t.ended_at as at,
          coalesce(sum(p.success_count), 0)::int as success, coalesce(sum(p.failed_count), 0)::int as failed
        from task t left join task_progress p on p.task_id = t.task_id
        where t.customer_id = ${customerId} and t.task_status = ${TaskStatus.Completed} and t.ended_at is not null
        group by t.task_id order by t.ended_at desc limit 4`,
  );
  for (const [index, { at, ...task }] of ended.entries())
    await notifyListeners(
      'taskEnded',
      { ...task, taskStatus: TaskStatus.Completed, reason: null },
      Math.max(0, now.getTime() - at.getTime()),
      index > 1,
    );
}
