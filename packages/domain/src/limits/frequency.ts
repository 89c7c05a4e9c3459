/**
 * Maximum messages to one number: with the same text within 30 seconds, and any within a minute, an hour and a day. The
 * windows slide: each looks back from the instant of the message.
 */
import { isInScope, type LimitScope, type LimitSubject } from './limit-scope.ts';

/** A number that is null sets no limit. */
export interface FrequencyLimit extends LimitScope {
  readonly sameContentPer30s: number | null;
  readonly perMinute: number | null;
  readonly perHour: number | null;
  readonly perDay: number | null;
  /** Numbers that it does not hold for, e.g. of the customer's own testers; digits only. */
  readonly exempt: readonly string[];
}

/** A message that this phone was sent before, or is about to be. */
export interface PastMessage extends LimitSubject {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly content: string;
}

export interface FrequencyCandidate extends PastMessage {
  readonly msisdn: string;
}

export type FrequencyWindow = 'sameContent' | 'minute' | 'hour' | 'day';

export type FrequencyVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly thresholdId: string;
      readonly window: FrequencyWindow;
      /** The first instant at which the same message would pass this window, Unix milliseconds. */
      readonly retryAtMs: number;
    };

/** How far back any window looks. */
export const frequencyReachMs = 86_400_000;
/** How far back the window of the same text looks. */
export const sameContentReachMs = 30_000;

const windowsOf = (limit: FrequencyLimit): [FrequencyWindow, number, number | null][] => [
  ['sameContent', sameContentReachMs, limit.sameContentPer30s],
  ['minute', 60_000, limit.perMinute],
  ['hour', 3_600_000, limit.perHour],
  ['day', frequencyReachMs, limit.perDay],
];

/** The message history of one number that a decision needs, for limits on the same messages. */
export interface FrequencyLookback extends Omit<LimitScope, 'thresholdId'> {
  /** The newest so many messages of this scope. */
  readonly newest: number;
  /** For each text the newest messages, up to this count, within 30 s: any number of others may lie between them. */
  readonly newestOfText: number;
}

/** Messages of another application or type do not count towards a limit, so each scope has a separate lookback. */
export const frequencyLookbacks = (limits: readonly FrequencyLimit[]): FrequencyLookback[] => {
  const byScope = Map.groupBy(limits, ({ appId, areaCode, carrier, smsType }) =>
    JSON.stringify([appId, areaCode, carrier, smsType]),
  );
  return [...byScope.values()].map((alike) => {
    const { appId, areaCode, carrier, smsType } = alike[0]!;
    return {
      appId,
      areaCode,
      carrier,
      smsType,
      newest: Math.max(
        0,
        ...alike.flatMap(({ perMinute, perHour, perDay }) => [perMinute ?? 0, perHour ?? 0, perDay ?? 0]),
      ),
      newestOfText: Math.max(0, ...alike.map(({ sameContentPer30s }) => sameContentPer30s ?? 0)),
    };
  });
};

/** `past`: what this phone was sent within the last day, in any order. Of several limits that refuse, the longest wait. */
export const decideFrequency = (
  limits: readonly FrequencyLimit[],
  past: readonly PastMessage[],
  candidate: FrequencyCandidate,
): FrequencyVerdict => {
  let verdict: FrequencyVerdict = { allowed: true };
  for (const limit of limits) {
    if (!isInScope(limit, candidate) || limit.exempt.includes(candidate.msisdn)) continue;
    const counted = past.filter((message) => isInScope(limit, message));
    for (const [window, lengthMs, most] of windowsOf(limit)) {
      if (most === null) continue;
      const times = counted
        .filter((message) => message.atMs > candidate.atMs - lengthMs)
        .filter((message) => window !== 'sameContent' || message.content === candidate.content)
        .map((message) => message.atMs)
        .sort((a, b) => b - a);
      if (times.length < most) continue;
      // It passes when the oldest of the newest `most` has left the window.
      const retryAtMs = (times[most - 1] ?? candidate.atMs) + lengthMs;
      if (verdict.allowed || retryAtMs > verdict.retryAtMs)
        verdict = { allowed: false, thresholdId: limit.thresholdId, window, retryAtMs };
    }
  }
  return verdict;
};
