import { SmsType, type Task, TaskStatus } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useListView } from '../../lib/router/use-list-view.ts';
import { Button } from '../../ui/base/button.tsx';
import { Count, Dash, DateTime, Money, ShortId } from '../../ui/data/text.tsx';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters/filters.tsx';
import { SearchInput } from '../../ui/filters/search-input.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { taskStatusLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { ResourceTable } from '../../ui/table/resource-table.tsx';
import type { Column } from '../../ui/table/resource-table-props.ts';
import { closedDrawer, drawerParams } from './drawer-view.ts';
import { useBulkTaskActions, useTaskRowActions } from './task-list-actions.ts';
import { TaskProgressCell } from './task-progress.tsx';
import { TaskStatusTag } from './task-status.tsx';
import { TaskTotals } from './task-totals.tsx';
import './tasks.css';
import { hasRun } from './task-counts.ts';
import { useLiveTasks } from './use-live-tasks.ts';

const TaskDrawer = lazyPart(() => import('./task-drawer.tsx'));

/** While the event stream is broken, tasks that move are read this often. */
const fallbackMs = 10_000;

export default function TasksScreen() {
  const t = useText();
  const navigate = useNavigate();
  const mayWrite = useMay('owner', 'member');
  const isStaff = useSession().user.kind === 'staff';
  const { view, setView, query, order, filtered, narrow, clear } = useListView(
    ['search', 'taskStatus', 'smsType', 'appId', 'from', 'to'],
    drawerParams,
    { byCustomer: true, list: 'GET /tasks' },
  );
  const live = useLiveTasks('/tasks/events');
  const list = useCall(
    'GET /tasks',
    { query },
    { keepPrevious: true, refetchInterval: live === 'live' ? false : fallbackMs },
  );
  const applications = useCall('GET /applications', { query: { limit: 200 } }, { staleTime: 60_000 });
  const bulk = useBulkTaskActions();
  const rowActions = useTaskRowActions();
  const create = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => void navigate({ to: '/bulkMessage/addMessage' })}>
      {t('tasks.create')}
    </Button>
  );

  return (
    <Page>
      <PageHeader title={t('tasks.title')} fact={t('tasks.fact')} actions={create} />
      <ResourceTable
        filters={
          <FilterBar
            search={
              <SearchInput label={t('tasks.search')} value={view.search} onChange={(search) => narrow({ search })} />
            }
            onClear={filtered ? clear : undefined}
          >
            <ChoiceFilter
              multiple
              label={t('tasks.status')}
              options={Object.values(TaskStatus).map((n) => ({
                value: String(n),
                label: t(`tasks.status.${n}`),
                content: <StatusTag {...taskStatusLooks[n]!}>{t(`tasks.status.${n}`)}</StatusTag>,
              }))}
              value={view.taskStatus}
              onChange={(taskStatus) => narrow({ taskStatus })}
            />
            <ChoiceFilter
              multiple
              label={t('tasks.smsType')}
              options={Object.values(SmsType).map((n) => ({ value: String(n), label: t(`tasks.smsType.${n}`) }))}
              value={view.smsType}
              onChange={(smsType) => narrow({ smsType })}
            />
            <ChoiceFilter
              label={t('tasks.application')}
              options={(applications.data?.items ?? []).map((app) => ({ value: app.appId, label: app.appName }))}
              value={view.appId}
              onChange={(appId) => narrow({ appId })}
            />
            <DateRangeFilter
              label={t('tasks.createTime')}
              from={view.from}
              to={view.to}
              onChange={(from, to) => narrow({ from, to })}
            />
          </FilterBar>
        }
        name="tasks"
        label={t('tasks.title')}
        columns={useColumns(isStaff)}
        rowKey={(row) => row.taskId}
        list={list}
        order={order}
        onOpen={(row) => setView({ ...closedDrawer, open: row.taskId })}
        openKey={view.open}
        bulk={bulk}
        rowActions={rowActions}
        cursor={view.cursor}
        onCursor={(cursor) => setView({ cursor })}
        totals={<TaskTotals data={list.data} cursor={view.cursor} />}
        filtered={filtered}
        onClearFilters={clear}
        onExport={() => exportCsv('GET /tasks', { query }, 'bulk-tasks.csv')}
        empty={
          <EmptyState title={t('tasks.empty.title')} action={create}>
            {t(mayWrite ? 'tasks.empty.text' : 'tasks.empty.reader')}
          </EmptyState>
        }
      />
      {view.open && (
        <PartBoundary>
          <TaskDrawer key={view.open} taskId={view.open} onClose={() => setView(closedDrawer)} />
        </PartBoundary>
      )}
    </Page>
  );
}

