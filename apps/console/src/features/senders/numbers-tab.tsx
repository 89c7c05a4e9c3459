import type { AssignedNumber } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { loadChunk } from '../../ui/feedback/load-error.ts';
import { FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { InHeader } from '../../ui/page/header-place.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { NumberDrawer } from './number-drawer.tsx';
import { operatorColumn, stateColumn, UseStateFilter } from './sender-columns.tsx';

/** With the rules of phone numbers, which only staff need here. */
const AssignNumber = lazy(() => loadChunk(() => import('./assign-number.tsx')));

/** Short codes and long numbers that staff assigned: recipients can reply to them. */
export function NumbersTab() {
  const t = useText();
  const mayAssign = useMay('operator', 'admin');
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'useState'],
    ['open', 'new'],
    {
      byCustomer: true,
      list: 'GET /numbers',
    },
  );
  const list = useCall('GET /numbers', { query }, { keepPrevious: true });
  const add = mayAssign && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: '1' })}>
      {t('senders.number.assign')}
    </Button>
  );
  const columns: Column<AssignedNumber>[] = [
    {
      key: 'number',
      title: t('senders.number'),
      fixed: true,
      card: 'title',
      cell: (row) => <Mono>{row.number}</Mono>,
    },
    { key: 'kind', title: t('senders.number.kind'), cell: (row) => t(`senders.number.kind.${row.kind}`) },
    { key: 'appName', title: t('senders.application'), cell: (row) => row.appName },
    ...(isStaff ? [operatorColumn(t)] : []),
    { ...stateColumn(t), card: 'state' },
    {
      key: 'assignTime',
      title: t('senders.number.assignTime'),
      cell: (row) => <DateTime value={row.assignTime} style="short" />,
    },
  ];
  return (
    <>
      <InHeader place="actions">{add}</InHeader>
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput label={t('senders.number')} value={view.search} onChange={(search) => narrow({ search })} />
            }
            onClear={filtered ? clear : undefined}
          >
            <UseStateFilter value={view.useState} onChange={(useState) => narrow({ useState })} />
          </FilterBar>
        }
        name="numbers"
        label={t('senders.tab.numbers')}
        columns={columns}
        rowKey={(row) => row.numberId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.numberId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /numbers', { query }, 'numbers.csv')}
        empty={
          <EmptyState title={t('senders.number.empty.title')} action={add}>
            {t(isStaff ? 'senders.number.empty.staff' : 'senders.number.empty.text')}
          </EmptyState>
        }
      />
      {view.open && <NumberDrawer numberId={view.open} onClose={() => setView({ open: undefined })} />}
      {view.new && mayAssign && (
        <Suspense fallback={null}>
          <AssignNumber onClose={() => setView({ new: undefined })} />
        </Suspense>
      )}
    </>
  );
}
