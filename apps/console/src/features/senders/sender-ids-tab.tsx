import { AuditStatus, type Sender } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { InHeader } from '../../ui/page/header-place.tsx';
import { auditStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { RegisterSender } from './register-sender.tsx';
import { SenderAudit } from './sender-audit.tsx';
import { operatorColumn, stateColumn, UseStateFilter } from './sender-columns.tsx';
import { SenderDrawer } from './sender-drawer.tsx';

/** Sender IDs that a customer registers. */
export function SenderIdsTab() {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'auditStatus', 'useState'],
    ['open', 'new', 'part', 'carrier'],
    { byCustomer: true, list: 'GET /senders' },
  );
  const list = useCall('GET /senders', { query }, { keepPrevious: true });
  const add = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setView({ new: '1' })}>
      {t('senders.add')}
    </Button>
  );

  const columns: Column<Sender>[] = [
    {
      key: 'senderId',
      title: t('senders.senderId'),
      fixed: true,
      card: 'title',
      cell: (row) => <Mono>{row.senderId}</Mono>,
    },
    {
      key: 'auditStatus',
      title: t('senders.auditStatus'),
      card: 'state',
      cell: (row) => <SenderAudit sender={row} />,
    },
    {
      key: 'areaCode',
      title: t('senders.area'),
      cell: (row) => t.maybe(`senders.area.${row.areaCode}`) ?? row.areaCode,
    },
    { key: 'appName', title: t('senders.application'), cell: (row) => row.appName },
    ...(isStaff ? [operatorColumn(t)] : []),
    stateColumn(t),
    {
      key: 'carriers',
      title: t('senders.carriers'),
      cell: (row) => (
        <span className="senders-carriers">
          {row.carriers.map(({ carrier, auditStatus }) => (
            <StatusTag key={carrier} {...auditStatusLooks[auditStatus]!}>
              <span title={t(`senders.carrier.${auditStatus}`)}>
                {carrier}
                <span className="visually-hidden">: {t(`senders.carrier.${auditStatus}`)}</span>
              </span>
            </StatusTag>
          ))}
        </span>
      ),
    },
    {
      key: 'operateTime',
      title: t('senders.operateTime'),
      cell: (row) => <DateTime value={row.operateTime} style="short" />,
    },
  ];

  return (
    <>
      <InHeader place="actions">{add}</InHeader>
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput label={t('senders.search')} value={view.search} onChange={(search) => narrow({ search })} />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              multiple
              label={t('senders.auditStatus')}
              options={Object.values(AuditStatus).map((n) => ({
                value: String(n),
                label: t(`senders.auditStatus.${n}`),
              }))}
              value={view.auditStatus}
              onChange={(auditStatus) => narrow({ auditStatus })}
            />
            <UseStateFilter value={view.useState} onChange={(useState) => narrow({ useState })} />
          </FilterBar>
        }
        name="senders"
        label={t('senders.title')}
        columns={columns}
        rowKey={(row) => row.id}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.id })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /senders', { query }, 'sender-ids.csv')}
        empty={
          <EmptyState title={t('senders.empty.title')} action={add}>
            {t('senders.empty.text')}
          </EmptyState>
        }
      />
      {view.open && (
        <SenderDrawer
          id={view.open}
          row={list.data?.items.find((row) => row.id === view.open)}
          part={view.part === 'carriers' ? 'carriers' : 'overview'}
          carrier={view.carrier}
          onPart={(part) => setView({ part: part === 'carriers' ? part : undefined })}
          onClose={() => setView({ open: undefined, part: undefined, carrier: undefined })}
        />
      )}
      {view.new && mayWrite && <RegisterSender onClose={() => setView({ new: undefined })} />}
    </>
  );
}
