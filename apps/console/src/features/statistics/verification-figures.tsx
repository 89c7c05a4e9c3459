import { type VerificationDivision, type VerificationFigure, verificationDivisions } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useZone } from '../../lib/format/zone.ts';
import { dayStart } from '../../lib/format/zoned-time.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ApplicationFilter } from '../../ui/filters/belonging-filters.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { FilterBar } from '../../ui/filters/filters.tsx';
import { CustomerFilter } from '../../ui/filters/message-filters.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { KpiStrip, Note } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

const counts = ['started', 'sent', 'approved', 'expired', 'wrong'] as const;

/** Codes made and checked here: how many were sent, entered and not, by country and prefix, country, or application. */
export default function VerificationFigures() {
  const t = useText();
  const { number, percent } = useFormats();
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['from', 'to', 'appId', 'customerId'],
    ['by'],
    { list: 'GET /statistics/verifications' },
  );
  const zone = useZone();
  const by = verificationDivisions.find((each) => each === view.by) ?? 'prefix';
  // Without a choice, today and the six days before.
  const from = view.from ?? (view.to === undefined ? dayStart(zone, 6) : undefined);
  const asked = { ...query, ...(from !== undefined && { from }), by, sort: query.sort ?? '-startedCount' };
  const list = useCall('GET /statistics/verifications', { query: asked }, { keepPrevious: true });
  const totals = list.data?.totals;
  const share = (rate: number | null | undefined): string => (rate == null ? '–' : percent(rate));
  return (
    <>
      <FilterBar onClear={filtered ? clear : undefined}>
        <DateRangeFilter
          label={t('statistics.period')}
          from={from}
          to={view.to}
          onChange={(from, to) => narrow({ from, to })}
        />
        <Segmented
          label={t('statistics.by')}
          value={by}
          onChange={(next) => setView({ by: next, cursor: undefined }, { replace: true })}
          options={verificationDivisions.map((value) => ({
            value,
            label: t(value === 'prefix' ? 'routing.prefix' : `statistics.dimension.${value}`),
          }))}
        />
        <ApplicationFilter value={view.appId} onChange={(appId) => narrow({ appId })} />
        {isStaff && <CustomerFilter value={view.customerId} onChange={(customerId) => narrow({ customerId })} />}
      </FilterBar>
      {!list.error && (
        <KpiStrip
          label={t('statistics.totals')}
          items={[
            ...counts.map((key) => ({
              key,
              label: t(`statistics.codes.${key}`),
              value: totals ? number(totals[`${key}Count`]) : <Skeleton width={90} height={24} />,
            })),
            {
              key: 'conversion',
              label: t('statistics.codes.conversion'),
              value: totals ? share(totals.conversionRate) : <Skeleton width={90} height={24} />,
            },
          ]}
        />
      )}
      <ResourceTable<VerificationFigure>
        name="verifications"
        label={t('overview.lane.1')}
        columns={useColumns(by)}
        rowKey={(row) => [row.areaCode, row.prefix, row.appId].join()}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /statistics/verifications', { query: asked }, 'verifications.csv')}
        empty={<EmptyState title={t('statistics.codes.empty')}>{t('statistics.empty.text')}</EmptyState>}
      />
      <Note>{t('statistics.codes.note')}</Note>
    </>
  );
}

function useColumns(by: VerificationDivision): Column<VerificationFigure>[] {
  const t = useText();
  const { locale } = useTexts();
  const { number, percent } = useFormats();
  const country = (row: VerificationFigure) => <bdi>{regionName(locale, row.areaCode ?? '')}</bdi>;
  const division: Record<VerificationDivision, Column<VerificationFigure>[]> = {
    prefix: [
      {
        key: 'prefix',
        title: t('routing.prefix'),
        fixed: true,
        card: 'title',
        cell: (row) => <Mono>{row.prefix ?? ''}</Mono>,
      },
      { key: 'areaCode', title: t('statistics.dimension.areaCode'), long: true, card: 'state', cell: country },
    ],
    areaCode: [
      {
        key: 'areaCode',
        title: t('statistics.dimension.areaCode'),
        fixed: true,
        long: true,
        card: 'title',
        cell: country,
      },
    ],
    appId: [
      {
        key: 'appId',
        sort: 'areaCode',
        title: t('statistics.dimension.appId'),
        fixed: true,
        long: true,
        card: 'title',
        cell: (row) => <bdi>{row.appName ?? row.appId}</bdi>,
      },
    ],
  };
  return [
    ...division[by],
    ...counts.map(
      (key): Column<VerificationFigure> => ({
        key,
        sort: `${key}Count`,
        title: t(`statistics.codes.${key}`),
        align: 'end',
        cell: (row) => number(row[`${key}Count`]),
      }),
    ),
    {
      key: 'conversion',
      title: t('statistics.codes.conversion'),
      align: 'end',
      cell: (row) => (row.conversionRate === null ? '–' : percent(row.conversionRate)),
    },
  ];
}
