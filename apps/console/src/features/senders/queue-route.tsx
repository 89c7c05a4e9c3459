import { dossierStates, type QueuedDossier } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { LoadingDrawer } from '../../ui/layers/loading-drawer.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { DossierPanel } from './dossier-panel.tsx';
import { carriers, DossierStateTag, dossierStateText } from './dossier-parts.tsx';
import { operatorColumn } from './sender-columns.tsx';

/** `/dossier`: dossiers of all customers that wait for staff or for a carrier. */
export default function DossiersScreen() {
  const t = useText();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'state', 'carrier'],
    ['open'],
    { byCustomer: true, list: 'GET /dossier-queue' },
  );
  const list = useCall('GET /dossier-queue', { query }, { keepPrevious: true, refetchInterval: 30_000 });
  const columns: Column<QueuedDossier>[] = [
    {
      key: 'senderId',
      title: t('senders.senderId'),
      fixed: true,
      card: 'title',
      cell: (row) => <Mono>{row.senderId}</Mono>,
    },
    { key: 'carrier', title: t('dossiers.carrier'), cell: (row) => row.carrier },
    { key: 'state', title: t('approvals.state'), card: 'state', cell: (row) => <DossierStateTag state={row.state} /> },
    operatorColumn(t),
    { key: 'papers', title: t('dossiers.papers'), align: 'end', cell: (row) => row.paperCount },
    { key: 'domains', title: t('dossiers.domains'), align: 'end', cell: (row) => row.domainCount },
    {
      key: 'changeTime',
      title: t('senders.operateTime'),
      cell: (row) => <DateTime value={row.changeTime} style="short" />,
    },
  ];
  return (
    <Page>
      <PageHeader title={t('dossiers.title')} fact={t('dossiers.fact')} />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput label={t('senders.search')} value={view.search} onChange={(search) => narrow({ search })} />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('approvals.state')}
              options={dossierStates.map((value) => ({ value, label: dossierStateText(value, t) }))}
              value={view.state}
              onChange={(state) => narrow({ state })}
            />
            <ChoiceFilter
              label={t('dossiers.carrier')}
              options={carriers.map((value) => ({ value, label: value }))}
              value={view.carrier}
              onChange={(carrier) => narrow({ carrier })}
            />
          </FilterBar>
        }
        name="dossiers"
        label={t('dossiers.title')}
        columns={columns}
        rowKey={(row) => row.dossierId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.dossierId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /dossier-queue', { query }, 'dossiers.csv')}
        empty={<EmptyState title={t('dossiers.empty')} />}
      />
      {view.open && <DossierDrawer dossierId={view.open} onClose={() => setView({ open: undefined })} />}
    </Page>
  );
}

function DossierDrawer({ dossierId, onClose }: { dossierId: string; onClose: () => void }) {
  const t = useText();
  const read = useCall('GET /dossiers/:dossierId', { params: { dossierId } });
  if (!read.data) return <LoadingDrawer title={t('dossiers.title')} read={read} onClose={onClose} />;
  return (
    <Drawer title={<bdi>{read.data.senderId}</bdi>} meta={<bdi>{read.data.operator}</bdi>} onClose={onClose}>
      <DossierPanel dossier={read.data} />
    </Drawer>
  );
}