function useColumns(isStaff: boolean): Column<Task>[] {
  const t = useText();
  return [
    {
      key: 'taskName',
      title: t('tasks.name'),
      fixed: true,
      card: 'title',
      cell: (row) => (
        <span className="cell-name tasks-name" title={row.taskName}>
          <bdi>{row.taskName}</bdi>
          <span className="cell-note">
            <ShortId id={row.taskId} />
            {(row.abTest ?? row.abVariant) && ' '}
            {(row.abTest ?? row.abVariant) && <span className="tag">{t('tasks.abTest')}</span>}
          </span>
        </span>
      ),
    },
    {
      key: 'taskStatus',
      title: t('tasks.status'),
      card: 'state',
      cell: (row) => (
        <span className="tasks-status">
          <TaskStatusTag task={row} />
        </span>
      ),
    },
    { key: 'progress', title: t('tasks.progress'), card: 'body', cell: (row) => <TaskProgressCell task={row} /> },
    {
      key: 'totalCount',
      title: t('tasks.recipients'),
      align: 'end',
      cell: (row) => <Count value={row.totalCount || (row.mobileFile?.validCount ?? null)} />,
    },
    {
      key: 'successCount',
      title: t('tasks.successCount'),
      align: 'end',
      card: 'hide',
      cell: (row) => <Count value={hasRun(row.taskStatus) ? row.successCount : null} />,
    },
    {
      key: 'failedCount',
      title: t('tasks.failedCount'),
      align: 'end',
      card: 'hide',
      cell: (row) => <Count value={hasRun(row.taskStatus) ? row.failedCount : null} />,
    },
    {
      key: 'appName',
      title: t('tasks.application'),
      cell: (row) => (
        <span>
          {row.appName ?? <Dash />}
          <span className="cell-note">{t.maybe(`tasks.smsType.${row.smsType}`)}</span>
        </span>
      ),
    },
    ...(isStaff ? [{ key: 'operator', title: t('tasks.customer'), cell: (row: Task) => row.operator ?? '' }] : []),
    {
      key: 'createTime',
      title: t('tasks.createTime'),
      cell: (row) => <DateTime value={row.createTime} style="short" />,
    },
    { key: 'planTime', title: t('tasks.planTime'), hidden: true, cell: (row) => <DateTime value={row.planTime} /> },
    { key: 'templateName', title: t('tasks.template'), hidden: true, cell: (row) => row.templateName ?? <Dash /> },
    { key: 'senderId', title: t('tasks.senderId'), hidden: true, cell: (row) => row.senderId ?? <Dash /> },
    { key: 'mobileFile', title: t('tasks.file'), hidden: true, cell: (row) => row.mobileFile?.fileName ?? <Dash /> },
    {
      key: 'retryCount',
      title: t('tasks.retryCount'),
      align: 'end',
      hidden: true,
      cell: (row) => <Count value={row.retryCount} />,
    },
    {
      key: 'chargedCost',
      title: t('tasks.chargedCost'),
      align: 'end',
      hidden: true,
      cell: (row) => <Money value={row.chargedCost} />,
    },
  ];
}
