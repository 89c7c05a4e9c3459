/**
 * `start`: the parent of all processes. It serves nothing itself; it starts the database, migrates, seeds the demo,
 * starts each role and the carrier simulator as a separate process, restarts processes that die, and stops all in
 * order: roles first (they drain), then the simulator, then the database.
 */
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@pahatid/db';
import { withFileLock } from '@pahatid/db/embedded';
import type { Logger } from 'pino';
import { type Snapshot, startProcessMetrics, takeSnapshot } from '../metrics/registry.ts';
import type { Answer, ListenerName, Question } from '../process/channel.ts';
import { compiledFolder } from '../process/compiled-folder.ts';
import { type Config, ConfigError, type RoleName } from '../process/config.ts';
import { type KeptDatabase, keepDatabase } from '../process/keep-database.ts';
import { keepRunning, type SupervisedChild } from '../process/keep-running.ts';
import { keepWal, type WalKeeper } from '../process/keep-wal.ts';
import { bindListener, type Listener } from '../process/listener.ts';
import type { RoleState } from '../process/machine.ts';
import { watchMachine } from '../process/machine-metrics.ts';
import { ensureMasterKey } from '../secrets/master-key.ts';
import { deriveBackupKey } from '../secrets/secrets.ts';
import { isDemoSeeded, makeSetupToken } from '../secrets/setup-link.ts';
import { hasRole } from './find-role.ts';
import { serveMachine } from './machine-server.ts';
import { roleCommand } from './role-command.ts';
import { seed, seedPlatformData } from './seed.ts';
import { localAddress, welcome } from './welcome.ts';

const ROLE_STOP_MS = 8000;
const SIMULATOR_STOP_MS = 1000;
const READY_TIMEOUT_MS = 60_000;
/** A former start that is just stopping gets this long to finish. */
const FORMER_START_MS = 3000;
const SIMULATOR = path.join(import.meta.dirname, '../../../carrier-simulator/src/main.ts');

export interface StartOptions {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Logger;
  /** Aborted to stop everything. */
  readonly signal: AbortSignal;
  /** Aborted to stop everything immediately. */
  readonly hurry: AbortSignal;
  /** Registers a callback that replaces each role by a new process, one after another. */
  readonly onRestart: (restart: () => void) => void;
  readonly say: (line: string) => void;
}

/** Runs until the signal aborts; rejects when something keeps failing at the start. Everything is stopped by then. */
export async function start(options: StartOptions): Promise<void> {
  const { config } = options;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  if (config.databaseUrl !== null) return startLocked(options);
  const lock = path.join(config.dataDir, 'running.lock');
  let locked = false;
  try {
    await withFileLock(lock, FORMER_START_MS, async () => {
      locked = true;
      await startLocked(options);
    });
  } catch (error) {
    if (locked) throw error;
    throw new ConfigError([`PAHATID_DATA: Pahatid already runs with ${config.dataDir}`]);
  }
}

