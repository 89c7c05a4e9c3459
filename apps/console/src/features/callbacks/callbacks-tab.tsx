import {
  type Callback,
  type CallbackEndpoint,
  callbackKeptDays,
  callbackStates,
  callbackTypes,
} from '@pahatid/contract';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { Count, Dash, DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { TestModeFilter } from '../../ui/filters/test-mode-filter.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { Address } from './address.tsx';
import { answerText, EndpointStateTag, EventStateTag, endpointName } from './callback-state.tsx';
import './callbacks.css';
import { EndpointDrawer } from './endpoint-drawer.tsx';
import { EventDrawer } from './event-drawer.tsx';

export const callbackFilters = ['messageId', 'endpointId', 'type', 'state', 'from', 'to'] as const;

/** New events appear automatically while the newest page is open. */
const refetchMs = 10_000;
/** The maximum possible count. */
const endpointLimit = '200';

/** The callback log, and the callback endpoints. */
export function CallbacksTab() {
  const t = useText();
  const {
    view,
    setView,
    query: asked,
    order,
    filtered,
    narrow,
    clear,
  } = useListView(callbackFilters, ['open', 'endpoint', 'test'], { byCustomer: true, list: 'GET /callbacks' });
  const isStaff = useSession().user.kind === 'staff';
  const isTest = !isStaff && view.test === '1';
  const query = isTest ? { ...asked, test: '1' as const } : asked;
  const list = useCall(
    'GET /callbacks',
    { query },
    { keepPrevious: true, refetchInterval: view.cursor === undefined && refetchMs },
  );
  const endpoints = useCall(
    'GET /callback-endpoints',
    { query: { limit: endpointLimit, customerId: query.customerId } },
    { refetchInterval: refetchMs },
  );
  return (
    <>
      <p className="ink-2">{t('callbacks.fact')}</p>
      {endpoints.data && endpoints.data.items.length > 0 && (
        <Panel title={t('callbacks.endpoints')}>
          <EndpointList items={endpoints.data.items} onOpen={(endpoint) => setView({ endpoint })} />
        </Panel>
      )}
      <ResourceTable<Callback>
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('records.id')}
                value={view.messageId}
                onChange={(typed) => narrow({ messageId: typed?.replaceAll(/\D/g, '').slice(0, 18) || undefined })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              label={t('callbacks.to')}
              options={(endpoints.data?.items ?? []).map((endpoint) => ({
                value: endpoint.endpointId,
                label: endpointName(t, endpoint),
              }))}
              value={view.endpointId}
              onChange={(endpointId) => narrow({ endpointId })}
            />
            <ChoiceFilter
              label={t('callbacks.type')}
              options={callbackTypes.map((value) => ({ value, label: t(`callbacks.type.${value}`) }))}
              value={view.type}
              onChange={(type) => narrow({ type })}
            />
            <ChoiceFilter
              label={t('callbacks.state')}
              options={callbackStates.map((value) => ({ value, label: t(`callbacks.event.${value}`) }))}
              value={view.state}
              onChange={(state) => narrow({ state })}
            />
            <DateRangeFilter
              label={t('callbacks.time')}
              from={view.from}
              to={view.to}
              onChange={(from, to) => narrow({ from, to })}
            />
            <TestModeFilter />
          </FilterBar>
        }
        name="callbacks"
        label={t('callbacks.log')}
        columns={useColumns()}
        rowKey={(row) => row.eventId}
        list={list}
        order={order}
        onOpen={(row) => setView({ open: row.eventId })}
        openKey={view.open}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        fact={t('callbacks.log.kept', { days: callbackKeptDays })}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /callbacks', { query }, 'callbacks.csv')}
        empty={
          <EmptyState
            title={t('callbacks.log.empty.title')}
            action={<ButtonLink to="/application">{t('shell.menu.applications')}</ButtonLink>}
          >
            {t('callbacks.log.empty.text')}
          </EmptyState>
        }
      />
      {view.open && <EventDrawer eventId={view.open} isTest={isTest} onClose={() => setView({ open: undefined })} />}
      {view.endpoint && <EndpointDrawer endpointId={view.endpoint} onClose={() => setView({ endpoint: undefined })} />}
    </>
  );
}

interface EndpointListProps {
  items: readonly CallbackEndpoint[];
  onOpen: (endpointId: string) => void;
}

function EndpointList({ items, onOpen }: EndpointListProps) {
  const t = useText();
  return (
    <table className="plain-table is-stacked">
      <caption className="visually-hidden">{t('callbacks.endpoints')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('callbacks.to')}</th>
          <th scope="col">{t('callbacks.state')}</th>
          <th scope="col">{t('callbacks.last')}</th>
          <th scope="col" className="align-end">
            {t('callbacks.waiting')}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((endpoint) => (
          <tr key={endpoint.endpointId}>
            <td data-label={t('callbacks.to')}>
              <span className="callbacks-name">
                <button type="button" className="row-open" onClick={() => onOpen(endpoint.endpointId)}>
                  <bdi>{endpointName(t, endpoint)}</bdi>
                </button>
                <span className="cell-note callbacks-url">
                  <Address url={endpoint.url} />
                </span>
              </span>
            </td>
            <td data-label={t('callbacks.state')}>
              <EndpointStateTag state={endpoint.state} />
            </td>
            <td data-label={t('callbacks.last')}>
              {endpoint.lastAttempt === null ? (
                <span className="ink-3">{t('callbacks.never')}</span>
              ) : (
                <span>
                  <bdi>{answerText(t, endpoint.lastAttempt)}</bdi>
                  <span className="cell-note">
                    <DateTime value={endpoint.lastAttempt.time} style="short" />
                  </span>
                </span>
              )}
            </td>
            <td data-label={t('callbacks.waiting')} className="align-end">
              <Count value={endpoint.waiting} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useColumns(): Column<Callback>[] {
  const t = useText();
  return [
    {
      key: 'time',
      title: t('callbacks.time'),
      fixed: true,
      cell: (row) => <DateTime value={row.time} style="moment" />,
    },
    {
      key: 'type',
      title: t('callbacks.type'),
      card: 'title',
      cell: (row) => (
        <>
          {t(`callbacks.type.${row.type}`)}
          {row.clientStatus !== null && <span className="cell-note">{t(`records.status.${row.clientStatus}`)}</span>}
        </>
      ),
    },
    {
      key: 'state',
      title: t('callbacks.state'),
      card: 'state',
      cell: (row) => (
        <EventStateTag
          state={row.state}
          note={row.attempts > 0 && answerText(t, { status: row.lastStatus, error: row.lastError })}
        />
      ),
    },
    {
      key: 'to',
      title: t('callbacks.to'),
      long: true,
      cell: (row) => (
        <>
          <bdi>{endpointName(t, row)}</bdi>
          <span className="cell-note clip">
            <Mono>{row.url}</Mono>
          </span>
        </>
      ),
    },
    { key: 'attempts', title: t('callbacks.tries'), align: 'end', cell: (row) => <Count value={row.attempts} /> },
    {
      key: 'lastTime',
      title: t('callbacks.lastTry'),
      cell: (row) => <DateTime value={row.lastTime} style="short" />,
    },
    {
      key: 'nextTryTime',
      title: t('callbacks.nextTry'),
      cell: (row) => <DateTime value={row.nextTryTime} style="short" />,
    },
    {
      key: 'messageId',
      title: t('records.id'),
      hidden: true,
      cell: (row) => (row.messageId === null ? <Dash /> : <Mono>{row.messageId}</Mono>),
    },
  ];
}
