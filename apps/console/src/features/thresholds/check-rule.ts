import type { TypedNumbers } from '../../lib/format/typed-numbers.ts';
import type { Text } from '../../lib/i18n/use-text.tsx';
import type { FieldErrors } from '../../ui/form/use-form.ts';
import { perPhoneFields } from './rule-text.ts';
import { type RuleValues, readAmount, readBound } from './rule-values.ts';

const outside = (value: number | null, least: number, most: number): boolean =>
  value === null || value < least || value > most;

/** Returns the first error text of each field. */
export function checkRule(values: RuleValues, t: Text, numbers: TypedNumbers): FieldErrors<RuleValues> {
  const own = { volume: checkVolume, quality: checkQuality, frequency: checkFrequency, pumping: checkPumping }[
    values.kind
  ](values, t, numbers);
  return {
    ...own,
    ...(outside(values.silenceMinutes, 0, 10_080) && { silenceMinutes: t('thresholds.silenceMinutes.wrong') }),
  };
}

function checkVolume({ unit, ...values }: RuleValues, t: Text, numbers: TypedNumbers): FieldErrors<RuleValues> {
  const alertAt = readAmount(unit, values.alertAt, numbers);
  const limitAt = readAmount(unit, values.limitAt, numbers);
  const wrong = t('thresholds.amount.wrong');
  return {
    ...(alertAt === null && limitAt === null && { limitAt: t('thresholds.amount.required') }),
    ...((limitAt === undefined || (limitAt ?? 0) < 0) && { limitAt: wrong }),
    ...((alertAt === undefined || (alertAt !== null && alertAt < 1)) && { alertAt: wrong }),
    ...(typeof alertAt === 'number' &&
      typeof limitAt === 'number' &&
      alertAt > limitAt && { alertAt: t('thresholds.amount.order', { limit: values.limitAt }) }),
  };
}

function checkQuality(values: RuleValues, t: Text, numbers: TypedNumbers): FieldErrors<RuleValues> {
  const isDelay = values.metric === 'delay';
  return {
    ...(readBound(values.metric, values.bound, numbers) === undefined && {
      bound: t(isDelay ? 'thresholds.bound.wrong.delay' : 'thresholds.bound.wrong.rate'),
    }),
    ...(outside(values.windowMinutes, 5, 1_440) && { windowMinutes: t('thresholds.windowMinutes.wrong') }),
    ...(outside(values.minVolume, 1, 1_000_000) && { minVolume: t('thresholds.minVolume.wrong') }),
    ...(outside(values.graceMinutes, 0, 1_440) && { graceMinutes: t('thresholds.graceMinutes.wrong') }),
    ...(values.act === 'pauseApplication' && values.appId === null && { appId: t('thresholds.act.application') }),
  };
}

function checkPumping(values: RuleValues, t: Text): FieldErrors<RuleValues> {
  const range = (least: number, most: number) => t('privacy.days.range', { least, most });
  return {
    ...(outside(values.minVolume, 1, 1_000_000) && { minVolume: t('thresholds.minVolume.wrong') }),
    ...(outside(values.factor, 2, 100) && { factor: range(2, 100) }),
    ...(values.act === 'slow' && outside(values.slowTo, 1, 100_000) && { slowTo: range(1, 100_000) }),
  };
}

const checkFrequency = (values: RuleValues, t: Text): FieldErrors<RuleValues> =>
  perPhoneFields.every((field) => values[field] === null) ? { perDay: t('thresholds.perPhone.wrong') } : {};