async function startLocked(options: StartOptions): Promise<void> {
  const { config, log, signal, say } = options;
  const roles = rolesToRun(config);
  await assertPortsFree(config, roles);
  const kept: SupervisedChild[] = [];
  let simulator: SupervisedChild | null = null;
  const listeners: Listeners = new Map();
  let machineServer: Server | null = null;
  let database: KeptDatabase | null = null;
  let wal: WalKeeper | null = null;
  try {
    const secret = config.secret ?? ensureMasterKey(config.dataDir);
    if (config.databaseUrl === null) {
      database = await keepDatabase(config.dataDir, log, (moved) => {
        // The roles do not know a changed address of the database (its port was taken meanwhile): they are restarted.
        if (moved)
          for (const pid of kept.map((each) => each.pid())) if (pid !== undefined) process.kill(pid, 'SIGTERM');
        // Roles whose start failed without the database need not wait any longer.
        for (const each of kept) each.startNow();
      });
    }
    const url = (): string => database?.url ?? config.databaseUrl ?? '';
    if (database !== null) wal = keepWal({ dataDir: config.dataDir, key: deriveBackupKey(secret), url, log });
    const controlUrl = config.controlUrl ?? url();
    const ran = await migrate({
      url: controlUrl,
      onBusy: (file) => log.warn({ file }, 'migration waits for a long transaction, will retry'),
    });
    if (ran.length > 0) log.info({ migrations: ran.length, last: ran.at(-1) }, 'database migrated');
    signal.throwIfAborted();
    if (await seedPlatformData(controlUrl)) log.info('default data added');
    if (!config.demo && (await isDemoSeeded(controlUrl))) throw new ConfigError([demoLeftOver(config)]);
    if ((config.demo || config.visitors) && (await seed(controlUrl, secret, config))) log.info('demo seeded');
    const offersSetup = !config.demo && roles.includes('api');
    const setupToken = offersSetup ? await makeSetupToken(controlUrl, new Date()) : null;
    signal.throwIfAborted();

    simulator = startSimulator(options);
    startProcessMetrics('supervisor');
    watchMachine(
      () => (simulator === null ? kept : [...kept, simulator]),
      () => database?.restarts() ?? 0,
    );
    bindListeners(listeners, config, roles);
    const apiProcesses = countApiProcesses(config, listeners.has('listener'));
    const machine: MachineParts = { secret, url, kept, listeners, apiProcesses };
    for (const role of roles) kept.push(startRole(role, role, options, machine));
    if (!roles.includes('api')) {
      const look = { snapshots: () => gatherSnapshots(kept, null), roles: () => statesOf(kept) };
      machineServer = await serveMachine({ config, log, signal, ...look });
    }
    await Promise.race([allReady(kept, options), aborted(signal)]);
    signal.throwIfAborted();
    // Only now: until one is ready, they would compete for processor time.
    if (roles.includes('api'))
      for (let nth = 2; nth <= machine.apiProcesses; nth++) kept.push(startRole('api', `api-${nth}`, options, machine));
    for (const line of welcome(config, roles, setupToken)) say(line);
    options.onRestart(() => void replaceAll(kept, options));
    await aborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await Promise.all(kept.map((role) => role.stop(ROLE_STOP_MS, options.hurry)));
    for (const listener of listeners.values()) listener.close();
    machineServer?.close();
    machineServer?.closeAllConnections();
    await simulator?.stop(SIMULATOR_STOP_MS, options.hurry);
    await wal?.stop();
    await database?.stop();
  }
}

/** The passwords and secrets of the demo stay in a database that it was seeded in; turning it off does not remove them. */
const demoLeftOver = (config: Config): string =>
  `PAHATID_DEMO: is ${demoOf(config)}, but this database has the demo accounts, whose passwords are known; ${
    config.databaseUrl === null
      ? `choose another PAHATID_DATA, or remove ${config.dataDir}`
      : 'choose another DATABASE_URL'
  }`;

/** A role that this release lacks is left out of “all”, and is refused when it was asked for by name. */
function rolesToRun(config: Config): RoleName[] {
  const missing = config.roles.filter((role) => !hasRole(role));
  if (missing.length > 0 && config.roles.length < 4) {
    throw new ConfigError([`PAHATID_ROLES: this release has no role ${missing.join(', ')}`]);
  }
  return config.roles.filter(hasRole);
}

const METRICS_TIMEOUT_MS = 1_500;

/** What every role of this machine is started with. */
interface MachineParts {
  readonly secret: Buffer;
  readonly url: () => string;
  readonly kept: readonly SupervisedChild[];
  readonly listeners: Listeners;
  readonly apiProcesses: number;
}

/** Those that could be bound here: the role binds the others. */
type Listeners = Map<ListenerName, Listener>;

function bindListeners(listeners: Listeners, config: Config, roles: readonly RoleName[]): void {
  const bind = (name: ListenerName, port: number): void => {
    const listener = bindListener(config.host, port);
    if (listener !== null) listeners.set(name, listener);
  };
  if (roles.includes('api')) bind('listener', config.port);
  if (!roles.includes('smpp')) return;
  bind('smppListener', config.smppPort);
  if (config.smppTls !== null) bind('smppTlsListener', config.smppTls.port);
}

const ROLE_OF_LISTENER: Record<ListenerName, RoleName> = {
  listener: 'api',
  smppListener: 'smpp',
  smppTlsListener: 'smpp',
};

/** Several can only serve on one socket, the supervisor's. */
function countApiProcesses({ apiProcesses }: Config, hasListener: boolean): number {
  if (!hasListener) return 1;
  return apiProcesses ?? (os.availableParallelism() > 1 ? 2 : 1);
}

/** Handles a role's questions about its machine; `name`: the asking process. */
function answerFor(role: RoleName, name: string, { kept, listeners }: MachineParts) {
  return async (question: Question): Promise<Answer | undefined> => {
    switch (question) {
      case 'roles':
        return { value: statesOf(kept) };
      case 'metrics':
        return { value: await gatherSnapshots(kept, name) };
      default: {
        const listener = ROLE_OF_LISTENER[question] === role ? listeners.get(question) : undefined;
        return { value: listener !== undefined, handle: listener?.handle };
      }
    }
  };
}

