import { moneyPerPeso } from '@pahatid/domain';
import type { Formats } from '../../lib/format/make-formats.ts';
import type { TypedNumbers } from '../../lib/format/typed-numbers.ts';
import type { Text } from '../../lib/i18n/use-text.tsx';
import { perPhoneFields } from './rule-text.ts';
import type { RuleValues } from './rule-values.ts';

type Name = keyof RuleValues;

/** Fields of a rule by the names that its form has for them. */
export const fieldLabels = (t: Text, metric: RuleValues['metric']): Partial<Record<Name, string>> => ({
  appId: t('thresholds.application'),
  smsType: t('thresholds.smsType'),
  carrier: t('thresholds.carrier'),
  areaCode: t('thresholds.areaCode'),
  period: t('thresholds.period'),
  unit: t('thresholds.unit'),
  alertAt: t('thresholds.alertAt'),
  limitAt: t('thresholds.limitAt'),
  metric: t('thresholds.metric'),
  bound: t(`thresholds.bound.${metric === 'delay' ? 'delay' : metric === 'delivered' ? 'below' : 'above'}`),
  windowMinutes: t('thresholds.windowMinutes'),
  minVolume: t('thresholds.minVolume'),
  graceMinutes: t('thresholds.graceMinutes'),
  factor: t('thresholds.factor'),
  act: t('thresholds.act'),
  slowTo: t('thresholds.slowTo'),
  ...Object.fromEntries(perPhoneFields.map((name) => [name, t(`thresholds.field.${name}`)])),
  exempt: t('thresholds.exempt'),
  emails: t('thresholds.emails'),
  mobileNumbers: t('thresholds.mobileNumbers'),
  webhooks: t('thresholds.webhooks'),
  silenceMinutes: t('thresholds.silenceMinutes'),
});

/** A value of the form as text; numbers that cannot be read stay as typed. */
export function fieldText(
  name: Name,
  values: RuleValues,
  { t, formats, numbers }: { t: Text; formats: Formats; numbers: TypedNumbers },
): string {
  if (name === 'alertAt' || name === 'limitAt') {
    const typed = values[name];
    const amount = numbers.money(typed);
    if (amount === null) return typed;
    return values.unit === 'cost' ? formats.money(amount) : formats.number(amount / moneyPerPeso);
  }
  if (name === 'period') return t(`thresholds.period.${values.period}`);
  if (name === 'unit') return t(`thresholds.unit.${values.unit}`);
  if (name === 'metric') return t(`thresholds.metric.${values.metric}`);
  if (name === 'act') return t(`thresholds.act.${values.act}`);
  if (name === 'smsType') return values.smsType === null ? '' : t(`thresholds.smsType.${values.smsType}`);
  return String(values[name] ?? '');
}
