import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { useMay } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { ShortId } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { drawerParams } from './drawer-view.ts';
import { RejectedRows } from './rejected-rows.tsx';
import { SendDetailTable } from './send-detail.tsx';
import { SendLogTable } from './send-log.tsx';
import { TaskActions } from './task-actions.tsx';
import { hasRun, isMoving } from './task-counts.ts';
import { TaskOverview } from './task-overview.tsx';
import { TaskStatusTag } from './task-status.tsx';
import './tasks.css';
import { useLiveTasks } from './use-live-tasks.ts';

const tabs = ['overview', 'detail', 'log', 'rejected'] as const;
type Tab = (typeof tabs)[number];
const panelId = 'task-panel';
const rereadMs = 5_000;

/** One task: its results, and its actions. */
export default function TaskDrawer({ taskId, onClose }: { taskId: string; onClose: () => void }) {
  const t = useText();
  const [view, setView] = useSearchParams(drawerParams);
  const tab = tabs.find((one) => one === view.tab) ?? 'overview';
  const { data: task, error, refetch } = useLiveTask(taskId);

  if (!task) {
    return (
      <Drawer title={t('tasks.task')} onClose={onClose}>
        {error ? <FailedState error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={8} />}
      </Drawer>
    );
  }
  return (
    <Drawer
      title={task.taskName}
      state={<TaskStatusTag task={task} pill />}
      meta={<TaskMeta task={task} />}
      actions={<TaskActions task={task} />}
      tabs={
        <TaskTabs
          task={task}
          value={tab}
          onChange={(next) =>
            setView({ tab: next === 'overview' ? undefined : next, at: undefined }, { replace: true })
          }
        />
      }
      onClose={onClose}
    >
      <div id={panelId} role="tabpanel" aria-label={t(`tasks.tab.${tab}`)} className="tasks-panel">
        {tab === 'overview' && <TaskOverview task={task} />}
        {tab === 'detail' && <SendDetailTable task={task} />}
        {tab === 'log' && <SendLogTable task={task} />}
        {tab === 'rejected' && <RejectedRows task={task} />}
      </div>
    </Drawer>
  );
}

/** Reads the task, kept up to date by its own stream; receipts still correct counts after a task has ended. */
function useLiveTask(taskId: string) {
  const read = useCall('GET /tasks/:taskId', { params: { taskId } });
  const status = read.data?.taskStatus;
  const follows = status !== undefined && (isMoving(status) || hasRun(status));
  const live = useLiveTasks(follows ? `/tasks/${encodeURIComponent(taskId)}/events` : null);
  // The events do not include the reserved amount; and the stream may be broken.
  const again = follows && (live === 'waiting' || live === 'refused' || isMoving(status));
  // The same read once more, for its interval: it depends on what the read itself brings.
  useCall('GET /tasks/:taskId', { params: { taskId } }, { enabled: again, refetchInterval: again && rereadMs });
  return read;
}

function TaskMeta({ task }: { task: TaskDetail }) {
  const t = useText();
  return (
    <>
      <ShortId id={task.taskId} />
      <span>{t.maybe(`tasks.smsType.${task.smsType}`)}</span>
      <span>{task.appName}</span>
      <bdi>{task.senderId}</bdi>
      {task.operator && <span>{task.operator}</span>}
    </>
  );
}

function TaskTabs({ task, value, onChange }: { task: TaskDetail; value: Tab; onChange: (tab: Tab) => void }) {
  const t = useText();
  const formats = useFormats();
  const mayDownload = useMay('owner', 'member');
  const rejected = (task.file?.rejectedCount ?? 0) + task.droppedCount;
  const count = (value: number) => <bdi dir="ltr">{formats.number(value)}</bdi>;
  return (
    <Tabs<Tab>
      label={t('tasks.tabs')}
      panelId={panelId}
      value={value}
      onChange={onChange}
      items={[
        { key: 'overview', label: t('tasks.tab.overview') },
        {
          key: 'detail',
          label: t('tasks.tab.detail'),
          ...(hasRun(task.taskStatus) && { count: count(task.totalCount) }),
        },
        { key: 'log', label: t('tasks.tab.log') },
        ...(mayDownload || task.taskStatus !== TaskStatus.Draft
          ? [{ key: 'rejected' as const, label: t('tasks.tab.rejected'), count: count(rejected) }]
          : []),
      ]}
    />
  );
}