const statesOf = (kept: readonly SupervisedChild[]): RoleState[] =>
  kept.map((each) => ({ role: each.name.replace(/-\d$/, ''), process: each.name, state: each.state() }));

/**
 * Returns our snapshot and those of the roles, except the asking one; a role that does not reply in time is omitted.
 */
async function gatherSnapshots(kept: readonly SupervisedChild[], except: string | null): Promise<Snapshot[]> {
  const asked = kept.filter((each) => each.name !== except);
  const theirs = await Promise.all(asked.map((each) => each.ask('metrics', METRICS_TIMEOUT_MS)));
  return [await takeSnapshot(), ...theirs.filter((each): each is Snapshot => Array.isArray(each))];
}

/** Replaces one role after another: a new process is ready before the old one ends, so service is not interrupted. */
async function replaceAll(kept: readonly SupervisedChild[], { log, signal }: StartOptions): Promise<void> {
  for (const each of kept) {
    if (signal.aborted) return;
    try {
      await each.replace(ROLE_STOP_MS);
      log.info({ child: each.name }, 'child process replaced');
    } catch (error) {
      log.error({ err: error, child: each.name }, 'child process not replaced, the old one goes on');
    }
  }
}

function demoOf({ demo, visitors }: Config): 'on' | 'off' | 'visitors' {
  if (visitors) return 'visitors';
  return demo ? 'on' : 'off';
}

function startRole(
  role: RoleName,
  name: string,
  { config, env, log }: StartOptions,
  machine: MachineParts,
): SupervisedChild {
  return keepRunning({
    name,
    command: roleCommand(role, name),
    // Read at each start: the database may have moved.
    get env() {
      return {
        ...env,
        DATABASE_URL: machine.url(),
        PAHATID_SECRET: machine.secret.toString('hex'),
        PAHATID_DEMO: demoOf(config),
        PAHATID_DEMO_TRAFFIC: (config.demoTraffic ?? (config.demo && process.stdout.isTTY)) ? 'on' : 'off',
        PAHATID_DATA: config.dataDir,
        PAHATID_ROLES: role,
        PAHATID_API_PROCESSES: String(machine.apiProcesses),
        NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || compiledFolder(config.dataDir),
      };
    },
    log,
    saysReady: true,
    answer: answerFor(role, name, machine),
  });
}

function startSimulator({ config, env, log }: StartOptions): SupervisedChild | null {
  if (config.simulatorPort === null) return null;
  return keepRunning({
    name: 'carrier-simulator',
    command: [
      process.execPath,
      '--import',
      path.join(import.meta.dirname, '../process/end-with-parent.ts'),
      SIMULATOR,
      '--port',
      String(config.simulatorPort),
    ],
    env: { ...env, NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || compiledFolder(config.dataDir) },
    log,
    saysReady: false,
  });
}

async function allReady(kept: readonly SupervisedChild[], options: StartOptions): Promise<void> {
  const { config, signal } = options;
  await Promise.all(kept.map(({ ready }) => ready));
  if (!kept.some(({ name }) => name === 'api')) return;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!signal.aborted) {
    // The roles are ready by now, and a full disk is no reason not to run: what can be read is served, and there may
    // be room again at any moment.
    const answer = await fetch(`${localAddress(config)}/readyz`).catch(() => null);
    const { database } = ((await answer?.json().catch(() => null)) ?? {}) as { database?: string };
    if (database === 'ok') return;
    if (performance.now() > deadline) throw new Error(`${localAddress(config)}/readyz is not ready`);
    await sleep(50);
  }
}

async function assertPortsFree(config: Config, roles: readonly RoleName[]): Promise<void> {
  const wanted = [
    ...(roles.includes('api') ? [{ name: 'PAHATID_PORT', host: config.host, port: config.port }] : []),
    ...(roles.includes('smpp') ? [{ name: 'PAHATID_SMPP_PORT', host: config.host, port: config.smppPort }] : []),
    ...(roles.includes('smpp') && config.smppTls !== null
      ? [{ name: 'PAHATID_SMPP_TLS_PORT', host: config.host, port: config.smppTls.port }]
      : []),
    ...(config.simulatorPort === null
      ? []
      : [{ name: 'PAHATID_SIM_PORT', host: '127.0.0.1', port: config.simulatorPort }]),
  ];
  const problems: string[] = [];
  for (const { name, host, port } of wanted) {
    const code = await tryListen(host, port);
    if (code === 'EADDRINUSE') problems.push(`${name}: port ${port} of ${host} is in use by another program`);
    else if (code !== null) problems.push(`${name}: can not listen on ${host}:${port} (${code})`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
