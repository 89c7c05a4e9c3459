import type { ThresholdInput } from '@pahatid/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useRuleText } from './rule-text.ts';

/** How often the rule would have fired over the last 7 days; null: it is not written yet. */
export function Forecast({ rule }: { rule: ThresholdInput | null }) {
  const t = useText();
  const formats = useFormats();
  const ruleText = useRuleText();
  const asked = useQuery({
    queryKey: ['POST /thresholds/forecast', rule],
    queryFn: () => call('POST /thresholds/forecast', { body: rule! }),
    enabled: rule !== null,
    staleTime: 60_000,
    retry: false,
  });
  const forecast = asked.data;
  if (rule === null) return <p className="threshold-forecast small ink-3">{t('thresholds.forecast.later')}</p>;
  if (asked.error) return <p className="threshold-forecast small ink-3">{errorText(asked.error, t)}</p>;
  if (!forecast) return <p className="threshold-forecast small ink-3">{t('thresholds.forecast.working')}</p>;
  const { periods, alerts, limits, peak, peakTime } = forecast;
  const measure = rule.kind === 'volume' ? rule.unit : rule.kind === 'quality' ? rule.metric : null;
  const verdict = rule.kind === 'pumping' ? 'quality' : rule.kind;
  return (
    <div className="threshold-forecast" aria-live="polite">
      <span>{t(`thresholds.forecast.${verdict}`, { periods, alerts, limits })}</span>
      {peak !== null && peakTime !== null && measure !== null && (
        <span className="small ink-2">
          {t(measure === 'delivered' ? 'thresholds.forecast.peak.delivered' : 'thresholds.forecast.peak', {
            value: ruleText.value(measure, peak),
            time: formats.date(peakTime, 'short'),
          })}
        </span>
      )}
      <span className="tiny ink-3">
        {t('thresholds.forecast.messages', { count: forecast.messages })}
        {forecast.partial && ` ${t('thresholds.forecast.partial')}`}
      </span>
    </div>
  );
}
