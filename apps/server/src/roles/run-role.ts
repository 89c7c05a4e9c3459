/** One role in this process: `run --role sender`. Builds what the role is given, runs it, and ends it in order. */
import { flushCompileCache } from 'node:module';
import { makePool, Replicas } from '@pahatid/db';
import { useNumberHash } from '@pahatid/db/queries/erased-opt-outs';
import type { Logger } from 'pino';
import { beforeSnapshot, startProcessMetrics, takeSnapshot, watchPools } from '../metrics/registry.ts';
import { watchReplicas } from '../metrics/replica-metrics.ts';
import { ensureSupplierNames } from '../metrics/supplier-names.ts';
import { askSupervisor } from '../process/ask-supervisor.ts';
import { Channel } from '../process/channel.ts';
import { type Config, type RoleName, readConfig } from '../process/config.ts';
import { collectWhenIdle } from '../process/idle-collector.ts';
import { limitReports } from '../process/limit-reports.ts';
import { makeLog } from '../process/log.ts';
import { onceThenAgain } from '../process/signals.ts';
import { readVersion } from '../process/version.ts';
import { makeSecrets } from '../secrets/secrets.ts';
import { type RunningTraces, startTraces } from '../traces/start-traces.ts';
import { findRole } from './find-role.ts';
import type { Pools, RunningRole } from './role.ts';

/** Of the 10 s that a stop of everything may take. */
const STOP_TIMEOUT_MS = 7500;
/**
 * A sender that is frozen or cut off between two statements holds its batches by their locks, whatever their lease: its
 * transactions are ended before the lease expires (10 s).
 */
const IDLE_IN_TRANSACTION_MS: Partial<Record<RoleName, number>> = { sender: 5_000 };
/** Enough for a role's own parallel work; all roles together stay below the server's 100. */
const POOL_SIZE: Record<RoleName, number> = { api: 20, smpp: 15, sender: 20, jobs: 12 };
/** To each replica, of the roles that read much; one connection measures how far behind it is. */
const READ_POOL_SIZE: Partial<Record<RoleName, number>> = { api: 12, jobs: 4 };
/** Longer than the longest statement. */
const READ_ANSWER_MS = 35_000;
/** For each of several api processes, including the successor of one that is being replaced. */
const SHARED_API_POOL_SIZE = 12;

/** `name`: the name of this process, if the role has several. */
export async function runRole(role: RoleName, env: NodeJS.ProcessEnv, name: string = role): Promise<void> {
  const config = readConfig(env);
  const log = makeLog(config.logLevel, name);
  const ending = new AbortController();
  const pools = makePools(config, role, log);
  const replicas = makeReplicas(config, role, pools, log);
  let running: RunningRole | null = null;
  let traces: RunningTraces | null = null;
  let exitCode = 0;
  let isReplaced = false;

  const end = async (why: string, code: number): Promise<void> => {
    exitCode = Math.max(exitCode, code);
    if (ending.signal.aborted) return;
    log.info({ why }, 'role stopping');
    setTimeout(() => {
      log.error({ timeoutMs: STOP_TIMEOUT_MS }, 'role did not stop in time, exiting');
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    ending.abort();
    try {
      await running?.stop();
      await traces?.stop();
      await replicas?.stop();
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end()));
    } catch (error) {
      log.error({ err: error }, 'role failed while stopping');
      exitCode = 1;
    }
    process.exit(exitCode);
  };
  // The state after an uncaught exception is unknown: finish work in progress, then let the supervisor restart.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception, role stops');
    void end('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection, role stops');
    void end('unhandled rejection', 1);
  });
  const endAtOnce = (): void => {
    // Work in progress is left as after a crash, which loses nothing.
    log.warn('second stop signal, role exits immediately');
    process.exit(1);
  };
  onceThenAgain(['SIGTERM', 'SIGINT'], () => void end('asked to', 0), endAtOnce);
  process.on('disconnect', () => void end('the supervisor is gone', 0));

  startProcessMetrics(name);
  watchPools({ ...pools });
  watchReplicas(replicas);
  beforeSnapshot(() => ensureSupplierNames(pools.control));
  const channel = new Channel(process, async (question) =>
    question === 'metrics' ? { value: await takeSnapshot() } : undefined,
  );
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'replaced' in message) isReplaced = true;
  });

  if (config.traces !== null) {
    const report = limitReports((_, err, count) => log.warn({ err, count }, 'traces not exported, spans are lost'));
    traces = await startTraces(config.traces, { role: name, version: readVersion() }, (error) =>
      report('export', error),
    );
  }
  const run = await findRole(role);
  if (run === null) throw new Error(`this release has no role ${role}`);
  if (config.secret === null) throw new Error('PAHATID_SECRET is required by a role');
  const secrets = makeSecrets(config.secret);
  useNumberHash(secrets.hashNumber);
  const starting = run({
    role,
    isFirst: name === role,
    config,
    log,
    pools,
    replicas,
    secrets,
    signal: ending.signal,
    machine: askSupervisor(channel),
    isReplaced: () => isReplaced,
  });
  try {
    running = await starting;
  } catch (error) {
    log.fatal({ err: error }, 'role failed to start, exiting');
    // Work it had begun stops with the process, as after a crash. The channel to the supervisor would keep it alive.
    process.exit(1);
  }
  process.send?.({ ready: true });
  if (role === 'api') collectWhenIdle();
  // By default it is written only at an orderly exit, and the next start may follow a crash.
  setImmediate(() => flushCompileCache());
}

function makeReplicas(config: Config, role: RoleName, pools: Pools, log: Logger): Replicas | null {
  const max = READ_POOL_SIZE[role];
  if (config.readUrls.length === 0 || max === undefined) return null;
  const readPools = config.readUrls.map((url) =>
    makePool({
      url,
      applicationName: `pahatid ${role}`,
      max,
      answerTimeoutMs: READ_ANSWER_MS,
      onError: (err) => log.warn({ err }, 'idle connection to a replica lost, will be replaced'),
    }),
  );
  return new Replicas(pools.control, readPools);
}

function makePools(config: Config, role: RoleName, log: Logger): Pools {
  const url = config.controlUrl ?? config.databaseUrl;
  if (url === null) throw new Error('DATABASE_URL is required by a role');
  const idleInTransactionTimeoutMs = IDLE_IN_TRANSACTION_MS[role];
  const max = role === 'api' && (config.apiProcesses ?? 1) > 1 ? SHARED_API_POOL_SIZE : POOL_SIZE[role];
  const options = {
    ...(idleInTransactionTimeoutMs === undefined ? {} : { idleInTransactionTimeoutMs }),
    ...{ applicationName: `pahatid ${role}`, max, kept: Math.ceil(max / 3) },
    onError: (error: Error) => log.warn({ err: error }, 'idle database connection lost, will be replaced'),
  };
  const control = makePool({ ...options, url, poolerUrl: config.poolerUrl });
  if (config.dataUrls.length === 0) return { control, data: control };
  // Any node will do, so the processes spread over them.
  const dataUrl = config.dataUrls[Math.floor(Math.random() * config.dataUrls.length)] as string;
  return { control, data: makePool({ ...options, url: dataUrl }) };
}
