/** Between a rule and the fields of its form. */
import { pumpingDefaults, type Threshold, type ThresholdInput } from '@pahatid/contract';
import { moneyPerPeso } from '@pahatid/domain';
import type { TypedNumbers } from '../../lib/format/typed-numbers.ts';

export interface RuleValues {
  kind: ThresholdInput['kind'];
  appId: string | null;
  areaCode: string | null;
  carrier: ThresholdInput['carrier'];
  smsType: ThresholdInput['smsType'];
  period: 'hour' | 'day' | 'month';
  unit: 'messages' | 'segments' | 'cost';
  /** Counts or pesos, as typed. */
  alertAt: string;
  limitAt: string;
  metric: 'delivered' | 'failed' | 'unknown' | 'delay';
  /** Percent or seconds, as typed. */
  bound: string;
  windowMinutes: number | null;
  minVolume: number | null;
  graceMinutes: number | null;
  act: NonNullable<Threshold['act']>;
  factor: number | null;
  /** Messages per minute. */
  slowTo: number | null;
  sameContentPer30s: number | null;
  perMinute: number | null;
  perHour: number | null;
  perDay: number | null;
  /** One a line. */
  exempt: string;
  emails: string;
  mobileNumbers: string;
  webhooks: string;
  silenceMinutes: number | null;
}

export const emptyRule: RuleValues = {
  kind: 'volume',
  appId: null,
  areaCode: null,
  carrier: null,
  smsType: null,
  period: 'day',
  unit: 'messages',
  alertAt: '',
  limitAt: '',
  metric: 'delivered',
  bound: '90',
  windowMinutes: 60,
  minVolume: 100,
  graceMinutes: 5,
  act: 'alert',
  factor: pumpingDefaults.factor,
  slowTo: pumpingDefaults.slowTo,
  sameContentPer30s: null,
  perMinute: null,
  perHour: null,
  perDay: null,
  exempt: '',
  emails: '',
  mobileNumbers: '',
  webhooks: '',
  silenceMinutes: 60,
};

const written = (unit: string | null, amount: number | null, numbers: TypedNumbers): string => {
  if (amount === null) return '';
  return unit === 'cost' ? numbers.write(amount / moneyPerPeso) : String(amount);
};

const plus = (digits: readonly string[]): string => digits.map((each) => `+${each}`).join('\n');

export const valuesOf = (rule: Threshold, numbers: TypedNumbers): RuleValues => ({
  kind: rule.kind,
  appId: rule.appId,
  areaCode: rule.areaCode,
  carrier: rule.carrier as RuleValues['carrier'],
  smsType: rule.smsType,
  period: rule.period ?? emptyRule.period,
  unit: rule.unit ?? emptyRule.unit,
  alertAt: written(rule.unit, rule.alertAt, numbers),
  limitAt: written(rule.unit, rule.limitAt, numbers),
  metric: rule.metric ?? emptyRule.metric,
  bound: rule.bound === null ? emptyRule.bound : numbers.write(rule.metric === 'delay' ? rule.bound : rule.bound / 100),
  windowMinutes: rule.windowMinutes ?? emptyRule.windowMinutes,
  minVolume: rule.minVolume ?? emptyRule.minVolume,
  graceMinutes: rule.graceSeconds === null ? emptyRule.graceMinutes : Math.round(rule.graceSeconds / 60),
  act: rule.act ?? emptyRule.act,
  factor: rule.factor ?? emptyRule.factor,
  slowTo: rule.slowTo ?? emptyRule.slowTo,
  sameContentPer30s: rule.sameContentPer30s,
  perMinute: rule.perMinute,
  perHour: rule.perHour,
  perDay: rule.perDay,
  exempt: plus(rule.exempt),
  emails: rule.emails.join('\n'),
  mobileNumbers: plus(rule.mobileNumbers),
  webhooks: rule.webhooks.join('\n'),
  silenceMinutes: rule.silenceMinutes,
});

/** Undefined: no amount; null: nothing was entered. */
export const readAmount = (
  unit: RuleValues['unit'],
  text: string,
  numbers: TypedNumbers,
): number | null | undefined => {
  if (text.trim() === '') return null;
  if (unit === 'cost') return numbers.money(text) ?? undefined;
  const digits = numbers.plain(text);
  return /^\d{1,12}$/.test(digits) ? Number(digits) : undefined;
};

