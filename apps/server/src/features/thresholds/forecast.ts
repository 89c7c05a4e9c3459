/** How often a rule would have fired over the last 7 days, from the counts of that time. */
import type { ThresholdForecast, ThresholdInput } from '@pahatid/contract';
import type { RuleInput } from '@pahatid/db/queries/threshold-rules';
import {
  countTooFrequent,
  listDelayBuckets,
  listQualityBuckets,
  listVolumes,
  type RuleScope,
} from '@pahatid/db/queries/threshold-watching';
import { forecastQuality, stageOfVolume } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { forecastPumping } from './forecast-pumping.ts';

const days = 7;
/** Days before those, read to know whether the rule was firing already when they began. */
const leadDays = 7;
const dayMs = 86_400_000;
const bucketMs = 300_000;
/** Maximum number of messages read individually. */
const messagesAtMost = 100_000;

export function forecastRule(
  tx: PoolClient,
  customerId: string,
  rule: RuleInput,
  now: Date,
): Promise<ThresholdForecast> {
  const { appId, areaCode, carrier, smsType } = rule;
  const scope = { customerId, appId, areaCode, carrier, smsType };
  if (rule.kind === 'volume') return forecastVolume(tx, scope, rule, now);
  if (rule.kind === 'quality') return forecastQualityRule(tx, scope, rule, now);
  if (rule.kind === 'pumping') return forecastPumping(tx, scope, rule, now);
  return forecastFrequency(tx, scope, rule, now);
}

type Of<K extends ThresholdInput['kind']> = Extract<ThresholdInput, { kind: K }>;

async function forecastVolume(
  tx: PoolClient,
  scope: RuleScope,
  rule: Of<'volume'>,
  now: Date,
): Promise<ThresholdForecast> {
  const points = await listVolumes(tx, scope, rule.period, new Date(now.getTime() - days * dayMs));
  const stages = points.map((point) => stageOfVolume(rule, point[rule.unit], false));
  const peak = points.reduce<(typeof points)[number] | null>(
    (most, point) => (most === null || point[rule.unit] > most[rule.unit] ? point : most),
    null,
  );
  return {
    periods: { hour: days * 24, day: days, month: points.length }[rule.period],
    alerts: rule.alertAt === null ? 0 : points.filter((point) => point[rule.unit] >= (rule.alertAt ?? 0)).length,
    limits: stages.filter((stage) => stage === 'limit').length,
    peak: peak?.[rule.unit] ?? null,
    peakTime: peak?.start.toISOString() ?? null,
    messages: points.reduce((sum, { messages }) => sum + messages, 0),
    partial: false,
  };
}

async function forecastQualityRule(
  tx: PoolClient,
  scope: RuleScope,
  rule: Of<'quality'>,
  now: Date,
): Promise<ThresholdForecast> {
  const fromMs = now.getTime() - days * dayMs;
  const graceMs = rule.graceSeconds * 1000;
  const reach = new Date(fromMs - graceMs - leadDays * dayMs);
  const until = new Date(now.getTime() - graceMs);
  const buckets =
    rule.metric === 'delay'
      ? await listDelayBuckets(tx, scope, reach, until, messagesAtMost)
      : await listQualityBuckets(tx, scope, reach);
  const at = (ms: number): number => Math.floor(ms / bucketMs);
  const { alerts, peak, peakAt } = forecastQuality(rule, buckets, {
    start: at(reach.getTime() + rule.windowMinutes * 60_000) + 1,
    from: at(fromMs - graceMs) + 1,
    to: at(until.getTime()),
  });
  const messages = buckets
    .filter((bucket) => bucket.at >= at(fromMs))
    .reduce((sum, bucket) => sum + bucket.accepted + bucket.refused + bucket.delayCount, 0);
  return {
    periods: days,
    alerts,
    limits: 0,
    peak,
    peakTime: peakAt === null ? null : new Date(peakAt * bucketMs).toISOString(),
    messages,
    partial: rule.metric === 'delay' && messages >= messagesAtMost,
  };
}

async function forecastFrequency(
  tx: PoolClient,
  scope: RuleScope,
  rule: Of<'frequency'>,
  now: Date,
): Promise<ThresholdForecast> {
  const from = new Date(now.getTime() - days * dayMs);
  const counts = await countTooFrequent(tx, scope, rule, from, messagesAtMost);
  return {
    periods: days,
    alerts: counts.days,
    limits: counts.held,
    peak: counts.messages === 0 ? null : counts.peak,
    peakTime: counts.peakTime?.toISOString() ?? null,
    messages: counts.messages,
    partial: counts.messages >= messagesAtMost,
  };
}
