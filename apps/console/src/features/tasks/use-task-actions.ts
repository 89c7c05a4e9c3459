import { type Task, type TaskDetail, TaskStatus } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, callOnce } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { usePatchSearch } from '../../lib/router/use-search-params.ts';
import { copyText } from '../../ui/data/copy-text.ts';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { closedDrawer } from './drawer-view.ts';
import { randomKey } from './save-task.ts';

/** Actions that are one call without a body. */
type PlainAction = 'cancel' | 'pause' | 'resume' | 'terminate' | 'resend';

/** Paths whose figures change with a task. */
const affectedPaths = ['/tasks', '/session', '/overview'] as const;

/** Characters of a task's name. */
const nameLength = 60;

/** The calls behind a task's buttons. Each throws if it fails; `run` shows the failure as a toast. */
export function useTaskActions(task: TaskDetail) {
  const t = useText();
  const navigate = useNavigate();
  const patchSearch = usePatchSearch();
  const refresh = useRefresh();
  const copyTask = useCopyTask();
  // One key while the task is shown: pressing twice makes one copy.
  const [copyKey] = useState(randomKey);
  const copy = () => copyTask(task, copyKey);
  const [busy, setBusy] = useState<string | null>(null);
  const params = { taskId: task.taskId };

  /** Runs an action whose button shows that it is in progress. */
  const run = async (name: string, action: () => Promise<void>) => {
    setBusy(name);
    await action().catch(toastError);
    setBusy(null);
  };
  const send = async (name: PlainAction) => {
    await call(`POST /tasks/:taskId/${name}`, { params });
    toast(t(`tasks.did.${name}`));
    await refresh(...affectedPaths);
  };
  const retry = async (dealResults: string[]) => {
    await call('POST /tasks/:taskId/retry', { params, body: { dealResults } });
    toast(t('tasks.did.retry'));
    await refresh(...affectedPaths);
  };
  /** Editing begins by making the task a draft: until then it could start during the edit. */
  const edit = async () => {
    if (task.taskStatus !== TaskStatus.Draft) {
      await call('PATCH /tasks/:taskId', { params, body: {} });
      await refresh(...affectedPaths);
    }
    await navigate({ to: '/bulkMessage/addMessage', search: { draft: task.taskId } });
  };
  /** Before it has started. */
  const takeBack = async () => {
    await call('PATCH /tasks/:taskId', { params, body: {} });
    toast(t('tasks.start.takenBack'));
    await refresh(...affectedPaths);
  };
  const deleteDraft = async () => {
    await call('DELETE /tasks/:taskId', { params });
    toast(t('tasks.draftDeleted'));
    // Closes the drawer first: refreshing would read the deleted task again.
    await patchSearch(closedDrawer);
    await refresh('/tasks', '/overview');
  };

  return { busy, run, send, retry, edit, takeBack, deleteDraft, copy };
}

/** Copies a task as a draft and opens it; calls with the same key make one copy. */
export function useCopyTask(): (task: Task, key: string) => Promise<void> {
  const t = useText();
  const navigate = useNavigate();
  const refresh = useRefresh();
  return async (task, key) => {
    const taskName = t('taskFigures.copyName', { name: task.taskName }).slice(0, nameLength).trim();
    const copied = await callOnce(key)('POST /tasks/:taskId/copy', {
      params: { taskId: task.taskId },
      body: { taskName },
    });
    const isFileMissing = task.mobileFile !== null && copied.mobileFile === null;
    toast(t(isFileMissing ? 'taskFigures.copiedNoFile' : 'taskFigures.copied'));
    await refresh('/tasks', '/overview');
    await navigate({ to: '/bulkMessage/addMessage', search: { draft: copied.taskId } });
  };
}

/** Copies the address at which a task opens. */
export async function copyTaskLink(taskId: string, t: Text): Promise<void> {
  const link = new URL(`/bulkMessage?open=${encodeURIComponent(taskId)}`, window.location.origin);
  await copyText(link.href, t);
}
