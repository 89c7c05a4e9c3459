import type { Overview, Traffic } from '@pahatid/contract';
import { type ReactNode, useState } from 'react';
import { type Formats, useFormats } from '../../lib/format/formats.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Count, Dash, Mono } from '../../ui/data/text.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { shareOf } from './shares.ts';
import { TablePanel } from './table-panel.tsx';

type Staff = NonNullable<Overview['staff']>;
type Rate = Traffic['now'];
type Dimension = 'customers' | 'carriers' | 'routes';
const dimensions = ['customers', 'carriers', 'routes'] as const;

interface BusiestRow {
  key: string;
  head: ReactNode;
  /** Null: nothing in the range. */
  sums: { messages: number; accepted: number; delivered: number } | null;
  rate: Rate | null;
}

/** The busiest customers, carriers and routes: now, and in the range selected above. */
export function BusiestPanel({ staff, traffic }: { staff: Staff; traffic: Traffic | undefined }) {
  const t = useText();
  const formats = useFormats();
  const [by, setBy] = useState<Dimension>('customers');
  const rows = rowsOf[by](staff, traffic, t);
  return (
    <TablePanel
      title={t('overview.busiest')}
      aside={
        <Segmented
          label={t('overview.busiest.by')}
          options={dimensions.map((value) => ({ value, label: t(`overview.${value}`) }))}
          value={by}
          onChange={setBy}
        />
      }
      heads={[
        { key: 'name', label: t(`overview.busiest.${by}`) },
        { key: 'perSecond', label: t('overview.perSecond'), end: true },
        { key: 'perMinute', label: t('overview.perMinute'), end: true, wide: true },
        { key: 'messages', label: t('overview.messages'), end: true },
        { key: 'accepted', label: t('overview.carrier.accepted'), end: true, wide: true },
        { key: 'delivered', label: t('overview.trend.delivered'), end: true },
      ]}
      empty={t(`overview.${by}.none`)}
      rows={rows.map(({ key, head, sums, rate }) => ({
        key,
        head,
        cells: [
          <PerSecond key="perSecond" value={rate?.perSecond ?? 0} />,
          <Count key="perMinute" value={rate?.perMinute ?? 0} />,
          <Count key="messages" value={sums?.messages ?? 0} />,
          <Count key="accepted" value={sums?.accepted ?? 0} />,
          <span key="delivered">
            <Count value={sums?.delivered ?? 0} />
            <span className="overview-note">{percentOf(sums?.delivered ?? 0, sums?.accepted ?? 0, formats)}</span>
          </span>,
        ],
      }))}
    />
  );
}

function PerSecond({ value }: { value: number }) {
  const { number } = useFormats();
  if (value === 0) return <Dash />;
  return (
    <bdi dir="ltr" className="num overview-moving">
      {number(value, { maximumFractionDigits: value < 10 ? 1 : 0 })}
    </bdi>
  );
}

const percentOf = (part: number, whole: number, formats: Formats): ReactNode => {
  const share = shareOf(part, whole);
  return share === null ? <Dash /> : <bdi dir="ltr">{formats.percent(share)}</bdi>;
};

/** Those of the range, then those that send now and have nothing in the range: accepted before it began. */
function merge<S extends BusiestRow['sums'] & object, R extends Rate>(
  sums: readonly S[],
  rates: readonly R[],
  keyOf: (row: S | R) => string,
  headOf: (row: S | R) => ReactNode,
): BusiestRow[] {
  const rateOf = new Map(rates.map((rate) => [keyOf(rate), rate]));
  const known = new Set(sums.map(keyOf));
  return [
    ...sums.map((row) => ({ key: keyOf(row), head: headOf(row), sums: row, rate: rateOf.get(keyOf(row)) ?? null })),
    ...rates
      .filter((rate) => !known.has(keyOf(rate)))
      .map((rate) => ({ key: keyOf(rate), head: headOf(rate), sums: null, rate })),
  ];
}

const rowsOf: Record<Dimension, (staff: Staff, traffic: Traffic | undefined, t: Text) => BusiestRow[]> = {
  customers: (staff, traffic) =>
    merge(
      staff.customers,
      traffic?.customers ?? [],
      ({ customerId }) => customerId,
      ({ operator }) => <bdi>{operator}</bdi>,
    ),
  carriers: (staff, traffic, t) =>
    merge(
      staff.carriers,
      traffic?.carriers ?? [],
      ({ carrier }) => carrier ?? '',
      ({ carrier }) => carrier ?? t('overview.carrier.none'),
    ),
  routes: (staff, traffic, t) =>
    merge(
      staff.routes,
      traffic?.routes ?? [],
      ({ routeId }) => routeId,
      ({ routeName, supplierAccount }) => (
        <>
          <bdi>{routeName || t('overview.route.gone')}</bdi>
          {supplierAccount && (
            <span className="overview-note">
              <Mono>{supplierAccount}</Mono>
            </span>
          )}
        </>
      ),
    ),
};
