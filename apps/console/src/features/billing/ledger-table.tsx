import type { LedgerEntry } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { useListView } from '../../lib/router/use-list-view.ts';
import { classNames } from '../../ui/base/class-names.ts';
import { Bdi, Count, Dash, DateTime, Money, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { Section } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

type View = ReturnType<typeof useListView<'kind' | 'from' | 'to', 'customerId' | 'range'>>;
const kinds = ['topUp', 'charge', 'adjustment'] as const;

/** Every entry, newest first; of all customers if none is chosen. */
export function LedgerTable({ customerId, list }: { customerId: string | undefined; list: View }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = list;
  const asked = { ...query, customerId };
  const entries = useCall('GET /billing/ledger', { query: asked }, { keepPrevious: true, refetchInterval: 30_000 });
  const columns: Column<LedgerEntry>[] = [
    { key: 'time', title: t('billing.time'), fixed: true, card: 'title', cell: (row) => <DateTime value={row.time} /> },
    { key: 'kind', title: t('billing.kind'), card: 'state', cell: (row) => t(`billing.kind.${row.kind}`) },
    ...(isStaff && customerId === undefined
      ? [
          {
            key: 'operator',
            title: t('billing.customer'),
            cell: (row: LedgerEntry) => (row.operator ? <Bdi>{row.operator}</Bdi> : <Dash />),
          },
        ]
      : []),
    {
      key: 'what',
      title: t('billing.what'),
      long: true,
      cell: (row) => {
        const what = row.note ?? row.taskName;
        return what ? <Bdi>{what}</Bdi> : row.appId ? <Mono>{row.appId}</Mono> : <Dash />;
      },
    },
    ...(isStaff
      ? [
          {
            key: 'account',
            title: t('billing.account'),
            cell: (row: LedgerEntry) => (row.account ? <Bdi>{row.account}</Bdi> : <Dash />),
          },
        ]
      : []),
    {
      key: 'segments',
      title: t('billing.segments'),
      align: 'end',
      cell: (row) => (row.kind === 'topUp' ? <Dash /> : <Count value={row.segments} />),
    },
    {
      key: 'amount',
      title: t('billing.amount'),
      align: 'end',
      cell: (row) => (
        <span className={classNames(row.amount > 0 && 'billing-in')}>
          {row.amount > 0 && <span aria-hidden="true">+</span>}
          <Money value={row.amount} />
        </span>
      ),
    },
  ];
  return (
    <Section title={t('billing.ledger')}>
      <ResourceTable
        filters={
          <FilterBar onClear={filtered ? clear : undefined}>
            <ChoiceFilter
              label={t('billing.kind')}
              options={kinds.map((kind) => ({ value: kind, label: t(`billing.kind.${kind}`) }))}
              value={view.kind}
              onChange={(kind) => narrow({ kind })}
            />
            <DateRangeFilter
              label={t('billing.time')}
              from={view.from}
              to={view.to}
              onChange={(from, to) => narrow({ from, to })}
            />
          </FilterBar>
        }
        name="ledger"
        label={t('billing.ledger.entries')}
        columns={columns}
        rowKey={(row) => row.entryId}
        list={entries}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /billing/ledger', { query: asked }, 'ledger.csv')}
        empty={<EmptyState title={t('billing.empty.title')}>{t('billing.empty.text')}</EmptyState>}
      />
    </Section>
  );
}
