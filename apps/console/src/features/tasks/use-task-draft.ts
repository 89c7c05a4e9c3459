import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call, callOnce } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { makeTaskSaver, type TaskStore } from './save-task.ts';
import type { TaskBody, TaskValues } from './task-form.ts';

const store: TaskStore<TaskBody, { taskId: string; version: number }> = {
  create: (key, body) => callOnce(key)('POST /tasks', { body: { ...body, draft: true } }),
  update: (taskId, body, version) =>
    call('PATCH /tasks/:taskId', { params: { taskId }, body: { ...body, ...(version !== undefined && { version }) } }),
  isGone: (error) => error instanceof ApiError && error.code === 'NOT_FOUND',
  isUnanswered: (error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500,
};

export interface TaskDraft {
  /** Null until stored for the first time. */
  taskId: string | null;
  /** Whether a draft lies on the server; a task that was opened to be edited becomes one when it is stored. */
  isStored: boolean;
  /** When it was last stored from this form, Unix milliseconds. */
  savedAt: number | null;
  busy: boolean;
  /** Whether the author changed something since; automatically filled values are no change. */
  differs(values: TaskValues): boolean;
  /**
   * Stores it as a change of `version`; `onCreated` is called with the id of a new one, also if the draft was deleted
   * and is stored again. Throws `ApiError`.
   */
  save(
    values: TaskValues,
    body: TaskBody,
    version: number | null,
    onCreated: (taskId: string, isAnew: boolean) => void,
  ): Promise<{ taskId: string; version: number }>;
}

/** The draft behind the form: created once, then changed. */
export function useTaskDraft(task: TaskDetail | null, initial: TaskValues): TaskDraft {
  const refresh = useRefresh();
  const [saver] = useState(() => makeTaskSaver(store, task?.taskId ?? null));
  const [saved, setSaved] = useState(() => JSON.stringify(initial));
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);

  return {
    taskId: saver.taskId,
    isStored: savedAt !== null || task?.taskStatus === TaskStatus.Draft,
    savedAt,
    busy,
    differs: (values) => JSON.stringify(values) !== saved,
    async save(values, body, version, onCreated) {
      const before = saver.taskId;
      setBusy(true);
      try {
        const stored = await saver.save(body, version ?? undefined);
        setSaved(JSON.stringify(values));
        setSavedAt(Date.now());
        if (stored.taskId !== before) onCreated(stored.taskId, before !== null);
        await refresh('/tasks', '/overview');
        return stored;
      } finally {
        setBusy(false);
      }
    },
  };
}
