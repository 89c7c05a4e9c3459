import type { WriterLease } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { AcceptDeps } from '../sending/accept.ts';

/** What one iteration of any job is given. Tests pass a database, a silent log and the offset of a moved clock. */
export interface JobContext {
  readonly pool: Pool;
  readonly log: Logger;
  /** Names this process in leases. */
  readonly owner: string;
  /** Moves the database's clock, milliseconds; 0 outside tests. */
  readonly offsetMs: number;
  readonly signal?: AbortSignal;
}

/** What jobs on tasks need besides: ids and routes, and whom to tell. */
export interface TaskJobContext extends JobContext {
  readonly writer: WriterLease;
  /** Read at each use: a writer number that was lost is replaced. */
  accept(): Promise<AcceptDeps>;
  /** After a commit that changed a task. */
  notifyTask(taskId: string): void;
  /** After a commit that made batches. */
  notifySenders(): void;
}
