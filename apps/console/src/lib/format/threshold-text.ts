import type { Notice, Threshold, ThresholdEvent } from '@pahatid/contract';
import { isolate } from '../i18n/text-direction.ts';
import { useTexts } from '../i18n/text-store.ts';
import { type Text, useText } from '../i18n/use-text.tsx';
import { type Formats, useFormats } from './formats.ts';
import { regionName } from './regions.ts';

type Measure = Threshold['unit'] | Threshold['metric'];
type PumpingFacts = NonNullable<ThresholdEvent['pumping']>;
export type ThresholdAlert = Omit<Extract<Notice, { kind: 'thresholdAlert' }>['params'], 'thresholdId'>;

/** Decimal digits of 1/100 %, no more than needed. */
const digitsOf = (amount: number): number => (amount % 100 === 0 ? 0 : amount % 10 === 0 ? 1 : 2);

/** Money, percent, seconds, or a count with its noun. */
export function formatMeasure(measure: Measure, amount: number, t: Text, formats: Formats): string {
  if (measure === 'cost') return formats.money(amount);
  if (measure === 'delay') return t('thresholds.text.seconds', { count: amount });
  if (measure === 'messages' || measure === 'segments') return t(`thresholds.text.${measure}`, { count: amount });
  return measure === null ? formats.number(amount) : formats.percent(amount / 10_000, digitsOf(amount));
}

/** What a rate or a delay was measured of, and in which time; the value alone where that is not known. */
export function formatMeasured(
  { measure, value, amount, windowMinutes }: Pick<ThresholdAlert, 'measure' | 'value' | 'amount' | 'windowMinutes'>,
  t: Text,
  formats: Formats,
): string {
  const figure = formatMeasure(measure, value, t, formats);
  if (amount == null || windowMinutes == null) return figure;
  const isHours = windowMinutes % 60 === 0;
  const window = t(isHours ? 'notices.alert.hours' : 'notices.alert.minutes', {
    count: isHours ? windowMinutes / 60 : windowMinutes,
  });
  return t('notices.alert.measured', { value: figure, count: amount, window });
}

/** What was unusual about an application's traffic, and what is usual. */
export function formatPumping(
  { signal, key, usual }: PumpingFacts,
  value: number,
  { t, formats, locale }: { t: Text; formats: Formats; locale: string },
): string {
  const write = (amount: number): string =>
    signal === 'conversion' ? formatMeasure('delivered', amount, t, formats) : formats.number(amount);
  const range = signal === 'country' ? regionName(locale, key) : `+${key}…`;
  const what = t(`thresholds.pumping.${signal === 'country' ? 'prefix' : signal}`, { key: range, value: write(value) });
  const usually = usual === null ? t('thresholds.pumping.new') : t('thresholds.pumping.usual', { value: write(usual) });
  return [what, usually].join(' · ');
}

export function formatVolumeRule(period: Threshold['period'], amount: string, t: Text): string {
  return t(`thresholds.text.volume.${period ?? 'day'}`, { amount });
}

export function formatQualityRule(metric: Threshold['metric'], bound: number, t: Text, formats: Formats): string {
  return t(metric === 'delivered' ? 'thresholds.text.quality.below' : 'thresholds.text.quality.above', {
    metric: t(`thresholds.metric.${metric ?? 'delivered'}`),
    bound: formatMeasure(metric, bound, t, formats),
  });
}

/** Returns the title of an alert (the rule and what it applies to) and its text (the value that was measured). */
export function useThresholdAlertText(): (alert: ThresholdAlert) => { title: string; text: string } {
  const t = useText();
  const formats = useFormats();
  const { dir, locale } = useTexts();

  const scopeOf = ({ appId, appName, areaCode, carrier, smsType }: ThresholdAlert): string => {
    const application = appName ?? appId;
    const parts = [
      application === null ? null : t('notices.alert.application', { name: application }),
      areaCode == null ? null : (t.maybe(`thresholds.area.${areaCode}`) ?? areaCode),
      carrier ?? null,
      smsType == null ? null : t(`thresholds.smsType.${smsType}`),
    ].filter((part) => part !== null);
    return parts.map((part) => isolate({ part }, dir).part).join(' · ') || t('notices.alert.all');
  };

  const titleOf = (alert: ThresholdAlert): string => {
    const scope = scopeOf(alert);
    if (alert.event === 'refused' || alert.of === 'frequency') return t('notices.alert.refused', { scope });
    const { measure, period, bound, event } = alert;
    if (alert.pumping) return t('notices.alert.pumping', { scope: scopeOf({ ...alert, ...alert.pumping }) });
    const isVolume = alert.of === 'volume';
    const rule = isVolume
      ? formatVolumeRule(period, formatMeasure(measure, bound, t, formats), t)
      : formatQualityRule(measure as Threshold['metric'], bound, t, formats);
    if (event === 'pause') return t('notices.alert.pause', { rule, scope });
    if (!isVolume) return t('notices.alert.quality', { rule, scope });
    return t(event === 'limit' ? 'notices.alert.limit' : 'notices.alert.volume', { rule, scope });
  };

  const textOf = (alert: ThresholdAlert): string => {
    const { event } = alert;
    if (alert.event === 'refused' || alert.of === 'frequency')
      return t('notices.thresholdAlert.refused', { count: alert.value });
    if (alert.pumping) {
      const facts = formatPumping(alert.pumping, alert.value, { t, formats, locale });
      return event === 'alert' ? facts : `${t(`thresholds.event.${event}`)} · ${facts}`;
    }
    const value =
      alert.of === 'volume'
        ? t(`notices.alert.used.${alert.period ?? 'day'}`, {
            value: formatMeasure(alert.measure, alert.value, t, formats),
          })
        : formatMeasured(alert, t, formats);
    if (alert.paused === 0) return value;
    return `${value} · ${t('notices.alert.paused', { count: alert.paused })}`;
  };

  return (alert) => ({ title: titleOf(alert), text: textOf(alert) });
}
