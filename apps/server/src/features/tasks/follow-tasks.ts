/** The event streams of task progress: of all moving tasks, and of one. */
import { TaskStatus } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { findTask, listMovingTasks, type TaskRow } from '@pahatid/db/queries/tasks';
import type { Call } from '../../http/call.ts';
import { mustFind } from './act-on-task.ts';
import { presentProgress } from './present-task.ts';
import { readInFlight } from './show-task.ts';
import type { TaskFeed } from './task-feed.ts';

/** Statuses that change without a person. */
const moving: readonly number[] = [
  TaskStatus.Initialized,
  TaskStatus.Confirmed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.PendingReview,
];

interface Progress {
  readonly feed: TaskFeed;
  readonly rateOf: (row: TaskRow) => number;
}

export async function followTasks({ feed, rateOf }: Progress, call: Call<'GET /tasks/events'>) {
  const { scope, inScope, signal } = call;
  return changes(feed.follow(signal), rateOf, (ids, isFull) =>
    inScope((tx) => listMovingTasks(tx, getCustomerId(scope), ids, isFull)),
  );
}

export async function followTask({ feed, rateOf }: Progress, call: Call<'GET /tasks/:taskId/events'>) {
  const { params, scope, inScope, signal } = call;
  const { taskId } = params;
  await inScope((tx) => mustFind(tx, call, taskId));
  return changes(feed.follow(signal), rateOf, async (ids, isFull) => {
    if (!isFull && !ids.includes(taskId)) return [];
    return inScope(async (tx) => {
      const row = await findTask(tx, getCustomerId(scope), taskId);
      return row === null ? [] : [{ ...row, inFlightCount: await readInFlight(tx, row) }];
    });
  });
}

/** Yields only changes since the last event of this stream; a stopped task is sent once more, then dropped. */
async function* changes(
  moves: AsyncIterable<ReadonlySet<string>>,
  rateOf: Progress['rateOf'],
  read: (ids: string[], isFull: boolean) => Promise<(TaskRow & { inFlightCount?: number })[]>,
) {
  const sent = new Map<string, string>();
  for await (const ids of moves) {
    const isFull = ids.size === 0;
    const rows = await read(isFull ? [...sent.keys()] : [...ids], isFull);
    for (const row of rows) {
      const progress = presentProgress(row, rateOf(row), row.inFlightCount);
      const text = JSON.stringify(progress);
      const before = sent.get(row.taskId);
      if (before !== text) yield progress;
      // A stream of one task keeps it, or it would be sent as new again.
      if (sent.size > 1 && before === text && isFull && !moving.includes(row.taskStatus)) sent.delete(row.taskId);
      else sent.set(row.taskId, text);
    }
  }
}
