import type { InboundText } from '@pahatid/contract';
import { Text } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { copyText } from '../../ui/data/copy-text.ts';
import { Dash, DateTime, formatPhone, Mono, PhoneNumber } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ApplicationFilter, TaskFilter } from '../../ui/filters/belonging-filters.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { copyPhoneAction } from '../../ui/table/copy-actions.ts';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import type { RowActions } from '../../ui/table/row-action.ts';
import { InboundDrawer } from './inbound-drawer.tsx';
import { OptOutTag } from './inbound-kind.tsx';
import './inbound.css';

const filters = ['mobileNumber', 'optOut', 'from', 'to', 'taskId', 'appId', 'destination'] as const;

export default function InboundScreen() {
  const t = useText();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(filters, ['open'], {
    byCustomer: true,
    list: 'GET /inbound',
  });
  const list = useCall('GET /inbound', { query }, { keepPrevious: true });
  return (
    <Page>
      <PageHeader title={t('inbound.title')} fact={t('inbound.fact')} />
      <ResourceTable<InboundText>
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('records.search')}
                value={view.mobileNumber}
                onChange={(mobileNumber) => narrow({ mobileNumber })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('inbound.kind')}
              options={(['1', '0'] as const).map((value) => ({ value, label: t(`inbound.kind.${value}`) }))}
              value={view.optOut}
              onChange={(optOut) => narrow({ optOut })}
            />
            <DateRangeFilter
              label={t('inbound.time')}
              from={view.from}
              to={view.to}
              onChange={(from, to) => narrow({ from, to })}
            />
            <TaskFilter value={view.taskId} onChange={(taskId) => narrow({ taskId })} />
            <ApplicationFilter value={view.appId} onChange={(appId) => narrow({ appId })} />
            <TextFilter
              label={t('inbound.destination')}
              value={view.destination}
              onChange={(destination) => narrow({ destination })}
            />
          </FilterBar>
        }
        name="inbound"
        label={t('inbound.title')}
        columns={useColumns()}
        rowKey={(row) => row.inboundId}
        list={list}
        order={order}
        rowActions={useRowActions()}
        onOpen={(row) => setView({ open: row.inboundId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /inbound', { query }, 'replies.csv')}
        empty={<EmptyState title={t('inbound.empty.title')}>{t('inbound.empty.text')}</EmptyState>}
      />
      {view.open && <InboundDrawer inboundId={view.open} onClose={() => setView({ open: undefined })} />}
    </Page>
  );
}

function useRowActions(): RowActions<InboundText> {
  const t = useText();
  return {
    nameOf: ({ mobileNumber }) => formatPhone(mobileNumber),
    actions: [
      copyPhoneAction(t, ({ mobileNumber }) => mobileNumber),
      { key: 'text', label: t('ui.copy'), icon: Text, run: ({ content }) => copyText(content, t) },
    ],
  };
}

function useColumns(): Column<InboundText>[] {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  return [
    { key: 'time', title: t('inbound.time'), fixed: true, cell: (row) => <DateTime value={row.time} style="short" /> },
    ...(isStaff
      ? [{ key: 'operator', title: t('groups.operator'), cell: (row: InboundText) => <bdi>{row.operator}</bdi> }]
      : []),
    {
      key: 'mobileNumber',
      title: t('records.phone'),
      card: 'title',
      cell: (row) => <PhoneNumber value={row.mobileNumber} />,
    },
    {
      key: 'content',
      title: t('inbound.text'),
      long: true,
      card: 'body',
      cell: (row) => <bdi>{row.content}</bdi>,
    },
    {
      key: 'optOut',
      title: t('inbound.kind'),
      card: 'state',
      cell: (row) =>
        row.optOut === 1 ? (
          <OptOutTag reply={row} />
        ) : (
          <span className="inbound-none">
            <Dash />
          </span>
        ),
    },
    {
      key: 'taskName',
      title: t('records.taskName'),
      cell: (row) => (row.taskName === null ? <Dash /> : <bdi>{row.taskName}</bdi>),
    },
    { key: 'destination', title: t('inbound.destination'), cell: (row) => <Mono>{row.destination}</Mono> },
    {
      key: 'appId',
      title: t('records.application'),
      hidden: true,
      cell: (row) => (row.appId === null ? <Dash /> : <Mono>{row.appId}</Mono>),
    },
    {
      key: 'messageId',
      title: t('records.id'),
      hidden: true,
      cell: (row) => (row.messageId === null ? <Dash /> : <Mono>{row.messageId}</Mono>),
    },
  ];
}
