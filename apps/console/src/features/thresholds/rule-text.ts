import { SmsType, type Threshold, type ThresholdEvent, type ThresholdInput } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import {
  formatMeasure,
  formatMeasured,
  formatPumping,
  formatQualityRule,
  formatVolumeRule,
} from '../../lib/format/threshold-text.ts';
import { isolate } from '../../lib/i18n/text-direction.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';

type Measure = Threshold['unit'] | Threshold['metric'];
/** Input of a rule's texts: a stored rule, or one being edited. */
export type RuleFacts = Pick<
  Threshold,
  | 'kind'
  | 'appId'
  | 'areaCode'
  | 'carrier'
  | 'smsType'
  | 'period'
  | 'unit'
  | 'alertAt'
  | 'limitAt'
  | 'metric'
  | 'bound'
  | 'minVolume'
  | 'factor'
  | 'sameContentPer30s'
  | 'perMinute'
  | 'perHour'
  | 'perDay'
>;

export const perPhoneFields = ['sameContentPer30s', 'perMinute', 'perHour', 'perDay'] as const;
export const smsTypes = Object.values(SmsType);

/** Texts of rules: summary, scope, and values in their unit. */
export function useRuleText() {
  const t = useText();
  const { locale } = useTexts();
  const formats = useFormats();

  const value = (measure: Measure, amount: number): string => formatMeasure(measure, amount, t, formats);

  const rule = (facts: RuleFacts): string => {
    if (facts.kind === 'volume')
      return formatVolumeRule(facts.period, value(facts.unit, facts.limitAt ?? facts.alertAt ?? 0), t);
    if (facts.kind === 'quality') return formatQualityRule(facts.metric, facts.bound ?? 0, t, formats);
    if (facts.kind === 'pumping')
      return t('thresholds.text.pumping', { factor: facts.factor ?? 0, volume: facts.minVolume ?? 0 });
    return formats.list(
      perPhoneFields
        .filter((field) => facts[field] !== null)
        .map((field) => t(`thresholds.text.${field}`, { count: facts[field] ?? 0 })),
    );
  };

  /** For small spaces: counts without their noun. */
  const short = (measure: Measure, amount: number): string =>
    measure === 'messages' || measure === 'segments' ? formats.number(amount) : value(measure, amount);

  /** A value with what it was measured of. */
  const measured = (
    { unit, metric, windowMinutes }: Threshold,
    { event, value: of, amount, pumping }: ThresholdEvent,
  ): string => {
    if (pumping !== null) {
      const application = pumping.appName ?? pumping.appId;
      if (event === 'over') return application;
      return [application, formatPumping(pumping, of ?? 0, { t, formats, locale })].join(' · ');
    }
    // Of a pause the amount is of tasks.
    const messages = event === 'pause' ? null : amount;
    return formatMeasured({ measure: unit ?? metric, value: of ?? 0, amount: messages, windowMinutes }, t, formats);
  };

  return { value, short, rule, measured };
}

/** Returns the text of a rule's scope, its application by name. */
export function useRuleScope() {
  const t = useText();
  const { dir } = useTexts();
  const applications = useCall('GET /applications', { query: { limit: '200' } }, { staleTime: 60_000 });
  const names = new Map(applications.data?.items.map(({ appId, appName }) => [appId, appName]));
  return ({ appId, areaCode, carrier, smsType }: Pick<RuleFacts, 'appId' | 'areaCode' | 'carrier' | 'smsType'>) =>
    [
      appId === null ? null : (names.get(appId) ?? appId),
      areaCode === null ? null : (t.maybe(`thresholds.area.${areaCode}`) ?? areaCode),
      carrier,
      smsType === null ? null : t(`thresholds.smsType.${smsType}`),
    ]
      .filter((part) => part !== null)
      .map((part) => isolate({ part }, dir).part)
      .join(' · ') || t('thresholds.scope.all');
}

export const kinds = ['volume', 'quality', 'frequency', 'pumping'] as const satisfies readonly ThresholdInput['kind'][];
