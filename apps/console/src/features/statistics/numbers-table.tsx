import type { Statistics, StatisticsMetric } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { Swatch } from './chart-legend.tsx';
import { seriesTone } from './chart-tones.ts';
import { recordsBehind } from './records-behind.ts';
import type { ChartData, Group } from './series.ts';
import { figureText, groupName, stepText } from './statistics-text.ts';
import type { ChartView } from './view.ts';

/** Rows shown before the rest is asked for. */
const firstRows = 60;

interface NumbersTableProps {
  title: string;
  data: ChartData;
  /** The same of the period before, if it is compared. */
  before: ChartData | null;
  statistics: Statistics;
  view: ChartView;
  metrics: readonly StatisticsMetric[];
  /** Groups of the picture, in the order of its colours. */
  swatches: readonly Group[];
  /** Highlights the groups of the "others" series: at a step, or null, of the whole range. */
  sought: { at: number | null } | null;
}

/** The numbers of the picture, with the totals; each row leads to the records behind it. */
export function NumbersTable({ title, data, before, statistics, view, metrics, swatches, sought }: NumbersTableProps) {
  const t = useText();
  const { locale } = useTexts();
  const formats = useFormats();
  const [isWhole, setWhole] = useState(false);
  const { names } = statistics;
  const table = useRef<HTMLElement>(null);
  const isGathered = ({ key }: Group) => !swatches.some((each) => each.key === key);
  useEffect(() => {
    if (sought !== null) setWhole(true);
  }, [sought]);
  useEffect(() => {
    if (sought === null || !isWhole) return;
    const link = table.current?.querySelector<HTMLElement>(`[data-gathered="${sought.at}"] a`);
    link?.scrollIntoView({ block: 'center' });
    link?.focus({ preventScroll: true });
  }, [sought, isWhole]);
  const hasGroups = data.groups.some((group) => group.values === null || Object.keys(group.values).length > 0);
  const rows: { group: Group; at: number | null }[] = [
    ...(hasGroups ? data.groups.map((group) => ({ group, at: null })) : []),
    ...(data.times ?? []).flatMap((_, at) => data.groups.map((group) => ({ group, at }))),
  ];
  const isSummed = (at: number | null) => at === null && data.times !== null;
  // Values grouped in the chart have the colour of the others here.
  const placeOf = ({ key }: Group) => {
    const place = swatches.findIndex((each) => each.key === key);
    return place < 0 ? swatches.length - 1 : place;
  };
  const shown = isWhole ? rows : rows.slice(0, firstRows);
  return (
    <Panel title={t('statistics.numbers')} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={table} className="statistics-table" tabIndex={0} aria-label={t('statistics.table', { title })}>
        <table className="plain-table">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {data.times !== null && <th scope="col">{t('statistics.dimension.logDate')}</th>}
              {data.times === null && !hasGroups && <td />}
              {hasGroups && (
                <th scope="col">
                  {view.dimensions
                    .filter((each) => each !== 'logDate')
                    .map((each) => t(`statistics.dimension.${each}`))
                    .join(' · ')}
                </th>
              )}
              {metrics.map((metric) => (
                <th key={metric} scope="col" className="align-end">
                  {t(`statistics.metric.${metric}`)}
                  {before && <span className="statistics-then">{t('statistics.before')}</span>}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">{t('statistics.records')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <tr className="statistics-total">
              <th scope="row" colSpan={(data.times === null ? 0 : 1) + (hasGroups ? 1 : 0) || 1}>
                {t('statistics.total')}
              </th>
              {metrics.map((metric) => (
                <td key={metric} className="align-end">
                  <bdi dir="ltr">{figureText(metric, statistics.totals[metric], formats)}</bdi>
                  {statistics.before && <Then>{figureText(metric, statistics.before.totals[metric], formats)}</Then>}
                </td>
              ))}
              <RecordsCell search={recordsBehind({ group: whole, time: null }, view, statistics, formats.zone)} />
            </tr>
            {shown.map(({ group, at }) => {
              const figures = data.figuresOf(group, at);
              const then = before?.figuresOf(group, at);
              const time = at === null ? null : (data.times?.[at] ?? null);
              const label =
                time === null ? t('statistics.wholeRange') : stepText(time, view.unit, formats, locale).title;
              return (
                <tr
                  key={`${group.key} ${at}`}
                  className={
                    isGathered(group) && sought?.at === at ? 'is-sought' : isSummed(at) ? 'statistics-sum' : undefined
                  }
                  data-gathered={isGathered(group) ? String(at) : undefined}
                >
                  {data.times !== null && <th scope="row">{label}</th>}
                  {hasGroups && (
                    <th scope="row">
                      <Swatch tone={seriesTone(placeOf(group))} />
                      <bdi>{groupName(group, names, t)}</bdi>
                    </th>
                  )}
                  {metrics.map((metric) => (
                    <td key={metric} className="align-end">
                      <bdi dir="ltr">{figureText(metric, figures[metric], formats)}</bdi>
                      {then && <Then>{figureText(metric, then[metric], formats)}</Then>}
                    </td>
                  ))}
                  <RecordsCell
                    search={
                      figures.reqTotalNum === 0 ? null : recordsBehind({ group, time }, view, statistics, formats.zone)
                    }
                  />
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {rows.length > shown.length && (
        <div className="statistics-more">
          <Button size="small" onClick={() => setWhole(true)}>
            {t('statistics.more', { count: rows.length - shown.length })}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** The value in the period before, below the current one. */
function Then({ children }: { children: string }) {
  const t = useText();
  return (
    <span className="statistics-then">
      <span className="visually-hidden">{t('statistics.before')}</span> <bdi dir="ltr">{children}</bdi>
    </span>
  );
}

const whole: Group = { key: '', values: {} };

function RecordsCell({ search }: { search: Record<string, string> | null }) {
  const t = useText();
  return (
    <td className="align-end">
      {search && (
        <Link to="/bussinessStatistics/sendRecord" search={search}>
          {t('statistics.records')}
        </Link>
      )}
    </td>
  );
}
