import type { Replicas } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../process/config.ts';
import type { Machine } from '../process/machine.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { GateLimits } from './gate.ts';

/** What every route may use. Built once by `roles/api.ts`, or by a test. */
export interface ApiDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly pools: { readonly control: Pool; readonly data: Pool };
  /** Servers for what is only read; null or omitted: none. */
  readonly replicas?: Replicas | null;
  readonly secrets: Secrets;
  /** The clock of sessions and of expected review times; tests move it. */
  readonly now: () => Date;
  /** Aborted when the process is asked to end: open event streams close. */
  readonly signal: AbortSignal;
  /** The other processes of this machine; omitted if there are none. */
  readonly machine?: Pick<Machine, 'snapshots' | 'roles'>;
  /** Called after a readiness probe was answered. */
  readonly onProbe?: (wasDraining: boolean) => void;
  readonly limits?: Partial<GateLimits>;
  /** Checks every response against the contract and fails on a difference; for tests. */
  readonly checkAnswers?: boolean;
  /** Folder of the built console. */
  readonly consoleDir?: string;
}
