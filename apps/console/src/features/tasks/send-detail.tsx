import { ClientStatus, type SendDetail, SendStatus, type TaskDetail } from '@pahatid/contract';
import { DealResult } from '@pahatid/domain';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFilledPage } from '../../lib/api/use-filled-page.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Count, Dash, DateTime, formatPhone, PhoneNumber } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { clientStatusLooks, sendStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { copyIdAction, copyPhoneAction } from '../../ui/table/copy-actions.ts';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { recipientFilters as filterNames, noRecipientFilter, type RecipientFilter } from './recipient-filter.ts';
import { countTask, hasRun, isMoving } from './task-counts.ts';
import { TaskPanes } from './task-panes.tsx';

const rereadMs = 5_000;
/** The same for a task that has ended, whose receipts still arrive. */
const receiptsMs = 15_000;
const pageSize = 50;

/** One row for each recipient: the request to the carrier, and what the phone answered. */
export function SendDetailTable({ task }: { task: TaskDetail }) {
  const t = useText();
  const navigate = useNavigate();
  const [view, setView] = useSearchParams([...filterNames, 'at']);
  const { mobileNumber, sendStatus, clientStatus, dealResult, at } = view;
  const filtered = filterNames.some((name) => view[name] !== undefined);
  // The API decides whether a value typed into the address is one.
  const query = {
    ...(mobileNumber && { mobileNumber }),
    ...(sendStatus && { sendStatus }),
    ...(clientStatus && { clientStatus }),
    ...(dealResult && { dealResult }),
  };
  const params = { taskId: task.taskId };
  const isAwaited = countTask(task).awaiting > 0;
  const input = { params, query: { ...query, limit: pageSize, ...(at && { cursor: at }) } };
  const page = useCall('GET /tasks/:taskId/details', input, {
    keepPrevious: true,
    refetchInterval: isMoving(task.taskStatus) ? rereadMs : isAwaited && receiptsMs,
  });
  const { list, search } = useFilledPage('GET /tasks/:taskId/details', input, page, pageSize);
  const { refetch } = list;
  // The last receipt came after the last read.
  useEffect(() => {
    if (!isAwaited) void refetch({ cancelRefetch: false });
  }, [isAwaited, refetch]);
  const narrow = (patch: Partial<Record<RecipientFilter, string | undefined>>) =>
    setView({ ...patch, at: undefined }, { replace: true });
  const clear = () => narrow(noRecipientFilter);

  return (
    <div className="stack tasks-detail">
      {hasRun(task.taskStatus) && <TaskPanes task={task} shape="strip" />}
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput
                label={t('tasks.mobileNumber')}
                value={mobileNumber}
                onChange={(next) => narrow({ mobileNumber: next })}
              />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              multiple
              label={t('tasks.sendStatus')}
              options={Object.values(SendStatus).map((n) => ({ value: String(n), label: t(`tasks.sendStatus.${n}`) }))}
              value={sendStatus}
              onChange={(next) => narrow({ sendStatus: next })}
            />
            <ChoiceFilter
              multiple
              label={t('tasks.receipt')}
              options={Object.values(ClientStatus).map((n) => ({
                value: String(n),
                label: t(`tasks.clientStatus.${n}`),
              }))}
              value={clientStatus}
              onChange={(next) => narrow({ clientStatus: next })}
            />
            <ChoiceFilter
              multiple
              label={t('tasks.dealResult')}
              options={Object.values(DealResult).map((code) => ({
                value: code,
                label: t.maybe(`deal.${code}`) ?? code,
              }))}
              value={dealResult}
              onChange={(next) => narrow({ dealResult: next })}
            />
          </FilterBar>
        }
        name="task-detail"
        label={t('tasks.tab.detail')}
        limit={pageSize}
        columns={useColumns()}
        rowKey={(row) => row.messageId}
        rowActions={{
          nameOf: (row) => formatPhone(row.mobileNumber),
          actions: [
            copyPhoneAction<SendDetail>(t, (row) => row.mobileNumber),
            copyIdAction<SendDetail>(t, (row) => row.messageId),
          ],
        }}
        list={list}
        onOpen={(row) =>
          void navigate({ to: '/bussinessStatistics/sendRecord', search: { taskId: task.taskId, open: row.messageId } })
        }
        cursor={at}
        onCursor={(next) => setView({ at: next })}
        search={search}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /tasks/:taskId/details', { params, query }, 'send-detail.csv')}
        empty={<EmptyState title={t('tasks.detail.empty')}>{t('tasks.detail.empty.text')}</EmptyState>}
      />
    </div>
  );
}

/** Results that the status ("accepted by carrier") and the receipt already show. */
const shownElsewhere: ReadonlySet<string> = new Set([DealResult.Accepted, DealResult.Delivered]);

/** Successful is the request; whether the phone has the text is the receipt's column. */
const sendStatusText = ({ sendStatus }: SendDetail, t: ReturnType<typeof useText>): string => {
  const status = t(`tasks.sendStatus.${sendStatus}`);
  return sendStatus === SendStatus.Successful ? t('tasks.sendStatus.accepted', { status }) : status;
};

function useColumns(): Column<SendDetail>[] {
  const t = useText();
  return [
    {
      key: 'mobileNumber',
      title: t('tasks.mobileNumber'),
      fixed: true,
      card: 'title',
      cell: (row) => (row.mobileNumber === '' ? t('records.erased') : <PhoneNumber value={row.mobileNumber} />),
    },
    {
      key: 'sendStatus',
      title: t('tasks.sendStatus'),
      card: 'state',
      cell: (row) => <StatusTag {...sendStatusLooks[row.sendStatus]!}>{sendStatusText(row, t)}</StatusTag>,
    },
    {
      key: 'dealResult',
      title: t('tasks.dealResult'),
      cell: (row) => (
        <span className="tasks-result">
          {!shownElsewhere.has(row.dealResult)
            ? (t.maybe(`deal.${row.dealResult}`) ?? row.dealResult)
            : !row.carrierCode && <Dash />}
          {row.carrierCode && (
            <span className="cell-note">
              <bdi className="mono">{row.carrierCode}</bdi>
            </span>
          )}
        </span>
      ),
    },
    { key: 'receipt', title: t('tasks.receipt'), cell: (row) => <Receipt row={row} /> },
    { key: 'sendTime', title: t('tasks.sendTime'), cell: (row) => <DateTime value={row.sendTime} style="short" /> },
    {
      key: 'pkgTotal',
      title: t('tasks.segmentsEach'),
      align: 'end',
      hidden: true,
      cell: (row) => <Count value={row.pkgTotal} />,
    },
  ];
}

const withReceipt: readonly ClientStatus[] = [
  ClientStatus.Delivered,
  ClientStatus.Undelivered,
  ClientStatus.Expired,
  ClientStatus.Unknown,
];

/** What the phone answered; a message that never was accepted awaits nothing. */
function Receipt({ row }: { row: SendDetail }) {
  const t = useText();
  const answered = withReceipt.includes(row.clientStatus) || row.reportTime !== null;
  if (answered)
    return (
      <StatusTag
        {...clientStatusLooks[row.clientStatus]!}
        {...(row.reportTime && { note: <DateTime value={row.reportTime} style="short" /> })}
      >
        {t(`tasks.clientStatus.${row.clientStatus}`)}
      </StatusTag>
    );
  return row.sendStatus === SendStatus.Successful ? (
    <span className="ink-3">{t('tasks.receipt.awaiting')}</span>
  ) : (
    <Dash />
  );
}
