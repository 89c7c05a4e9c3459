/**
 * Signs of SMS pumping: bots make an application send to numbers that earn money for receiving. What an application
 * sent in a window is compared with its own past: how much went to one range of numbers, to one country, to consecutive
 * numbers, to the same numbers again, and which share of its codes was used.
 */

/** The window in which messages are counted, of the past as well. */
export const pumpingWindowMinutes = 15;
/** Days of the past that are compared with. */
export const pumpingPastDays = 7;
/** An alarm is over once there was no sign for this long. */
export const pumpingQuietMinutes = 30;
/** A number with fewer messages in the window is not a repeated one. */
export const repeatedFrom = 5;
/** Numbers that are at most this far apart are consecutive. */
export const consecutiveGap = 3;
/** Codes are compared once they are so old: until then they may still be entered. */
export const codeGraceMinutes = 10;

export const PumpingSignal = {
  prefix: 'prefix',
  country: 'country',
  sequence: 'sequence',
  repeats: 'repeats',
  conversion: 'conversion',
} as const;
export type PumpingSignal = (typeof PumpingSignal)[keyof typeof PumpingSignal];

export interface PumpingRule {
  /** With fewer messages of the application in the window, there is no alarm. */
  readonly minVolume: number;
  /** How many times the usual number is unusual. */
  readonly factor: number;
}

export interface PumpingCount {
  readonly signal: Exclude<PumpingSignal, 'conversion'>;
  /** First digits of the numbers, or the country; empty for repeated numbers. */
  readonly key: string;
  /** Messages, or for a sequence its numbers. */
  readonly value: number;
  /** Of the busiest window on the second busiest day of the past. */
  readonly usual: number;
}

/** Codes of which it is known whether they were used. */
export interface CodeUse {
  readonly sent: number;
  readonly used: number;
}

/** One application's traffic in a window, without that of tasks. */
export interface PumpingWindow {
  readonly messages: number;
  readonly usualMessages: number;
  /** It has sent on two of the past days at least, so that there is something to compare with. */
  readonly isKnown: boolean;
  readonly counts: readonly PumpingCount[];
  readonly codes: CodeUse;
  readonly usualCodes: CodeUse;
}

export interface PumpingFinding {
  readonly signal: PumpingSignal;
  readonly key: string;
  /** Messages or numbers; of a conversion 1/100 %. */
  readonly value: number;
  /** From which value on (of a conversion: below which) it is an alarm. */
  readonly bound: number;
  /** Null: the application is new. */
  readonly usual: number | null;
}

/** As one range's traffic may grow with all other traffic of its application, at most. */
const mostGrowth = 3;
/** The first country of a new application takes all of its traffic, so this many times the floor of a range. */
const newCountryFactor = 10;
/** A run of so many numbers is no coincidence. */
const leastRun = 10;
const runShare = 5;
/** An application that reports fewer used codes does not report them reliably. */
const leastConversion = 2_000;
const hundredthsOfPercent = 10_000;

/** The second largest of the days, so that one day of abuse does not become usual. */
export const usualOf = (days: readonly number[]): number => [...days].sort((a, b) => b - a)[1] ?? 0;

/** The day with the middle share, for the same reason. */
export const usualCodesOf = (days: readonly CodeUse[]): CodeUse => {
  const sent = days.filter((day) => day.sent > 0).sort((a, b) => a.used / a.sent - b.used / b.sent);
  return sent[Math.floor(sent.length / 2)] ?? { sent: 0, used: 0 };
};

/** Whether a count can raise any bound of the rule later: smaller ones need not be stored. */
export const isWorthKeeping = (
  { minVolume, factor }: PumpingRule,
  { signal, value }: Pick<PumpingCount, 'signal' | 'value'>,
): boolean => value * factor * mostGrowth >= leastOf(signal, minVolume);

/** The messages from which on an application's window is looked at, though it is below the floor, for its past. */
export const leastWatched = ({ minVolume, factor }: PumpingRule): number =>
  Math.ceil(minVolume / (factor * mostGrowth));

/** The strongest sign; null: there is none. */
export const judgePumping = (rule: PumpingRule, window: PumpingWindow): PumpingFinding | null => {
  const found: { readonly finding: PumpingFinding; readonly strength: number }[] = [];
  if (window.messages >= rule.minVolume)
    for (const count of window.counts) {
      const bound = boundOf(rule, window, count);
      const { signal, key, value } = count;
      if (value >= bound)
        found.push({
          finding: { signal, key, value, bound, usual: window.isKnown ? count.usual : null },
          strength: value / bound,
        });
    }
  const conversion = judgeConversion(rule, window);
  if (conversion !== null)
    found.push({ finding: conversion, strength: conversion.bound / Math.max(1, conversion.value) });
  return (
    found.reduce<(typeof found)[number] | null>(
      (most, each) => (most === null || each.strength > most.strength ? each : most),
      null,
    )?.finding ?? null
  );
};

const leastOf = (signal: PumpingCount['signal'], minVolume: number): number =>
  signal === PumpingSignal.sequence ? Math.max(leastRun, Math.ceil(minVolume / runShare)) : minVolume;

const boundOf = (
  { minVolume, factor }: PumpingRule,
  { messages, usualMessages, isKnown }: PumpingWindow,
  { signal, value, usual }: PumpingCount,
): number => {
  const least = leastOf(signal, minVolume);
  if (signal === PumpingSignal.sequence) return Math.max(least, Math.ceil(usual * factor));
  if (!isKnown) return least * factor * (signal === PumpingSignal.country ? newCountryFactor : 1);
  // A busy day is busy everywhere: what grows with everything else of the application is not unusual.
  const [others, usualOthers] = [messages - value, usualMessages - usual];
  const growth = usualOthers > 0 ? Math.min(mostGrowth, Math.max(1, others / usualOthers)) : 1;
  return Math.max(least, Math.ceil(usual * growth * factor));
};

const judgeConversion = ({ minVolume }: PumpingRule, { codes, usualCodes }: PumpingWindow): PumpingFinding | null => {
  if (codes.sent < minVolume || usualCodes.sent < minVolume) return null;
  const [value, usual] = [shareOf(codes), shareOf(usualCodes)];
  const bound = Math.floor(usual / 2);
  if (usual < leastConversion || value >= bound) return null;
  return { signal: PumpingSignal.conversion, key: '', value, bound, usual };
};

const shareOf = ({ sent, used }: CodeUse): number => Math.round((used / sent) * hundredthsOfPercent);