/** In 1/100 % or seconds; undefined: neither. */
export const readBound = (metric: RuleValues['metric'], text: string, numbers: TypedNumbers): number | undefined => {
  const typed = numbers.plain(text);
  if (metric === 'delay') {
    const seconds = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
    return seconds >= 1 && seconds <= 86_400 ? seconds : undefined;
  }
  // A percentage has no thousands, so a comma can only be its decimal sign.
  const hundredths = /^\d{1,3}(?:[.,]\d{1,2})?$/.test(typed) ? Math.round(Number(typed.replace(',', '.')) * 100) : 0;
  return hundredths >= 1 && hundredths <= 10_000 ? hundredths : undefined;
};

const lines = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const within = (value: number | null, least: number, most: number): value is number =>
  value !== null && value >= least && value <= most;

/** The rule that is written; null while there is none in the fields yet. */
export function ruleOf(values: RuleValues, numbers: TypedNumbers): ThresholdInput | null {
  const { kind, appId, areaCode, carrier, smsType, silenceMinutes } = values;
  if (!within(silenceMinutes, 0, 10_080)) return null;
  const common = {
    appId,
    areaCode,
    carrier,
    smsType,
    useState: 1 as const,
    emails: lines(values.emails),
    mobileNumbers: lines(values.mobileNumbers),
    // An address may have commas and semicolons in it.
    webhooks: values.webhooks.split(/\s+/).filter((url) => url !== ''),
    silenceMinutes,
  };
  if (kind === 'volume') {
    const { unit, period } = values;
    const alertAt = readAmount(unit, values.alertAt, numbers);
    const limitAt = readAmount(unit, values.limitAt, numbers);
    if (alertAt === undefined || limitAt === undefined || (alertAt === null && limitAt === null)) return null;
    if (alertAt !== null && (alertAt === 0 || (limitAt !== null && alertAt > limitAt))) return null;
    return { ...common, kind, period, unit, alertAt, limitAt };
  }
  if (kind === 'quality') {
    const { metric, act, windowMinutes, minVolume, graceMinutes } = values;
    const bound = readBound(metric, values.bound, numbers);
    if (bound === undefined || act === 'slow' || (act === 'pauseApplication' && appId === null)) return null;
    if (!within(windowMinutes, 5, 1_440) || !within(minVolume, 1, 1_000_000) || !within(graceMinutes, 0, 1_440))
      return null;
    return { ...common, kind, metric, bound, windowMinutes, minVolume, graceSeconds: graceMinutes * 60, act };
  }
  if (kind === 'pumping') {
    const { minVolume, factor, act, slowTo } = values;
    if (!within(minVolume, 1, 1_000_000) || !within(factor, 2, 100) || act === 'pauseTasks') return null;
    const wide = { ...common, areaCode: null, carrier: null, smsType: null };
    if (within(slowTo, 1, 100_000)) return { ...wide, kind, minVolume, factor, act, slowTo };
    return act === 'slow' ? null : { ...wide, kind, minVolume, factor, act, slowTo: pumpingDefaults.slowTo };
  }
  const { sameContentPer30s, perMinute, perHour, perDay } = values;
  if ((sameContentPer30s ?? perMinute ?? perHour ?? perDay) === null) return null;
  return { ...common, kind, sameContentPer30s, perMinute, perHour, perDay, exempt: lines(values.exempt) };
}

/** Returns the body of a change: the whole form, except whether the rule is in use. */
export function changeOf({ kind: _, useState: __, ...rule }: ThresholdInput) {
  return rule;
}

/** Returns a rule as input, for simulating it: the contacts are irrelevant there. */
export const inputOf = (rule: Threshold, numbers: TypedNumbers): ThresholdInput | null => {
  // Viewers see phones masked, and those exempt no phone.
  const exempt = rule.exempt.some((each) => each.includes('*')) ? '' : plus(rule.exempt);
  return ruleOf({ ...valuesOf(rule, numbers), emails: '', mobileNumbers: '', webhooks: '', exempt }, numbers);
};
