import type { Threshold } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { Dash } from '../../ui/data/text.tsx';
import { useRuleText } from './rule-text.ts';

/** Rates end at 100 %; the others a little after the last mark, so that it is inside. */
const ends = (rule: Threshold, marks: readonly number[]): number => {
  const isRate = rule.kind === 'quality' && rule.metric !== 'delay';
  return isRate ? 10_000 : Math.max(1, ...marks, (rule.state.value ?? 0) / 1.15) * 1.15;
};

/** The value against alert and limit, as a bar with marks and as text. */
export function Gauge({ rule, wide = false }: { rule: Threshold; wide?: boolean }) {
  const t = useText();
  const formats = useFormats();
  const ruleText = useRuleText();
  const { volume, periodEnd, stage } = rule.state;
  // A rate of too few messages is measured, but nothing is judged by it.
  const value = rule.kind === 'quality' && stage === 'idle' ? null : rule.state.value;
  if (rule.kind === 'frequency' || rule.kind === 'pumping')
    return value === null ? (
      <span className="threshold-none">
        <Dash />
      </span>
    ) : (
      <span className="small">
        {t(rule.kind === 'pumping' ? 'thresholds.pumping.now' : 'thresholds.refusedToday', { count: value })}
      </span>
    );
  const measure = rule.unit ?? rule.metric;
  const alert = rule.kind === 'quality' ? rule.bound : rule.alertAt;
  const limit = rule.kind === 'quality' ? null : rule.limitAt;
  const marks = [alert, limit].filter((mark) => mark !== null);
  const end = ends(rule, marks);
  const at = (amount: number) => `${Math.min(1, Math.max(0, amount / end)) * 100}%`;
  const write = wide ? ruleText.value : ruleText.short;
  const say = (amount: number | null) => (amount === null ? t('thresholds.gauge.none') : write(measure, amount));
  const text = value === null ? t('thresholds.gauge.tooFew') : say(value);
  return (
    <div className={classNames('threshold-gauge', wide && 'is-wide', value === null && 'is-bare')}>
      <div className="threshold-gauge-head small">
        <bdi dir="ltr" className="threshold-gauge-ratio">
          <bdi dir="auto" className={classNames('num', value !== null && 'strong', value === null && 'ink-3')}>
            {rule.useState === UseState.Disabled ? t('thresholds.stage.off') : text}
          </bdi>
          {!wide && value !== null && marks.length > 0 && (
            <span className="ink-3 num">
              / <bdi>{say(marks.at(-1) ?? null)}</bdi>
            </span>
          )}
        </bdi>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> holds no marks for alert and limit. */}
      <div
        className="threshold-bar"
        role="meter"
        aria-label={ruleText.rule(rule)}
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={Math.min(end, value ?? 0)}
        aria-valuetext={t('thresholds.gauge', { value: text, alert: say(alert), limit: say(limit) })}
      >
        <i className={`is-${stage}`} style={{ inlineSize: at(value ?? 0) }} />
        {alert !== null && <b className="is-alert" style={{ insetInlineStart: at(alert) }} />}
        {limit !== null && <b className="is-limit" style={{ insetInlineStart: at(limit) }} />}
      </div>
      {wide && (
        <div className="threshold-gauge-foot tiny ink-3">
          {alert !== null && <span>{t('thresholds.gauge.alert', { value: say(alert) })}</span>}
          {limit !== null && <span>{t('thresholds.gauge.limit', { value: say(limit) })}</span>}
          {periodEnd !== null && <span>{t('thresholds.gauge.until', { time: formats.date(periodEnd, 'short') })}</span>}
          {volume !== null && <span>{t('thresholds.gauge.measured', { count: volume })}</span>}
        </div>
      )}
    </div>
  );
}
