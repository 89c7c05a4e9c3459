import type { UnownedReply } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Dash, DateTime, formatPhone, Mono, PhoneNumber } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filters/filters.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { copyPhoneAction } from '../../ui/table/copy-actions.ts';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import './inbound.css';

/** Texts to an address that no customer owns, for staff. */
export default function UnownedRepliesScreen() {
  const t = useText();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(['optOut', 'destination'], [], {
    list: 'GET /unowned-replies',
  });
  const list = useCall('GET /unowned-replies', { query }, { keepPrevious: true });
  const columns: Column<UnownedReply>[] = [
    { key: 'time', title: t('inbound.time'), fixed: true, cell: (row) => <DateTime value={row.time} style="short" /> },
    {
      key: 'mobileNumber',
      title: t('records.phone'),
      card: 'title',
      cell: (row) => <PhoneNumber value={row.mobileNumber} />,
    },
    { key: 'content', title: t('inbound.text'), long: true, card: 'body', cell: (row) => <bdi>{row.content}</bdi> },
    {
      key: 'optOut',
      title: t('inbound.kind'),
      card: 'state',
      cell: (row) => (row.optOut === 1 ? t('inbound.kind.1') : <Dash />),
    },
    { key: 'destination', title: t('inbound.destination'), cell: (row) => <Mono>{row.destination}</Mono> },
    { key: 'supplierAccount', title: t('inbound.unowned.account'), cell: (row) => <Mono>{row.supplierAccount}</Mono> },
  ];
  return (
    <Page>
      <PageHeader title={t('inbound.unowned.title')} fact={t('inbound.unowned.fact')} />
      <ResourceTable<UnownedReply>
        filters={
          <FilterBar onClear={filtered ? clear : undefined}>
            <ChoiceFilter
              label={t('inbound.kind')}
              options={(['1', '0'] as const).map((value) => ({ value, label: t(`inbound.kind.${value}`) }))}
              value={view.optOut}
              onChange={(optOut) => narrow({ optOut })}
            />
            <TextFilter
              label={t('inbound.destination')}
              value={view.destination}
              onChange={(destination) => narrow({ destination })}
            />
          </FilterBar>
        }
        name="unownedReplies"
        label={t('inbound.unowned.title')}
        columns={columns}
        rowKey={(row) => row.inboundId}
        rowActions={{
          nameOf: (row) => formatPhone(row.mobileNumber),
          actions: [copyPhoneAction(t, (row) => row.mobileNumber)],
        }}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /unowned-replies', { query }, 'unowned-replies.csv')}
        empty={<EmptyState title={t('inbound.unowned.empty.title')}>{t('inbound.unowned.empty.text')}</EmptyState>}
      />
    </Page>
  );
}
