import { ClientStatus, carrierFilters, type SendRecord, SendStatus, SmsType } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFilledPage } from '../../lib/api/use-filled-page.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ApplicationFilter, TaskFilter } from '../../ui/filters/belonging-filters.tsx';
import { ChoiceFilter, DateRangeFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { CountryFilter, CustomerFilter, RouteFilter, SenderFilter } from '../../ui/filters/message-filters.tsx';
import { MoreFilters } from '../../ui/filters/more-filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import { ExportsButton, ExportsDialog, useExports } from './exports.tsx';
import { exportColumns, recordColumns } from './record-columns.tsx';
import { RecordDrawer } from './record-drawer.tsx';
import { TemplateFilter } from './record-lookups.tsx';
import './records.css';
import { recordFilterNames } from './saved-filter-view.ts';
import { SavedFilters } from './saved-filters.tsx';
import { useFreshCount } from './use-fresh-count.ts';

/** Longer than any phone number: the id of a message. */
const isMessageId = /^\d{16,18}$/;
const searchOf = (typed: string | undefined) =>
  isMessageId.test(typed ?? '')
    ? { messageId: typed, phoneAddress: undefined }
    : { messageId: undefined, phoneAddress: typed };

/** What the API hands out for one page when no limit is asked for. */
const pageSize = 20;

export default function RecordsScreen() {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, filtered, narrow, clear } = useListView(recordFilterNames, ['open', 'exports']);
  const firstPage = useCall('GET /records', { query }, { keepPrevious: true });
  const { list, search } = useFilledPage('GET /records', { query }, firstPage, pageSize);
  const fresh = useFreshCount(query, view.cursor === undefined && !view.to && !view.messageId, firstPage);
  const refresh = useRefresh();
  const exports = useExports();
  const startExport = async (chosen: readonly string[] | undefined) => {
    const { cursor: _, ...narrowed } = query;
    await call('POST /exports', {
      body: { list: 'records', query: narrowed, ...(chosen && { columns: exportColumns(chosen) }) },
    });
    await refresh('/exports');
    toast(t('records.exports.started'), 'info');
  };

  return (
    <Page>
      <PageHeader
        title={t('records.title')}
        fact={t('records.fact')}
        actions={<ExportsButton exports={exports} onOpen={() => setView({ exports: '1' })} />}
      />
      <FilterBar onClear={filtered ? clear : undefined}>
        <SearchInput
          label={t('records.search.any')}
          value={view.messageId ?? view.phoneAddress}
          onChange={(typed) => narrow(searchOf(typed))}
        />
        <SavedFilters
          view={view}
          filtered={filtered}
          asked={filtered || Boolean(view.open ?? view.cursor ?? view.exports)}
          onApply={narrow}
        />
        <DateRangeFilter
          label={t('records.period')}
          from={view.from}
          to={view.to}
          onChange={(from, to) => narrow({ from, to })}
        />
        <ChoiceFilter
          multiple
          label={t('records.status')}
          options={Object.values(ClientStatus).map((n) => ({ value: String(n), label: t(`records.status.${n}`) }))}
          value={view.clientStatus}
          onChange={(clientStatus) => narrow({ clientStatus })}
        />
        <ChoiceFilter
          label={t('records.carrier')}
          options={carrierFilters.map((value) => ({
            value,
            label: value === 'unknown' ? t('records.carrier.none') : value,
          }))}
          value={view.carrier}
          onChange={(carrier) => narrow({ carrier })}
        />
        <TaskFilter value={view.taskId} onChange={(taskId) => narrow({ taskId })} />
        <TemplateFilter value={view.templateId} onChange={(templateId) => narrow({ templateId })} />
        <MoreFilters
          filters={[
            {
              key: 'smsType',
              label: t('records.type'),
              isSet: view.smsType !== undefined,
              filter: (
                <ChoiceFilter
                  multiple
                  label={t('records.type')}
                  options={Object.values(SmsType).map((n) => ({ value: String(n), label: t(`records.type.${n}`) }))}
                  value={view.smsType}
                  onChange={(smsType) => narrow({ smsType })}
                />
              ),
            },
            {
              key: 'sendStatus',
              label: t('tasks.sendStatus'),
              isSet: view.sendStatus !== undefined,
              filter: (
                <ChoiceFilter
                  multiple
                  label={t('tasks.sendStatus')}
                  options={Object.values(SendStatus).map((n) => ({
                    value: String(n),
                    label: t(`tasks.sendStatus.${n}`),
                  }))}
                  value={view.sendStatus}
                  onChange={(sendStatus) => narrow({ sendStatus })}
                />
              ),
            },
            {
              key: 'clientSid',
              label: t('records.sender'),
              isSet: view.clientSid !== undefined,
              filter: <SenderFilter value={view.clientSid} onChange={(clientSid) => narrow({ clientSid })} />,
            },
            {
              key: 'appId',
              label: t('records.application'),
              isSet: view.appId !== undefined,
              filter: <ApplicationFilter value={view.appId} onChange={(appId) => narrow({ appId })} />,
            },
            {
              key: 'areaCode',
              label: t('records.country'),
              isSet: view.areaCode !== undefined,
              filter: <CountryFilter value={view.areaCode} onChange={(areaCode) => narrow({ areaCode })} />,
            },
            ...(isStaff
              ? [
                  {
                    key: 'customerId',
                    label: t('records.customer'),
                    isSet: view.customerId !== undefined,
                    filter: (
                      <CustomerFilter value={view.customerId} onChange={(customerId) => narrow({ customerId })} />
                    ),
                  },
                  {
                    key: 'routeId',
                    label: t('records.route'),
                    isSet: view.routeId !== undefined,
                    filter: <RouteFilter value={view.routeId} onChange={(routeId) => narrow({ routeId })} />,
                  },
                ]
              : []),
          ]}
        />
      </FilterBar>
      <ResourceTable<SendRecord>
        name="records"
        label={t('records.title')}
        columns={recordColumns(t, isStaff)}
        rowKey={(row) => row.messageId}
        list={list}
        onOpen={(row) => setView({ open: row.messageId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        fact={!view.from && !view.to && !view.messageId && t('records.default')}
        search={search}
        fresh={{ count: fresh, onShow: () => void list.refetch() }}
        filtered={filtered}
        onClearFilters={clear}
        onExport={startExport}
        empty={<EmptyState title={t('records.empty.title')}>{t('records.empty.text')}</EmptyState>}
      />
      {view.exports && <ExportsDialog exports={exports} onClose={() => setView({ exports: undefined })} />}
      {view.open && <RecordDrawer key={view.open} messageId={view.open} onClose={() => setView({ open: undefined })} />}
    </Page>
  );
}
