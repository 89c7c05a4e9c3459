/**
 * How well messages arrive. Rates are of the requests with a response: accepted by a carrier or refused. Messages
 * refused by the carrier, or on the handset, failed; a receipt that never came is unknown.
 */

export type QualityMetric = 'delivered' | 'failed' | 'unknown' | 'delay';

export interface QualitySums {
  readonly accepted: number;
  readonly refused: number;
  readonly delivered: number;
  readonly undelivered: number;
  readonly unknown: number;
}

export interface Measured {
  /** 1/100 %, or seconds. */
  readonly value: number;
  /** Messages that it was taken of. */
  readonly volume: number;
}

const hundredthsOfPercent = 10_000;

/** Null if there is nothing to measure. Not for the delay, which sums of counts do not show. */
export const measureRate = (metric: Exclude<QualityMetric, 'delay'>, sums: QualitySums): Measured | null => {
  const volume = sums.accepted + sums.refused;
  if (volume === 0) return null;
  const part = { delivered: sums.delivered, failed: sums.refused + sums.undelivered, unknown: sums.unknown }[metric];
  return { value: Math.round((part / volume) * hundredthsOfPercent), volume };
};

export interface QualityRule {
  readonly metric: QualityMetric;
  /** 1/100 %, or seconds. */
  readonly bound: number;
  readonly minVolume: number;
}

export type QualityVerdict = 'tooFew' | 'within' | 'outside';

/** The delivered rate is out of bounds below its bound, the others above it; at the bound all are within bounds. */
export const judgeQuality = ({ metric, bound, minVolume }: QualityRule, measured: Measured | null): QualityVerdict => {
  if (measured === null || measured.volume < minVolume) return 'tooFew';
  const isOutside = metric === 'delivered' ? measured.value < bound : measured.value > bound;
  return isOutside ? 'outside' : 'within';
};

/** Five minutes of traffic. */
export interface QualityBucket extends QualitySums {
  /** Index of the five minutes. */
  readonly at: number;
  /** Sum of delays, seconds, and the messages that they were taken of. */
  readonly delaySum: number;
  readonly delayCount: number;
}

export interface QualityForecast {
  /** Times at which it would have begun to fire. */
  readonly alerts: number;
  readonly peak: number | null;
  /** Index of the five minutes. */
  readonly peakAt: number | null;
}

export interface JudgedWindow extends Measured {
  /** Index of the five minutes it ends with. */
  readonly at: number;
  readonly verdict: 'within' | 'outside';
  /** The previously judged one was on the other side, or this is the first and out of bounds. */
  readonly isTurn: boolean;
}

/**
 * Slides the window over past traffic in steps of five minutes, from `from` to `to` (indexes, inclusive); windows with
 * too little to judge are skipped: a quiet night neither begins an alert nor ends one.
 */
export function* judgeWindows(
  rule: QualityRule & { readonly windowMinutes: number },
  buckets: readonly QualityBucket[],
  from: number,
  to: number,
): Generator<JudgedWindow> {
  const width = Math.max(1, Math.ceil(rule.windowMinutes / 5));
  const byIndex = new Map(buckets.map((bucket) => [bucket.at, bucket]));
  const window = { accepted: 0, refused: 0, delivered: 0, undelivered: 0, unknown: 0, delaySum: 0, delayCount: 0 };
  const move = (bucket: QualityBucket | undefined, sign: 1 | -1): void => {
    if (bucket === undefined) return;
    for (const key of Object.keys(window) as (keyof typeof window)[]) window[key] += sign * bucket[key];
  };
  let isFiring = false;
  const first = from - width + 1;
  for (let at = first; at <= to; at += 1) {
    move(byIndex.get(at), 1);
    // What is older than the first window never was in it.
    if (at - width >= first) move(byIndex.get(at - width), -1);
    if (at < from) continue;
    const measured = measureWindow(rule.metric, window);
    const verdict = judgeQuality(rule, measured);
    if (verdict === 'tooFew' || measured === null) continue;
    const isOutside = verdict === 'outside';
    yield { ...measured, at, verdict, isTurn: isOutside !== isFiring };
    isFiring = isOutside;
  }
}

/**
 * How often the rule would have begun to fire from `from` to `to`, and the worst that it would have seen. Windows from
 * `start` to `from` only say whether it was firing already. Indexes of five minutes.
 */
export const forecastQuality = (
  rule: QualityRule & { readonly windowMinutes: number },
  buckets: readonly QualityBucket[],
  { start, from, to }: { start?: number; from: number; to: number },
): QualityForecast => {
  let alerts = 0;
  let peak: number | null = null;
  let peakAt: number | null = null;
  for (const { at, value, verdict, isTurn } of judgeWindows(rule, buckets, start ?? from, to)) {
    if (at < from) continue;
    if (verdict === 'outside' && isTurn) alerts += 1;
    const isWorse = peak === null || (rule.metric === 'delivered' ? value < peak : value > peak);
    if (isWorse) [peak, peakAt] = [value, at];
  }
  return { alerts, peak, peakAt };
};

const measureWindow = (
  metric: QualityMetric,
  window: QualitySums & { delaySum: number; delayCount: number },
): Measured | null => {
  if (metric !== 'delay') return measureRate(metric, window);
  return window.delayCount === 0
    ? null
    : { value: Math.round(window.delaySum / window.delayCount), volume: window.delayCount };
};
