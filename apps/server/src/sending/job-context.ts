import type { Replicas, WriterLease } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../process/config.ts';
import type { ItemTurns } from '../process/item-turns.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { AcceptDeps } from './accept/accept.ts';

/** What one iteration of any job is given. Tests pass a database, a silent log and the offset of a moved clock. */
export interface JobContext {
  readonly pool: Pool;
  /** Servers for what is only read; null or omitted: none. */
  readonly replicas?: Replicas | null;
  readonly log: Logger;
  /** Names this process in leases. */
  readonly owner: string;
  /** Moves the database's clock, milliseconds; 0 outside tests. */
  readonly offsetMs: number;
  readonly signal?: AbortSignal;
}

/** Additional context of task jobs: ids, routes, and the receivers of notifications. */
export interface TaskJobContext extends JobContext {
  readonly writer: WriterLease;
  /** Read at each use: a writer number that was lost is replaced. */
  accept(): Promise<AcceptDeps>;
  /** After a commit that changed a task. */
  notifyTask(taskId: string): void;
  /** After a commit that made batches. */
  notifySenders(): void;
}

/** What wakes a job before its time: the payload of a NOTIFY, see `JOBS_CHANNEL`. */
export type JobWake = 'file' | 'import' | 'code' | 'task';

/** One loop of the jobs role. Two of one name run side by side. */
export interface Job {
  /** As it appears in metrics, logs and alerts. */
  readonly name: string;
  /** Pause after an iteration that found nothing to do. */
  readonly everyMs: number;
  readonly wakeOn?: JobWake;
  /** Jobs that are woken after an iteration that did something. */
  readonly wakes?: readonly string[];
  /** One iteration; true: run again without a pause. Never two at a time. */
  readonly step: () => Promise<unknown>;
  /** Runs before the loops end: hands back work that continues between iterations. */
  readonly stop?: () => Promise<void>;
  /** After all loops have ended. */
  readonly close?: () => void;
}

/** What jobs are built from, once for each process. */
export interface JobDeps {
  readonly context: TaskJobContext;
  readonly config: Config;
  readonly secrets: Secrets;
  /** Returns turns and back-off per item, for a job whose items fail separately. */
  itemTurns(job: string): ItemTurns;
}

/** The jobs of one folder. */
export type JobList = (deps: JobDeps) => readonly Job[];
