import { type TaskDetail, TaskStatus } from '@pahatid/contract';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';

const everyMs = 700;

/** Waits until a submitted task is checked; null if the signal aborts. A broken connection is waited out. */
export async function waitForCheck(
  taskId: string,
  signal: AbortSignal,
  onProgress: (check: NonNullable<TaskDetail['check']>) => void,
): Promise<TaskDetail | null> {
  while (!signal.aborted) {
    try {
      const task = await call('GET /tasks/:taskId', { params: { taskId } });
      if (task.taskStatus !== TaskStatus.Initialized) return signal.aborted ? null : task;
      if (task.check) onProgress(task.check);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return null;
}
