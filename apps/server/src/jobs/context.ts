import type { Pool } from 'pg';
import type { Logger } from 'pino';

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
