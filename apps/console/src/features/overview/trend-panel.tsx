import type { Overview } from '@pahatid/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChartColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { BarChart, type BarGroup, type Series } from '../../ui/charts/bar-chart.tsx';
import { ChartLegend, ChartTable } from '../../ui/charts/chart-parts.tsx';
import { PaneOutline } from '../../ui/feedback/blank.tsx';
import { Panel } from '../../ui/page/page.tsx';
import type { OverviewRange } from './overview-range.ts';
import { busiestSlot, completeTrend, placeStarts, quietStretches, type TrendSlot, unansweredOf } from './trend.ts';

const dayTicks = [1, 2, 7, 14];
const hourTicks = [1, 2, 3, 6, 12];

/** Messages by hour or day: delivered, awaiting a receipt, failed. */
export function TrendPanel({ overview, range }: { overview: Overview; range: OverviewRange }) {
  const t = useText();
  const formats = useFormats();
  const navigate = useNavigate();
  const [asTable, setAsTable] = useState(false);

  const byHour = range === 'today';
  const slots = completeTrend(overview.trend, range, formats.zone);
  const series: Series[] = [
    { key: 'delivered', label: t('overview.trend.delivered'), color: 'done' },
    { key: 'awaiting', label: t('overview.trend.awaiting'), color: 'half' },
    { key: 'failed', label: t('overview.trend.failed'), color: 'bad' },
    { key: 'queued', label: t('overview.trend.queued'), color: 'empty' },
  ];
  const hourSpan = (slot: TrendSlot) => `${formats.date(slot.time, 'minute')}–${formats.date(slot.end, 'minute')}`;
  const bars: BarGroup[] = slots.map((slot) => ({
    key: slot.time,
    tick: formats.date(slot.time, byHour ? 'minute' : 'monthDay'),
    title: byHour ? hourSpan(slot) : formats.date(slot.time, 'day'),
    values: [slot.delivered, slot.awaiting, slot.failed, unansweredOf(slot)],
    ahead: slot.ahead,
  }));
  const held = t('overview.trend.held');
  const bands = byHour
    ? quietStretches(slots, overview.quietHours).map((stretch) => ({ ...stretch, label: held }))
    : [];
  const { before } = overview;
  const marks = { label: t(`overview.before.${range}`), values: slots.map((_, index) => before.messages[index]) };
  const starts = {
    label: t('overview.trend.starts'),
    items: byHour ? placeStarts(overview.starts, slots) : [],
  };
  const busiest = busiestSlot(slots);
  const title = t(byHour ? 'overview.trend.byHour' : 'overview.trend.byDay');
  const recordsOf = (slot: TrendSlot) => ({ from: slot.time, to: slot.end });

  return (
    <Panel
      title={title}
      aside={
        <div className="overview-trend-aside">
          <ChartLegend
            series={series}
            mark={marks.label}
            band={byHour ? held : undefined}
            start={starts.items.length > 0 ? starts.label : undefined}
          />
          <Button
            variant="quiet"
            size="small"
            icon={asTable ? ChartColumn : Table2}
            aria-pressed={asTable}
            aria-label={t('overview.trend.asTable')}
            title={t('overview.trend.asTable')}
            onClick={() => setAsTable(!asTable)}
          />
        </div>
      }
    >
      <div className="overview-trend">
        {!asTable && (
          <BarChart
            label={
              busiest
                ? t('overview.trend.label', {
                    total: slots.reduce((sum, { messages }) => sum + messages, 0),
                    most: busiest.messages,
                    time: byHour ? hourSpan(busiest) : formats.date(busiest.time, 'day'),
                  })
                : t(`overview.trend.none.${range}`)
            }
            series={series}
            bars={bars}
            bands={bands}
            marks={marks}
            starts={starts}
            tickSteps={byHour ? hourTicks : dayTicks}
            onOpen={(index) => {
              const slot = slots[index];
              if (slot) void navigate({ to: '/bussinessStatistics/sendRecord', search: recordsOf(slot) });
            }}
          />
        )}
        {!asTable && !busiest && !marks.values.some(Boolean) && (
          <div className="overview-trend-none">
            <PaneOutline />
            <p>{t(`overview.trend.none.${range}`)}</p>
          </div>
        )}
        <ChartTable
          hidden={!asTable}
          caption={title}
          head={t(byHour ? 'overview.trend.hour' : 'overview.trend.day')}
          series={series}
          bars={bars}
          marks={marks}
          starts={starts}
          rowHead={(index) => {
            const [slot, bar] = [slots[index], bars[index]];
            return (
              slot &&
              bar && (
                <Link to="/bussinessStatistics/sendRecord" search={recordsOf(slot)}>
                  {bar.title}
                </Link>
              )
            );
          }}
        />
      </div>
    </Panel>
  );
}
