import { isQuiet, type QuietHours } from '@pahatid/domain';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useZone } from '../../lib/format/zone.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { BarChart, type BarGroup, type Series } from '../../ui/charts/bar-chart.tsx';
import { ChartLegend, ChartTable } from '../../ui/charts/chart-parts.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { bandsOf, type HourMeasure, judgeHours, nextAt } from './judge-hours.ts';

interface SendHoursProps {
  appId: string | null;
  /** In which this task waits; null: none. */
  quietHours: QuietHours | null;
  planTime: string | null;
  onPlanTime: (planTime: string) => void;
}

const staleTime = 600_000;

/** Results of earlier messages by the hour of sending, and the hour that was better than the others, if one was. */
export default function SendHours({ appId, quietHours, planTime, onPlanTime }: SendHoursProps) {
  const t = useText();
  const formats = useFormats();
  const zone = useZone();
  const { data, error } = useCall(
    'GET /tasks/send-hours',
    { query: { zone, ...(appId !== null && { appId }) } },
    { staleTime },
  );
  const [chosen, setChosen] = useState<HourMeasure | null>(null);
  // What is not known hinders no one from choosing a time.
  if (error) return null;
  if (data === undefined) return <Skeleton width="100%" height={236} />;

  const isHeld = (hour: number): boolean =>
    quietHours !== null && isQuiet(Date.parse(nextAt(hour, null, zone)), quietHours);
  const { measures, measure, hours, best } = judgeHours(data.hours, chosen, isHeld);
  const series: Series[] = [{ key: measure, label: `${t(`sendHours.${measure}`)} (%)`, color: 'done' }];
  const percent = (share: number): string => formats.percent(share);
  const clock = (hour: number): string => formats.clockHour(hour);
  const bars = hours.map(
    ({ hour, count, good }): BarGroup => ({
      key: `${hour}`,
      tick: clock(hour),
      title: `${clock(hour)} · ${t(`sendHours.count`, { count })}`,
      values: [count === 0 ? 0 : (100 * good) / count],
    }),
  );
  const reason = best
    ? t(`sendHours.best.${measure}`, {
        hour: clock(best.hour),
        share: percent(best.good / best.count),
        count: best.count,
        others: percent(best.othersGood / best.othersCount),
      })
    : t(measures.length === 0 ? 'sendHours.few' : 'sendHours.none');
  const format = (value: number): string => percent(value / 100);
  return (
    <section className="tasks-hours" aria-label={t('sendHours.title')}>
      <div className="row wrap tasks-hours-head">
        <h3>{t('sendHours.title')}</h3>
        {measures.length === 1 && <ChartLegend series={series} />}
        {measures.length > 1 &&
          measures.map((each) => (
            <Button
              key={each}
              variant="quiet"
              size="small"
              aria-pressed={each === measure}
              onClick={() => setChosen(each)}
            >
              {t(`sendHours.${each}`)}
            </Button>
          ))}
      </div>
      {measures.length > 0 && (
        <div className="tasks-hours-chart">
          <BarChart
            label={reason}
            series={series}
            bars={bars}
            bands={bandsOf(isHeld).map((band) => ({ ...band, label: t('sendHours.quiet') }))}
            format={format}
            tickSteps={[3, 6]}
          />
          <ChartTable
            hidden
            caption={t('sendHours.title')}
            head={t('sendHours.hour')}
            series={series}
            bars={bars}
            format={format}
          />
        </div>
      )}
      <div className="row wrap tasks-hours-reason">
        <p className="small ink-2">
          {reason} {best && t('sendHours.note')}
        </p>
        {best && (
          <Button size="small" onClick={() => onPlanTime(nextAt(best.hour, planTime, zone))}>
            {t('sendHours.use', { hour: clock(best.hour) })}
          </Button>
        )}
      </div>
    </section>
  );
}
