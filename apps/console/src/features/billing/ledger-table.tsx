import type { LedgerEntry } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Bdi, Count, Dash, DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Section } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { LedgerAmount } from './ledger-amount.tsx';
import { LedgerDaysTable } from './ledger-days-table.tsx';
import type { LedgerView } from './ledger-view.ts';

const kinds = ['topUp', 'charge', 'adjustment'] as const;

interface LedgerTableProps {
  customerId: string | undefined;
  list: LedgerView;
}

/** The ledger, of all customers if none is chosen: each entry, or the sums of each day and task. */
export function LedgerTable({ customerId, list }: LedgerTableProps) {
  const t = useText();
  const { view, setView, filtered, narrow, clear } = list;
  const filters = (
    <FilterBar onClear={filtered ? clear : undefined}>
      <ChoiceFilter
        label={t('billing.kind')}
        options={kinds.map((kind) => ({ value: kind, label: t(`billing.kind.${kind}`) }))}
        value={view.kind}
        onChange={(kind) => narrow({ kind, taskId: undefined })}
      />
      <DateRangeFilter
        label={t('billing.time')}
        from={view.from}
        to={view.to}
        onChange={(from, to) => narrow({ from, to, taskId: undefined })}
      />
    </FilterBar>
  );
  const by = view.by === 'day' ? 'day' : 'entry';
  const Table = by === 'day' ? LedgerDaysTable : LedgerEntries;
  return (
    <Section
      title={t('billing.ledger')}
      aside={
        <Segmented
          label={t('billing.ledger')}
          options={[
            { value: 'entry', label: t('billing.ledger.entries') },
            { value: 'day', label: t('billing.ledger.byDay') },
          ]}
          value={by}
          onChange={(chosen) =>
            setView(
              { by: chosen === 'day' ? chosen : undefined, taskId: undefined, sort: undefined, cursor: undefined },
              { replace: true },
            )
          }
        />
      }
    >
      <Table customerId={customerId} list={list} filters={filters} />
    </Section>
  );
}

/** Every entry, newest first. */
function LedgerEntries({ customerId, list, filters }: LedgerTableProps & { filters: React.ReactNode }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, clear } = list;
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
      cell: (row) => <LedgerAmount value={row.amount} />,
    },
  ];
  return (
    <ResourceTable
      filters={filters}
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
  );
}
