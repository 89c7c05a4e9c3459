import { type ApiCall, apiCallKeptDays, statusClasses } from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { CallBodies } from './call-bodies.tsx';
import { CallDrawer } from './call-drawer.tsx';
import { callFilters } from './call-filters.ts';
import { CallStatus } from './call-status.tsx';

/** New calls appear automatically while the newest page is open. */
const refetchMs = 10_000;
const keysLimit = '200';

/** Log of the calls of software; one call is found by its request id. */
export default function CallsTab() {
  const t = useText();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(callFilters, ['open'], {
    byCustomer: true,
    list: 'GET /calls',
  });
  const list = useCall(
    'GET /calls',
    { query },
    { keepPrevious: true, refetchInterval: view.cursor === undefined && refetchMs },
  );
  const keys = useCall('GET /keys', { query: { limit: keysLimit, customerId: query.customerId } });
  return (
    <>
      <CallBodies customerId={query.customerId} />
      <ResourceTable<ApiCall>
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('ui.requestId')}
                value={view.requestId}
                onChange={(typed) => narrow({ requestId: typed?.slice(0, 64) })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <SearchInput
              label={`${t('developer.calls.path')}: /messages`}
              value={view.path}
              onChange={(typed) => narrow({ path: typed?.slice(0, 200) })}
            />
            <ChoiceFilter
              label={t('audit.type.key')}
              options={(keys.data?.items ?? []).map(({ keyId, keyName, prefix }) => ({
                value: keyId,
                label: `${keyName} (${prefix}…)`,
              }))}
              value={view.keyId}
              onChange={(keyId) => narrow({ keyId })}
            />
            <ChoiceFilter
              label={t('developer.errors.status')}
              options={statusClasses.map((value) => ({ value, label: `${value}xx` }))}
              value={view.status}
              onChange={(status) => narrow({ status })}
            />
            <DateRangeFilter
              label={t('audit.time')}
              from={view.from}
              to={view.to}
              onChange={(from, to) => narrow({ from, to })}
            />
          </FilterBar>
        }
        name="api-calls"
        label={t('developer.calls.title')}
        columns={useColumns()}
        rowKey={(row) => row.callId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.callId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        fact={t('callbacks.log.kept', { days: apiCallKeptDays })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /calls', { query }, 'api-calls.csv')}
        empty={<EmptyState title={t('developer.calls.empty.title')}>{t('developer.calls.empty.text')}</EmptyState>}
      />
      {view.open && (
        <CallDrawer callId={view.open} customerId={query.customerId} onClose={() => setView({ open: undefined })} />
      )}
    </>
  );
}

function useColumns(): Column<ApiCall>[] {
  const t = useText();
  return [
    {
      key: 'time',
      title: t('audit.time'),
      fixed: true,
      cell: (row) => <DateTime value={row.time} style="moment" />,
    },
    {
      key: 'path',
      title: t('developer.calls.path'),
      card: 'title',
      long: true,
      cell: (row) => (
        <span className="developer-call clip" title={`${row.method} ${row.path}`} dir="ltr">
          <code>{row.method}</code> <Mono>{row.path}</Mono>
        </span>
      ),
    },
    { key: 'status', title: t('developer.errors.status'), card: 'state', cell: (row) => <CallStatus call={row} /> },
    {
      key: 'durationMs',
      title: t('developer.calls.duration'),
      align: 'end',
      cell: (row) => t('callbacks.ms', { ms: row.durationMs }),
    },
    {
      key: 'key',
      title: t('audit.type.key'),
      cell: (row) => (
        <>
          <bdi>{row.keyName ?? t('applications.secret.app')}</bdi>
          <span className="cell-note">
            {row.prefix === null ? <bdi>{row.appName}</bdi> : <Mono>{`${row.prefix}…`}</Mono>}
          </span>
        </>
      ),
    },
    {
      key: 'requestId',
      title: t('ui.requestId'),
      cell: (row) => (
        <span className="developer-request clip" title={row.requestId}>
          <Mono>{row.requestId}</Mono>
        </span>
      ),
    },
    { key: 'ip', title: 'IP', hidden: true, cell: (row) => <Mono>{row.ip}</Mono> },
  ];
}
