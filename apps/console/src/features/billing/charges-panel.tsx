import type { Charges } from '@pahatid/contract';
import { ChartColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { wallToInstant } from '../../lib/format/zoned-time.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { BarChart, type BarGroup, type Series } from '../../ui/charts/bar-chart.tsx';
import { ChartLegend, ChartTable } from '../../ui/charts/chart-parts.tsx';
import { ChartSkeleton } from '../../ui/charts/chart-skeleton.tsx';
import { Bdi, Count, Money } from '../../ui/data/text.tsx';
import { FailedState, PaneOutline } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { type ChargeRange, chargeRanges, daysAhead, daysBefore, daysOf, rangeNamed } from './charge-range.ts';

const moneyPerPeso = 10_000;
const tickSteps = [1, 2, 5, 7, 10];

interface ChargesPanelProps {
  customerId: string | undefined;
  range: string | undefined;
  /** What is spent a day, 1/10,000 PHP; undefined: not known yet. */
  perDay: number | undefined;
  onRange: (range: ChargeRange) => void;
}

/** Charges in a range: by day as a chart, by application and task as tables. */
export function ChargesPanel({ customerId, range: named, perDay, onRange }: ChargesPanelProps) {
  const t = useText();
  const { zone } = useFormats();
  const range = rangeNamed(named);
  const query = { customerId, zone, ...daysOf(range, zone, Date.now()) };
  const byApplication = useCharges({ ...query, by: 'application' });
  const byTask = useCharges({ ...query, by: 'task' });
  // A panel of one line next to one of eight would be mostly empty.
  const isAlone = (byApplication.data?.items.length ?? 0) < 2;
  return (
    <>
      <ByDay
        query={query}
        ahead={daysAhead(range, query.to)}
        perDay={perDay ?? 0}
        aside={
          <Segmented
            label={t('billing.range')}
            options={chargeRanges.map((value) => ({ value, label: t(`billing.range.${value}`) }))}
            value={range}
            onChange={onRange}
          />
        }
      />
      <div className={classNames('billing-shares', isAlone && 'is-stacked')}>
        <ByName charges={byApplication} by="application" />
        <ByName charges={byTask} by="task" />
      </div>
    </>
  );
}

interface ChargeQuery {
  customerId: string | undefined;
  zone: string;
  from: string;
  to: string;
}

interface ByDayProps {
  query: ChargeQuery;
  /** Days after the last one that still belong to the range. */
  ahead: readonly string[];
  perDay: number;
  aside: React.ReactNode;
}

function ByDay({ query, ahead, perDay, aside }: ByDayProps) {
  const t = useText();
  const formats = useFormats();
  const [asTable, setAsTable] = useState(false);
  const charges = useCall(
    'GET /billing/charges',
    { query: { ...query, by: 'day' } },
    { keepPrevious: true, refetchInterval: 60_000 },
  );
  const before = useCall(
    'GET /billing/charges',
    { query: { ...query, ...daysBefore(query), by: 'day' } },
    { keepPrevious: true },
  );
  const title = t('billing.charges');
  const series: Series[] = [{ key: 'charged', label: t('billing.charged'), color: 'done' }];
  const money = (pesos: number) => formats.money(Math.round(pesos * moneyPerPeso));
  const toBar = (day: string, charged: number): BarGroup => {
    const noon = wallToInstant(`${day}T12:00`, query.zone);
    return {
      key: day,
      tick: formats.date(noon, 'monthDay'),
      title: formats.date(noon, 'day'),
      values: [charged / moneyPerPeso],
    };
  };
  const items = charges.data?.items ?? [];
  const bars = [
    ...items.map(({ key, charged }) => toBar(key ?? '', charged)),
    ...ahead.map((day) => ({ ...toBar(day, 0), ahead: true })),
  ];
  const expected =
    perDay > 0 && ahead.length > 0 ? { label: t('billing.expected'), value: perDay / moneyPerPeso } : undefined;
  // Of today only what is charged so far: it is not over.
  const total = (charges.data?.charged ?? 0) + perDay * ahead.length;
  const marks = before.data && {
    label: t('statistics.before.against'),
    values: before.data.items.map(({ charged }) => charged / moneyPerPeso),
  };
  return (
    <Panel
      title={title}
      aside={
        <div className="billing-aside">
          {marks && <ChartLegend series={[]} mark={marks.label} expected={expected?.label} />}
          {aside}
          <Button
            variant="quiet"
            size="small"
            icon={asTable ? ChartColumn : Table2}
            aria-pressed={asTable}
            aria-label={t('billing.asTable')}
            title={t('billing.asTable')}
            onClick={() => setAsTable(!asTable)}
          />
        </div>
      }
    >
      {charges.error && <FailedState error={charges.error} onRetry={() => void charges.refetch()} />}
      {charges.isPending && (
        <div className="billing-chart">
          <ChartSkeleton />
        </div>
      )}
      {charges.data && (
        <>
          <p className="small ink-2">
            {t.rich('billing.charges.sum', {
              amount: <Money value={charges.data.charged} />,
              segments: charges.data.segments,
            })}
            {expected && (
              <>
                {' · '}
                {t.rich('billing.expected.month', { amount: <Money value={total} /> })}
              </>
            )}
          </p>
          <div className="billing-chart">
            {!asTable && (
              <BarChart
                label={t('billing.charges.label', {
                  amount: formats.money(charges.data.charged),
                  days: charges.data.items.length,
                })}
                series={series}
                bars={bars}
                marks={marks}
                expected={expected}
                tickSteps={tickSteps}
                format={money}
                unit="₱"
              />
            )}
            {!asTable && charges.data.charged === 0 && (
              <div className="billing-none">
                <PaneOutline />
                <p>{t('billing.charges.none')}</p>
              </div>
            )}
            <ChartTable
              hidden={!asTable}
              caption={title}
              head={t('billing.day')}
              series={series}
              bars={bars}
              marks={marks}
              format={money}
            />
          </div>
        </>
      )}
    </Panel>
  );
}

const shownNames = 8;

const useCharges = (query: ChargeQuery & { by: 'application' | 'task' }) =>
  useCall('GET /billing/charges', { query }, { keepPrevious: true });

function ByName({ charges, by }: { charges: ReturnType<typeof useCharges>; by: 'application' | 'task' }) {
  const t = useText();
  const title = t(`billing.by.${by}`);
  return (
    <Panel title={title}>
      {charges.error && <FailedState error={charges.error} onRetry={() => void charges.refetch()} />}
      {charges.isPending && <SkeletonLines lines={3} />}
      {charges.data?.items.length === 0 && <p className="ink-3 small">{t('billing.charges.none')}</p>}
      {charges.data && charges.data.items.length > 0 && <NameTable title={title} by={by} charges={charges.data} />}
    </Panel>
  );
}

function NameTable({ title, by, charges }: { title: string; by: 'application' | 'task'; charges: Charges }) {
  const t = useText();
  const shown = charges.items.slice(0, shownNames);
  const hidden = charges.items.slice(shownNames);
  const rest = {
    count: hidden.length + (charges.rest?.count ?? 0),
    charged: hidden.reduce((sum, row) => sum + row.charged, charges.rest?.charged ?? 0),
    segments: hidden.reduce((sum, row) => sum + row.segments, charges.rest?.segments ?? 0),
  };
  return (
    <table className="plain-table billing-names">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t(`billing.${by}`)}</th>
          <th scope="col" className="align-end">
            {t('billing.segments')}
          </th>
          <th scope="col" className="align-end">
            {t('billing.charged')}
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={row.key ?? ''}>
            <td>{row.key === null ? t('billing.noTask') : <Bdi>{row.name ?? row.key}</Bdi>}</td>
            <td className="align-end">
              <Count value={row.segments} />
            </td>
            <td className="align-end">
              <Money value={row.charged} />
            </td>
          </tr>
        ))}
        {rest.count > 0 && (
          <tr>
            <td className="ink-3">{t('billing.others', { count: rest.count })}</td>
            <td className="align-end">
              <Count value={rest.segments} />
            </td>
            <td className="align-end">
              <Money value={rest.charged} />
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
