import type { RouteRuleItem } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Bdi, Count } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter } from '../../ui/filters/filters.tsx';
import { carriers } from '../../ui/form/scope-fields.tsx';
import { useStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { RouteForm } from './route-form.tsx';
import { RouteOrder } from './route-order.tsx';
import { TabHead, UseStateFilter } from './tab-head.tsx';

/** Which supplier takes which messages, the highest priority first, and the order a message tries them in. */
export function RoutesTab() {
  const t = useText();
  const { locale } = useTexts();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'carrier', 'useState'],
    ['open', 'new', 'to'],
    { list: 'GET /routes' },
  );
  const list = useCall('GET /routes', { query }, { keepPrevious: true, refetchInterval: 10_000 });
  const columns: Column<RouteRuleItem>[] = [
    {
      key: 'routeName',
      title: t('routing.route'),
      fixed: true,
      card: 'title',
      cell: (row) => <Bdi>{row.routeName}</Bdi>,
    },
    {
      key: 'useState',
      title: t('routing.useState'),
      card: 'state',
      cell: (row) => (
        <StatusTag {...(useStateLooks[row.useState] ?? { glyph: 'bar', tone: 'neutral' })}>
          {t(`routing.useState.${row.useState}`)}
        </StatusTag>
      ),
    },
    {
      key: 'for',
      title: t('routing.route.for'),
      cell: (row) => (
        <div className="routing-cell">
          {row.carrier ?? t('routing.anyCarrier')}
          <span className="cell-note">
            {regionName(locale, row.areaCode)} ·{' '}
            {row.smsType === null ? t('routing.anyType') : t(`customers.smsType.${row.smsType}`)}
          </span>
        </div>
      ),
    },
    { key: 'supplier', title: t('routing.supplier'), cell: (row) => <Bdi>{row.supplierAccount}</Bdi> },
    {
      key: 'priority',
      title: t('routing.priority'),
      align: 'end',
      cell: (row) => <bdi className="num">{row.priority}</bdi>,
    },
    { key: 'weight', title: t('routing.weight'), align: 'end', cell: (row) => <Count value={row.weight} /> },
  ];
  return (
    <>
      <RouteOrder to={view.to} onTo={(to) => setView({ to }, { replace: true })} />
      <ResourceTable
        filters={
          <TabHead
            search={{ label: t('routing.route.search'), value: view.search, onChange: (search) => narrow({ search }) }}
            onClear={filtered ? clear : undefined}
            addLabel={t('routing.route.add')}
            onAdd={() => setView({ new: '1' })}
          >
            <ChoiceFilter
              label={t('routing.carrier')}
              options={carriers}
              value={view.carrier}
              onChange={(carrier) => narrow({ carrier })}
            />
            <UseStateFilter value={view.useState} onChange={(useState) => narrow({ useState })} />
          </TabHead>
        }
        name="routes"
        label={t('routing.tab.routes')}
        columns={columns}
        rowKey={(row) => row.routeId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.routeId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /routes', { query }, 'routes.csv')}
        empty={<EmptyState title={t('routing.route.empty')}>{t('routing.route.empty.text')}</EmptyState>}
      />
      {view.new && <RouteForm route={null} onClose={() => setView({ new: undefined })} />}
      {view.open && <OpenRoute routeId={view.open} onClose={() => setView({ open: undefined })} />}
    </>
  );
}

function OpenRoute({ routeId, onClose }: { routeId: string; onClose: () => void }) {
  const found = useCall('GET /routes/:routeId', { params: { routeId } });
  return found.data ? <RouteForm key={found.data.version} route={found.data} onClose={onClose} /> : null;
}
