import { type Overview, type TaskProgress, TaskStatus } from '@pahatid/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sessionQuery } from '../../lib/api/session.ts';
import { refresh, useCall } from '../../lib/api/use-call.ts';
import { useEvents } from '../../lib/api/use-events.ts';
import { useZone } from '../../lib/format/zone.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import type { OverviewRange } from './overview-range.ts';

/** Figures are sums over minutes; they need not be read more often while the running tasks update live. */
const refetchMs = 30_000;
/** While tasks send, the figures follow them at this pace. */
const followMs = 5_000;
/** While the event stream is broken, the tasks are read with the figures. */
const fallbackMs = 10_000;

const isRunning = (status: TaskStatus): boolean => status === TaskStatus.Preparing || status === TaskStatus.Sending;

/** Loads the first screen's content, with its running tasks updated by the event stream. */
export function useOverview(range: OverviewRange) {
  const client = useQueryClient();
  const zone = useZone();
  const [{ customerId }] = useSearchParams(['customerId']);
  const followedAt = useRef(0);
  const live = useEvents<TaskProgress>('/tasks/events', (event) => {
    let known = false;
    let changed = false;
    client.setQueriesData<Overview>({ queryKey: ['GET /overview'] }, (overview) => {
      if (!overview) return overview;
      const running = overview.running.map((task) => {
        if (task.taskId !== event.taskId) return task;
        known = true;
        changed ||= task.taskStatus !== event.taskStatus || task.paused !== event.paused;
        return { ...task, ...event };
      });
      return { ...overview, running };
    });
    // Receipts of tasks that have ended come too; those only move the figures.
    const starts = !known && isRunning(event.taskStatus);
    const follows = known && Date.now() - followedAt.current >= followMs;
    if (follows) followedAt.current = Date.now();
    if (changed || starts || follows) void refresh(client, '/overview', '/session');
  });
  const overview = useCall(
    'GET /overview',
    { query: { range, zone, customerId } },
    { keepPrevious: true, refetchInterval: live === 'live' ? refetchMs : fallbackMs },
  );
  const { data, dataUpdatedAt, isPlaceholderData } = overview;
  useEffect(() => {
    if (data && !isPlaceholderData) shareBalance(client, data, dataUpdatedAt);
  }, [client, data, dataUpdatedAt, isPlaceholderData]);
  return overview;
}

/**
 * The top bar and this screen must show the same value: both read the session's balance, which takes newer values from
 * here.
 */
function shareBalance(client: QueryClient, { balance, reserved }: Overview, updatedAt: number): void {
  const { queryKey } = sessionQuery;
  if (balance === null || updatedAt < (client.getQueryState(queryKey)?.dataUpdatedAt ?? 0)) return;
  client.setQueryData(
    queryKey,
    (session) =>
      session?.customer ? { ...session, customer: { ...session.customer, balance, reserved: reserved ?? 0 } } : session,
    { updatedAt },
  );
}
