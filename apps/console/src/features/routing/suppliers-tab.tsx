import { type Supplier, UseState } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useBindErrorText } from '../../lib/format/bind-error-text.ts';
import { useBreakerText } from '../../lib/format/breaker-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Bdi, Count, Dash, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { Load } from './load.tsx';
import { SupplierDrawer } from './supplier-drawer.tsx';
import { SupplierForm } from './supplier-form.tsx';
import { SupplierState } from './supplier-state.tsx';
import { TabHead, UseStateFilter } from './tab-head.tsx';

/** The accounts at carriers, with how their binds are at this moment. */
export function SuppliersTab() {
  const t = useText();
  const errorText = useBindErrorText();
  const breakerText = useBreakerText();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'useState'],
    ['open', 'new'],
    { list: 'GET /suppliers' },
  );
  const list = useCall('GET /suppliers', { query }, { keepPrevious: true, refetchInterval: 2_000 });
  const columns: Column<Supplier>[] = [
    {
      key: 'supplierAccount',
      title: t('routing.supplier'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <>
          <Bdi>{row.supplierAccount}</Bdi>
          <span className="cell-note">{row.carrier ?? t('routing.anyCarrier')}</span>
        </>
      ),
    },
    {
      key: 'state',
      title: t('routing.state'),
      card: 'state',
      cell: (row) => (
        <div className="routing-cell">
          <SupplierState supplier={row} />
          {row.breaker && <span className="cell-note routing-error">{breakerText(row.breaker)}</span>}
          {row.useState === UseState.Enabled && row.lastError && (
            <span className="cell-note routing-error">{errorText(row.lastError)}</span>
          )}
        </div>
      ),
    },
    {
      key: 'address',
      title: t('routing.address'),
      cell: (row) => (
        <div className="routing-cell">
          <Mono>{`${row.host}:${row.port}`}</Mono>
          <span className="cell-note">
            <Mono>{row.systemId}</Mono>
          </span>
        </div>
      ),
    },
    {
      key: 'rate',
      title: t('routing.rate'),
      align: 'end',
      cell: (row) => <Load used={row.rate} of={row.tps} label={t('routing.rate')} />,
    },
    {
      key: 'window',
      title: t('routing.windowUsed'),
      align: 'end',
      cell: (row) =>
        row.boundCount === 0 ? (
          <Dash />
        ) : (
          <Load used={row.windowUsed} of={row.windowSize * row.boundCount} label={t('routing.windowUsed')} />
        ),
    },
    {
      key: 'waiting',
      title: t('routing.waiting'),
      align: 'end',
      cell: (row) => <Count value={row.waitingCount} />,
    },
  ];
  return (
    <>
      <ResourceTable
        filters={
          <TabHead
            search={{
              label: t('routing.supplier.search'),
              value: view.search,
              onChange: (search) => narrow({ search }),
            }}
            onClear={filtered ? clear : undefined}
            addLabel={t('routing.supplier.add')}
            onAdd={() => setView({ new: '1' })}
          >
            <UseStateFilter value={view.useState} onChange={(useState) => narrow({ useState })} />
          </TabHead>
        }
        name="suppliers"
        label={t('routing.tab.suppliers')}
        columns={columns}
        rowKey={(row) => row.supplierId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.supplierId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /suppliers', { query }, 'suppliers.csv')}
        empty={<EmptyState title={t('routing.supplier.empty')}>{t('routing.supplier.empty.text')}</EmptyState>}
      />
      {view.new && (
        <SupplierForm
          supplier={null}
          onSaved={(supplierId) => setView({ new: undefined, open: supplierId })}
          onClose={() => setView({ new: undefined })}
        />
      )}
      {view.open && <SupplierDrawer supplierId={view.open} onClose={() => setView({ open: undefined })} />}
    </>
  );
}
