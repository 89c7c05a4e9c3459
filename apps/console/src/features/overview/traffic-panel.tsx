import type { Traffic } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { BarChart, type BarGroup, type Series } from '../../ui/charts/bar-chart.tsx';
import { ChartLegend, ChartTable } from '../../ui/charts/chart-parts.tsx';
import { Panel } from '../../ui/page/page.tsx';

const minuteTicks = [1, 5, 10, 15];

/** What moves at this moment, and in the last half hour. */
export function TrafficPanel({ traffic }: { traffic: Traffic }) {
  const t = useText();
  const formats = useFormats();
  const { now, minutes } = traffic;
  const series: Series[] = [
    { key: 'accepted', label: t('overview.traffic.accepted'), color: 'half' },
    { key: 'refused', label: t('overview.traffic.refused'), color: 'bad' },
  ];
  const bars: BarGroup[] = minutes.map(({ time, accepted, refused }) => ({
    key: time,
    tick: formats.date(time, 'minute'),
    title: formats.date(time, 'minute'),
    values: [accepted, refused],
  }));
  const total = minutes.reduce((sum, { accepted, refused }) => sum + accepted + refused, 0);
  // The current minute is incomplete.
  const received = minutes.at(-2)?.received ?? 0;
  const facts = [
    { key: 'perMinute', label: t('overview.traffic.perMinute'), value: now.perMinute },
    { key: 'refused', label: t('overview.traffic.refused'), value: now.refused, isBad: now.refused > 0 },
    { key: 'receipts', label: t('overview.traffic.receipts'), value: now.receipts },
    { key: 'received', label: t('overview.traffic.received'), value: received },
  ];
  const title = t('overview.traffic');
  return (
    <Panel title={title} aside={<ChartLegend series={series} />}>
      <div className="overview-now">
        <div className="overview-now-facts">
          <p className="overview-now-rate">
            <bdi dir="ltr" className={now.perSecond > 0 ? 'overview-moving' : undefined}>
              {formats.number(now.perSecond, { maximumFractionDigits: now.perSecond < 10 ? 1 : 0 })}
            </bdi>
            <span>{t('overview.traffic.perSecond')}</span>
          </p>
          <p className="tiny ink-3">{t('overview.traffic.lastMinute')}</p>
          <dl>
            {facts.map(({ key, label, value, isBad }) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd className={isBad ? 'overview-bad' : undefined}>
                  <bdi dir="ltr">{formats.number(value)}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="overview-now-chart">
          <BarChart
            label={total === 0 ? t('overview.traffic.none') : t('overview.traffic.label', { total })}
            series={series}
            bars={bars}
            tickSteps={minuteTicks}
          />
          {total === 0 && <p className="overview-trend-none">{t('overview.traffic.none')}</p>}
          <ChartTable hidden caption={title} head={t('overview.traffic.minute')} series={series} bars={bars} />
        </div>
      </div>
    </Panel>
  );
}
