import type { Task } from '@pahatid/contract';
import { allowedTaskActions, type UserTaskAction } from '@pahatid/domain';
import { CopyPlus, Download, Pause, Play, Trash2 } from 'lucide-react';
import { call } from '../../lib/api/call.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { BulkActions } from '../../ui/table/bulk-action.ts';
import { copyIdAction } from '../../ui/table/copy-actions.ts';
import type { RowActions } from '../../ui/table/row-action.ts';
import { randomKey } from './save-task.ts';
import { hasRun } from './task-counts.ts';
import { useCopyTask } from './use-task-actions.ts';

/** What can be done with several tasks: what each one's own buttons do, where its state and the role allow it. */
export function useBulkTaskActions(): BulkActions<Task> {
  const t = useText();
  const { role } = useSession().user;
  const refresh = useRefresh();
  const allows = (action: UserTaskAction) => (task: Task) => allowedTaskActions(task, role).has(action);
  const after = () => refresh('/tasks', '/session', '/overview');
  const toParams = ({ taskId }: Task) => ({ params: { taskId } });
  return {
    nameOf: (task) => task.taskName,
    actions: [
      {
        key: 'pause',
        label: t('tasks.act.pause'),
        icon: Pause,
        isFor: allows('pause'),
        one: (task) => call('POST /tasks/:taskId/pause', toParams(task)),
        after,
      },
      {
        key: 'resume',
        label: t('tasks.act.resume'),
        icon: Play,
        isFor: allows('resume'),
        one: (task) => call('POST /tasks/:taskId/resume', toParams(task)),
        after,
      },
      {
        key: 'export',
        label: t('ui.export'),
        icon: Download,
        all: (tasks) => {
          const ids = tasks.map(({ taskId }) => taskId).join(',');
          return exportCsv('GET /tasks', { query: { ids } }, 'bulk-tasks.csv');
        },
      },
      {
        key: 'delete',
        label: t('tasks.act.delete'),
        icon: Trash2,
        danger: true,
        question: t('tasks.ask.delete.text'),
        isFor: allows('delete'),
        one: (task) => call('DELETE /tasks/:taskId', toParams(task)),
        after,
      },
    ],
  };
}

/** What can be done with a task in the list. */
export function useTaskRowActions(): RowActions<Task> {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  const copyTask = useCopyTask();
  return {
    nameOf: (task) => task.taskName,
    actions: [
      {
        key: 'duplicate',
        label: t('ui.duplicate'),
        icon: CopyPlus,
        isFor: () => mayWrite,
        run: (task) => copyTask(task, randomKey()),
      },
      {
        key: 'download',
        label: t('records.exports.download'),
        icon: Download,
        isFor: ({ taskStatus }) => hasRun(taskStatus),
        run: ({ taskId }) => exportCsv('GET /tasks/:taskId/details', { params: { taskId } }, 'send-detail.csv'),
      },
      copyIdAction(t, ({ taskId }) => taskId),
    ],
  };
}
