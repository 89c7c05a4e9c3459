/** Maximum messages, segments or pesos of a customer in a minute, an hour, a day or a month of the Manila calendar. */
import { isInScope, type LimitScope, type LimitSubject } from './limit-scope.ts';

/** A minute is for applications that are slowed. */
export type VolumePeriod = 'minute' | 'hour' | 'day' | 'month';
export type VolumeUnit = 'messages' | 'segments' | 'cost';

export interface VolumeLimit extends LimitScope {
  readonly period: VolumePeriod;
  readonly unit: VolumeUnit;
  /** Messages, segments, or 1/10,000 PHP. */
  readonly limitAt: number;
  /** Tasks are not counted. */
  readonly apiOnly?: boolean;
}

/** Messages about to be accepted. */
export interface VolumeCandidate extends LimitSubject {
  readonly atMs: number;
  readonly segments: number;
  /** 1/10,000 PHP. */
  readonly cost: number;
}

export type VolumeVerdict =
  /** `uses`: by limit, the amount used of each limit whose scope it is in. */
  | { readonly allowed: true; readonly uses: ReadonlyMap<string, number> }
  | {
      readonly allowed: false;
      readonly thresholdId: string;
      /** When the period ends, Unix milliseconds. */
      readonly retryAtMs: number;
    };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Manila is UTC+8 the whole year. */
const manilaOffsetMs = 8 * hourMs;

/** When the period that holds an instant began, Unix milliseconds. */
export const volumePeriodStart = (unixMs: number, period: VolumePeriod): number => {
  if (period === 'minute') return unixMs - (unixMs % minuteMs);
  const local = new Date(unixMs + manilaOffsetMs);
  if (period === 'hour') local.setUTCMinutes(0, 0, 0);
  else local.setUTCHours(0, 0, 0, 0);
  if (period === 'month') local.setUTCDate(1);
  return local.getTime() - manilaOffsetMs;
};

/** When the period that holds an instant is over, Unix milliseconds. */
export const volumePeriodEnd = (unixMs: number, period: VolumePeriod): number => {
  const start = volumePeriodStart(unixMs, period);
  if (period === 'minute') return start + minuteMs;
  if (period === 'hour') return start + hourMs;
  if (period === 'day') return start + 24 * hourMs;
  const local = new Date(start + manilaOffsetMs);
  local.setUTCMonth(local.getUTCMonth() + 1);
  return local.getTime() - manilaOffsetMs;
};

const amountOf = (candidate: VolumeCandidate, unit: VolumeUnit): number => {
  if (unit === 'messages') return 1;
  return unit === 'segments' ? candidate.segments : candidate.cost;
};

/** `used`: by limit, the amount accepted in the period so far. If several limits refuse, the longest wait applies. */
export const decideVolume = (
  limits: readonly VolumeLimit[],
  used: ReadonlyMap<string, number>,
  candidate: VolumeCandidate,
): VolumeVerdict => {
  const uses = new Map<string, number>();
  let refusal: Extract<VolumeVerdict, { allowed: false }> | null = null;
  for (const limit of limits) {
    if (!isInScope(limit, candidate)) continue;
    const amount = amountOf(candidate, limit.unit);
    if ((used.get(limit.thresholdId) ?? 0) + amount <= limit.limitAt) {
      uses.set(limit.thresholdId, amount);
      continue;
    }
    const retryAtMs = volumePeriodEnd(candidate.atMs, limit.period);
    if (refusal === null || retryAtMs > refusal.retryAtMs)
      refusal = { allowed: false, thresholdId: limit.thresholdId, retryAtMs };
  }
  return refusal ?? { allowed: true, uses };
};
