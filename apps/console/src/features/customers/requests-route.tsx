import type { AccountRequest } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Bdi, DateTime } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import './customers.css';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestState, requestStates, useRequestTexts } from './request-parts.tsx';

/** `/accountRequest`: what visitors wrote by "Request an account". */
export default function AccountRequestsScreen() {
  const t = useText();
  const texts = useRequestTexts();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(['search', 'state'], ['open'], {
    list: 'GET /account-requests',
  });
  const list = useCall('GET /account-requests', { query }, { keepPrevious: true, refetchInterval: 30_000 });

  const columns: Column<AccountRequest>[] = [
    {
      key: 'company',
      title: t('enquiries.company'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name">
          <Bdi>{row.company}</Bdi>
          <span className="cell-note">
            <Bdi>{row.name}</Bdi>
          </span>
        </span>
      ),
    },
    { key: 'state', title: t('approvals.state'), card: 'state', cell: (row) => <RequestState state={row.state} /> },
    { key: 'email', title: t('enquiries.email'), cell: (row) => <bdi dir="ltr">{row.email}</bdi> },
    { key: 'uses', title: t('customers.request.uses'), cell: texts.uses },
    { key: 'monthlyVolume', title: t('customers.request.volume'), align: 'end', cell: texts.volume },
    {
      key: 'requestTime',
      title: t('customers.request.time'),
      cell: (row) => <DateTime value={row.requestTime} style="short" />,
    },
  ];

  return (
    <Page>
      <PageHeader title={t('shell.menu.accountRequests')} fact={t('customers.request.fact')} />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('customers.request.search')}
                value={view.search}
                onChange={(search) => narrow({ search })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('approvals.state')}
              options={requestStates.map((value) => ({ value, label: texts.state(value) }))}
              value={view.state}
              onChange={(state) => narrow({ state })}
            />
          </FilterBar>
        }
        name="accountRequests"
        label={t('shell.menu.accountRequests')}
        columns={columns}
        rowKey={(row) => row.accountRequestId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.accountRequestId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /account-requests', { query }, 'account-requests.csv')}
        empty={<EmptyState title={t('approvals.empty.all')}>{t('customers.request.empty')}</EmptyState>}
      />
      {view.open && (
        <RequestDrawer
          accountRequestId={view.open}
          row={list.data?.items.find((row) => row.accountRequestId === view.open)}
          onClose={() => setView({ open: undefined })}
        />
      )}
    </Page>
  );
}
