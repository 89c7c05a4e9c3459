import type { ListOf, Task, TaskDetail, TaskProgress } from '@pahatid/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { refresh } from '../../lib/api/use-call.ts';
import { type EventsState, useEvents } from '../../lib/api/use-events.ts';

const listKey = 'GET /tasks';
const detailKey = 'GET /tasks/:taskId';

/**
 * Keeps displayed tasks up to date from an event stream. Progress is written into the cached reads, so that the latest
 * wins; a change of state involves more than progress and causes a refetch.
 */
export function useLiveTasks(path: `/tasks/${string}` | null): EventsState {
  const client = useQueryClient();
  return useEvents<TaskProgress>(path, (event) => {
    if (takeProgress(client, event)) void refresh(client, '/tasks', '/session', '/overview');
  });
}

/** Writes progress into the cached reads; returns whether a state changed with it. */
function takeProgress(client: QueryClient, event: TaskProgress): boolean {
  let changed = false;
  const merge = <T extends Task>(task: T): T => {
    if (task.taskId !== event.taskId) return task;
    changed ||= task.taskStatus !== event.taskStatus || task.paused !== event.paused;
    return { ...task, ...event };
  };
  client.setQueriesData<ListOf<Task>>(
    { queryKey: [listKey] },
    (list) => list && { ...list, items: list.items.map(merge) },
  );
  client.setQueriesData<TaskDetail>({ queryKey: [detailKey] }, (detail) => detail && merge(detail));
  return changed;
}
