import { type SetAsideEventView, SetAsideKind } from '@pahatid/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, Dash, DateTime, Mono } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import './routing.css';

/** `/setAsideEvent`: results, receipts and texts that the database could not store. */
export default function SetAsideScreen() {
  const t = useText();
  const { view, setView, query, order, filtered, narrow, clear } = useListView(['kind', 'handled', 'supplierId'], [], {
    list: 'GET /set-aside-events',
  });
  const list = useCall('GET /set-aside-events', { query }, { keepPrevious: true });
  const [handling, setHandling] = useState<SetAsideEventView>();
  const columns: Column<SetAsideEventView>[] = [
    {
      key: 'time',
      title: t('routing.setAside.time'),
      fixed: true,
      cell: (row) => <DateTime value={row.time} style="short" />,
    },
    {
      key: 'kind',
      title: t('routing.setAside.kind'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name">
          {t(`routing.setAside.kind.${row.kind}`)}
          <span className="cell-note">
            <Mono>{row.supplierAccount}</Mono>
            {row.optOut !== null && ` · ${t(`routing.setAside.optOut.${row.optOut}`)}`}
          </span>
        </span>
      ),
    },
    {
      key: 'error',
      title: t('routing.setAside.error'),
      cell: (row) => (
        <span className="routing-words">
          {errorText(row.errorCode, t)}
          <span className="cell-note">
            <Mono>{row.errorCode}</Mono>
          </span>
        </span>
      ),
    },
    {
      key: 'message',
      title: t('routing.setAside.message'),
      long: true,
      cell: (row) => <MessageLinks of={row.message} />,
    },
    {
      key: 'content',
      title: t('routing.setAside.content'),
      hidden: true,
      long: true,
      card: 'body',
      cell: (row) => <Mono>{row.content}</Mono>,
    },
    {
      key: 'state',
      title: t('routing.setAside.state'),
      card: 'state',
      cell: (row) => <State of={row} />,
    },
    {
      key: 'actions',
      title: t('routing.setAside.actions'),
      fixed: true,
      card: 'actions',
      align: 'end',
      cell: (row) =>
        row.handledTime === null && (
          <Button size="small" onClick={() => setHandling(row)}>
            {t('routing.setAside.handle')}
          </Button>
        ),
    },
  ];
  return (
    <Page>
      <PageHeader title={t('routing.setAside.title')} fact={t('routing.setAside.fact')} />
      <ResourceTable<SetAsideEventView>
        filters={
          <FilterBar onClear={filtered ? clear : undefined}>
            <ChoiceFilter
              label={t('routing.setAside.kind')}
              options={Object.values(SetAsideKind).map((value) => ({
                value,
                label: t(`routing.setAside.kind.${value}`),
              }))}
              value={view.kind}
              onChange={(kind) => narrow({ kind })}
            />
            <ChoiceFilter
              label={t('routing.setAside.state')}
              options={(['0', '1'] as const).map((value) => ({ value, label: t(`routing.setAside.state.${value}`) }))}
              value={view.handled}
              onChange={(handled) => narrow({ handled })}
            />
          </FilterBar>
        }
        name="setAsideEvents"
        label={t('routing.setAside.title')}
        columns={columns}
        rowKey={(row) => row.eventId}
        list={list}
        order={order}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        filtered={filtered}
        onClearFilters={clear}
        empty={<EmptyState title={t('routing.setAside.empty.title')}>{t('routing.setAside.empty.text')}</EmptyState>}
      />
      {handling && <HandleDialog event={handling} onClose={() => setHandling(undefined)} />}
    </Page>
  );
}

/** By its SQLSTATE, else by the class of it. */
const errorText = (code: string, t: Text): string =>
  t.maybe(`routing.setAside.error.${code}`) ??
  t.maybe(`routing.setAside.error.${code.slice(0, 2)}`) ??
  t('routing.setAside.error.other');

function MessageLinks({ of }: { of: SetAsideEventView['message'] }) {
  const t = useText();
  if (of === null) return <Dash />;
  const { customerId, messageId, operator, taskId, taskName } = of;
  return (
    <span className="cell-name">
      <Link to="/bussinessStatistics/sendRecord" search={{ customerId, open: messageId }}>
        <Mono>{messageId}</Mono>
      </Link>
      <span className="cell-note">
        <Bdi>{operator}</Bdi>
        {taskId !== null && (
          <>
            {' · '}
            <Link to="/bulkMessage" search={{ customerId, open: taskId }}>
              <Bdi>{taskName ?? t('records.openTask')}</Bdi>
            </Link>
          </>
        )}
      </span>
    </span>
  );
}

function State({ of }: { of: SetAsideEventView }) {
  const t = useText();
  if (of.handledTime === null)
    return (
      <StatusTag glyph="dots" tone="warning">
        {t('routing.setAside.state.0')}
      </StatusTag>
    );
  const note = (
    <span className="routing-words">
      {of.handledBy !== null && (
        <>
          <Bdi>{of.handledBy}</Bdi>
          {' · '}
        </>
      )}
      <DateTime value={of.handledTime} style="short" />
    </span>
  );
  return (
    <StatusTag glyph="done" tone="success" note={note}>
      {t('routing.setAside.state.1')}
    </StatusTag>
  );
}

function HandleDialog({ event, onClose }: { event: SetAsideEventView; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const handle = async () => {
    await call('POST /set-aside-events/:eventId/handle', { params: { eventId: event.eventId } });
    toast(t('routing.setAside.handled'));
    await refresh('/set-aside-events', '/traffic');
  };
  return (
    <ConfirmDialog
      title={t('routing.setAside.handle.title')}
      confirmLabel={t('routing.setAside.handle')}
      onConfirm={handle}
      onClose={onClose}
    >
      <p>{t(`routing.setAside.handle.${event.kind}`)}</p>
    </ConfirmDialog>
  );
}
