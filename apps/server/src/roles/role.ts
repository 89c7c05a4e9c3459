import type { Replicas } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config, RoleName } from '../process/config.ts';
import type { Machine } from '../process/machine.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** All that a role is given. `main.ts` builds it once for each process; a role builds nothing of this itself. */
export interface RoleContext {
  readonly role: RoleName;
  /** False in further processes of the role on this machine: they omit output shown once per machine. */
  readonly isFirst: boolean;
  readonly config: Config;
  readonly log: Logger;
  readonly pools: Pools;
  /** Servers for what is only read (PAHATID_READ_URLS); null: none. */
  readonly replicas: Replicas | null;
  readonly secrets: Secrets;
  /** Aborted when the process is asked to end, before `stop()` is called. */
  readonly signal: AbortSignal;
  readonly machine: Machine;
  /** Whether another process of this role is already ready: this one may then end without notice. */
  readonly isReplaced: () => boolean;
}

export interface Pools {
  /** Coordinator: control tables, LISTEN (`listen`), advisory locks, jobs. Perhaps through PgBouncer: no session. */
  readonly control: Pool;
  /** Any node: `message`, `report_minute` and the other data tables. The same pool as `control` unless PAHATID_DATA_URLS is set. */
  readonly data: Pool;
}

export interface RunningRole {
  /** Accepts no new work, finishes or hands back work in progress, and ends. Limited to 7 seconds. */
  stop(): Promise<void>;
}

/** What each file of this folder exports, as `runApi`, `runSender`, `runJobs`, `runSmpp`. Resolves once the role serves. */
export type RunRole = (context: RoleContext) => Promise<RunningRole>;
