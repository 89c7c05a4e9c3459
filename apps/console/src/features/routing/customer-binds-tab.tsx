import type { CallResult } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Bdi, DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';

type Row = CallResult<'GET /smpp-binds'>['items'][number];

/** Live SMPP connections of all customers' software. */
export function CustomerBindsTab() {
  const t = useText();
  const { view, setView, query, order, filtered, clear } = useListView([], [], { list: 'GET /smpp-binds' });
  const list = useCall('GET /smpp-binds', { query }, { keepPrevious: true, refetchInterval: 15_000 });
  const columns: Column<Row>[] = [
    {
      key: 'appName',
      title: t('applications.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name">
          <Bdi>{row.appName}</Bdi>
          <span className="cell-note">
            <Bdi>{row.customerName}</Bdi>
          </span>
        </span>
      ),
    },
    { key: 'bindType', title: t('applications.bind.type'), cell: (row) => row.bindType },
    {
      key: 'client',
      title: t('applications.bind.client'),
      cell: (row) => <Mono>{`${row.clientIp}:${row.clientPort}${row.isTls ? ' TLS' : ''}`}</Mono>,
    },
    { key: 'since', title: t('applications.bind.since'), cell: (row) => <DateTime value={row.since} style="short" /> },
    { key: 'windowUsed', title: t('applications.bind.window'), cell: (row) => <Bdi>{row.windowUsed}</Bdi> },
    { key: 'submitRate', title: t('applications.bind.rate'), cell: (row) => <Bdi>{row.submitRate}</Bdi> },
    {
      key: 'lastError',
      title: t('applications.bind.error'),
      cell: (row) => (row.lastError === null ? '–' : <Mono>{row.lastError}</Mono>),
    },
  ];
  return (
    <ResourceTable
      name="customerBinds"
      label={t('routing.tab.customerBinds')}
      columns={columns}
      rowKey={(row) => row.bindId}
      list={list}
      order={order}
      cursor={view.cursor}
      onCursor={(cursor) => setView({ cursor })}
      filtered={filtered}
      onClearFilters={clear}
      onExport={() => exportCsv('GET /smpp-binds', { query }, 'binds.csv')}
      empty={<EmptyState title={t('applications.smpp.none')} />}
    />
  );
}
