import { SmsType, type Threshold, type ThresholdInput } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { isolate } from '../../lib/i18n/text-direction.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';

type Measure = Threshold['unit'] | Threshold['metric'];
/** What the words of a rule are made of: a rule as it stands, or one that is being written. */
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
  | 'sameContentPer30s'
  | 'perMinute'
  | 'perHour'
  | 'perDay'
>;

export const perPhoneFields = ['sameContentPer30s', 'perMinute', 'perHour', 'perDay'] as const;
export const smsTypes = Object.values(SmsType);

/** Of 1/100 %, no more digits than it has. */
const digitsOf = (amount: number): number => (amount % 100 === 0 ? 0 : amount % 10 === 0 ? 1 : 2);

/** Rules in words: what each says, what it applies to, and values in its unit. */
export function useRuleWords() {
  const t = useText();
  const formats = useFormats();

  /** Money, percent, seconds, or a count with its noun. */
  const value = (measure: Measure, amount: number): string => {
    if (measure === 'cost') return formats.money(amount);
    if (measure === 'delay') return t('thresholds.text.seconds', { count: amount });
    if (measure === 'messages' || measure === 'segments') return t(`thresholds.text.${measure}`, { count: amount });
    return measure === null ? formats.number(amount) : formats.percent(amount / 10_000, digitsOf(amount));
  };

  const rule = (facts: RuleFacts): string => {
    if (facts.kind === 'volume') {
      const amount = value(facts.unit, facts.limitAt ?? facts.alertAt ?? 0);
      return t(`thresholds.text.volume.${facts.period ?? 'day'}`, { amount });
    }
    if (facts.kind === 'quality') {
      const { metric, bound } = facts;
      return t(metric === 'delivered' ? 'thresholds.text.quality.below' : 'thresholds.text.quality.above', {
        metric: t(`thresholds.metric.${metric ?? 'delivered'}`),
        bound: value(metric, bound ?? 0),
      });
    }
    return formats.list(
      perPhoneFields
        .filter((field) => facts[field] !== null)
        .map((field) => t(`thresholds.text.${field}`, { count: facts[field] ?? 0 })),
    );
  };

  /** Where there is little room: counts without their noun. */
  const short = (measure: Measure, amount: number): string =>
    measure === 'messages' || measure === 'segments' ? formats.number(amount) : value(measure, amount);

  return { value, short, rule };
}

/** What a rule applies to, its application by name. */
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

export const kinds = ['volume', 'quality', 'frequency'] as const satisfies readonly ThresholdInput['kind'][];
