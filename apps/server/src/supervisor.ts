/**
 * `start`: the parent of everything. It serves nothing itself; it starts the database, migrates, seeds the demo, starts
 * each role and the carrier simulator as a process of its own, starts again what dies, and stops all in order:
 * roles first (they drain), then the simulator, then the database.
 */
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@pahatid/db';
import { withFileLock } from '@pahatid/db/embedded';
import type { Logger } from 'pino';
import { type Config, ConfigError, type RoleName } from './config.ts';
import { type KeptDatabase, keepDatabase } from './keep-database.ts';
import { type Kept, keepRunning } from './keep-running.ts';
import { ensureMasterKey } from './master-key.ts';
import { hasRole } from './roles/find-role.ts';
import { seed, seedPlatformData } from './seed.ts';

const ROLE_STOP_MS = 8000;
const SIMULATOR_STOP_MS = 1000;
const READY_TIMEOUT_MS = 60_000;
/** A former start that is just stopping gets this long to finish. */
const FORMER_START_MS = 3000;
const SIMULATOR = path.join(import.meta.dirname, '../../carrier-simulator/src/main.ts');
const MAIN = path.join(import.meta.dirname, 'main.ts');

export interface StartOptions {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Logger;
  /** Aborted to stop everything. */
  readonly signal: AbortSignal;
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
  const kept: Kept[] = [];
  let simulator: Kept | null = null;
  let database: KeptDatabase | null = null;
  try {
    const secret = config.secret ?? ensureMasterKey(config.dataDir);
    if (config.databaseUrl === null) {
      // A database that comes back elsewhere (its port was taken meanwhile) is unknown to the roles: they start anew.
      database = await keepDatabase(config.dataDir, log, () => {
        for (const { pid } of kept) process.kill(pid() ?? 0, 'SIGTERM');
      });
    }
    const url = (): string => database?.url ?? config.databaseUrl ?? '';
    const controlUrl = config.controlUrl ?? url();
    const ran = await migrate({ url: controlUrl });
    if (ran.length > 0) log.info({ files: ran }, 'database migrated');
    signal.throwIfAborted();
    if (await seedPlatformData(controlUrl)) log.info('price, prefixes, terms and holidays seeded');
    if (config.demo && (await seed(controlUrl, secret, config.simulatorPort))) log.info('demo seeded');
    signal.throwIfAborted();

    simulator = startSimulator(options);
    for (const role of roles) kept.push(startRole(role, options, secret, url));
    await Promise.race([allReady(kept, options), aborted(signal)]);
    for (const line of welcome(config, roles)) say(line);
    await aborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await Promise.all(kept.map((role) => role.stop(ROLE_STOP_MS)));
    await simulator?.stop(SIMULATOR_STOP_MS);
    await database?.stop();
  }
}

/** A role that this release lacks is left out of “all”, and is refused when it was asked for by name. */
function rolesToRun(config: Config): RoleName[] {
  const missing = config.roles.filter((role) => !hasRole(role));
  if (missing.length > 0 && config.roles.length < 4) {
    throw new ConfigError([`PAHATID_ROLES: this release has no role ${missing.join(', ')}`]);
  }
  return config.roles.filter(hasRole);
}

function startRole(role: RoleName, { config, env, log }: StartOptions, secret: Buffer, url: () => string): Kept {
  return keepRunning({
    name: role,
    command: [process.execPath, MAIN, 'run', '--role', role],
    // Read at each start: the database may have moved.
    get env() {
      return {
        ...env,
        DATABASE_URL: url(),
        PAHATID_SECRET: secret.toString('hex'),
        PAHATID_DEMO: config.demo ? 'on' : 'off',
        PAHATID_DATA: config.dataDir,
        PAHATID_ROLES: role,
      };
    },
    log,
    saysReady: true,
  });
}

function startSimulator({ config, env, log }: StartOptions): Kept | null {
  if (config.simulatorPort === null) return null;
  return keepRunning({
    name: 'carrier-simulator',
    command: [
      process.execPath,
      '--import',
      path.join(import.meta.dirname, 'end-with-parent.ts'),
      SIMULATOR,
      '--port',
      String(config.simulatorPort),
    ],
    env,
    log,
    saysReady: false,
  });
}

async function allReady(kept: readonly Kept[], options: StartOptions): Promise<void> {
  const { config, signal } = options;
  await Promise.all(kept.map(({ ready }) => ready));
  if (!kept.some(({ name }) => name === 'api')) return;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!signal.aborted) {
    const answer = await fetch(`${localAddress(config)}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error(`${localAddress(config)}/readyz is not ready`);
    await sleep(50);
  }
}

/** Where this machine reaches what listens on `PAHATID_HOST`. */
function localAddress({ host, port }: Config): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function* welcome(config: Config, roles: readonly RoleName[]): Generator<string> {
  yield '';
  if (config.simulatorPort !== null) yield `Carrier simulator (SMPP): 127.0.0.1:${config.simulatorPort}`;
  if (roles.includes('smpp')) yield `SMPP for customers: ${config.host}:${config.smppPort}`;
  if (config.demo) {
    yield 'Demo logins, password Demo@1234: demo, demo-member, demo-viewer, other, reviewer, operator, admin';
  } else if (config.databaseUrl === null || roles.includes('api')) {
    yield 'Another person: npm run pahatid -- user add --help';
  }
  yield `Data: ${config.dataDir}`;
  yield roles.includes('api')
    ? `Pahatid is ready: ${localAddress(config)}`
    : `Pahatid is ready: ${roles.join(', ')} (no api here)`;
}

async function assertPortsFree(config: Config, roles: readonly RoleName[]): Promise<void> {
  const wanted = [
    ...(roles.includes('api') ? [{ name: 'PAHATID_PORT', host: config.host, port: config.port }] : []),
    ...(roles.includes('smpp') ? [{ name: 'PAHATID_SMPP_PORT', host: config.host, port: config.smppPort }] : []),
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
