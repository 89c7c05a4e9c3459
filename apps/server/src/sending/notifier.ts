/**
 * Wake-up notifications, sent after the commit they report and over one connection: inside a transaction NOTIFY would
 * serialise all commits of the database, and from a Citus worker it would reach no listener. They only reduce latency:
 * listeners also poll every few seconds, so a lost one is harmless.
 */
import type { Pool } from 'pg';

/** New batches are ready; no payload. */
export const BATCH_CHANNEL = 'pahatid_batch';
/** Counters of a task moved; payload: its id. */
export const TASK_CHANNEL = 'pahatid_task';

const TASKS_AFTER_MS = 20;
/** Wake-up calls follow each other no faster: each makes every sender look for batches. The first is sent immediately. */
export const WAKE_EVERY_MS = 10;
/** At most four per second and task. */
const TASK_EVERY_MS = 250;

export interface Notifier {
  /** After a commit that made batches. */
  notifySenders(): void;
  /** After a commit that moved a task's counters. */
  notifyTask(taskId: string): void;
  /** Sends what waits and ends. */
  stop(): Promise<void>;
}

/** `control`: a pool on the coordinator. */
export const makeNotifier = (control: Pool, onError: (error: unknown) => void = () => {}): Notifier => {
  let wake = false;
  let lastWakeMs = Number.NEGATIVE_INFINITY;
  const tasks = new Set<string>();
  const lastSent = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();

  const flush = async (isLast: boolean): Promise<void> => {
    const now = performance.now();
    const due = [...tasks].filter(
      (taskId) => isLast || now - (lastSent.get(taskId) ?? -TASK_EVERY_MS) >= TASK_EVERY_MS,
    );
    const calls: [string, string][] = due.map((taskId) => [TASK_CHANNEL, taskId]);
    if (wake) {
      calls.push([BATCH_CHANNEL, '']);
      lastWakeMs = now;
    }
    wake = false;
    for (const taskId of due) {
      tasks.delete(taskId);
      lastSent.set(taskId, now);
    }
    for (const [taskId, at] of lastSent) if (now - at > 10 * TASK_EVERY_MS) lastSent.delete(taskId);
    if (calls.length === 0) return;
    await control.query({
      name: 'notify',
      text: 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as t(c, p)',
      values: [calls.map(([channel]) => channel), calls.map(([, payload]) => payload)],
    });
  };

  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = null;
      sending = sending.then(() => flush(false)).catch(onError);
      void sending.then(() => {
        if (tasks.size > 0 || wake) schedule(TASKS_AFTER_MS);
      });
    }, delayMs);
  };

  return {
    notifySenders() {
      wake = true;
      schedule(Math.max(0, lastWakeMs + WAKE_EVERY_MS - performance.now()));
    },
    notifyTask(taskId) {
      tasks.add(taskId);
      schedule(TASKS_AFTER_MS);
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      sending = sending.then(() => flush(true)).catch(onError);
      await sending;
    },
  };
};
