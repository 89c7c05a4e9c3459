/**
 * A cluster of the PostgreSQL 15 that Debian packages: the oldest that the product supports, run as an operator runs it
 * (start, stop, settings, standby). In a temporary folder, deleted with the test file.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** PostgreSQL does not run as root: then the user that Debian made for it runs it. */
export type PostgresUser = { uid: number; gid: number } | Record<string, never>;

export const isDebianPostgresInstalled = (): boolean => existsSync(path.join(PROGRAMS, 'postgres'));

export class DebianPostgres {
  /** Of the test; the cluster is in `data` below it. */
  readonly folder: string;
  readonly user: PostgresUser;
  readonly port: number;
  #server: ChildProcess | null = null;

  private constructor(folder: string, user: PostgresUser, port: number) {
    this.folder = folder;
    this.user = user;
    this.port = port;
  }

  /** Makes a cluster that is not running. */
  static async make(): Promise<DebianPostgres> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-debian-'));
    const user = findPostgresUser();
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    const made = new DebianPostgres(folder, user, await freePort());
    after(async () => {
      await made.stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    });
    made.run('initdb', '-D', made.data, '-U', 'pahatid', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync');
    return made;
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  /** Of a superuser. */
  get url(): string {
    return `postgres://pahatid@127.0.0.1:${this.port}/postgres`;
  }

  /** One of Debian's programs, or another by its path, as the server's user; fails with what it said. */
  run(program: string, ...words: readonly string[]): string {
    const file = program.includes('/') ? program : path.join(PROGRAMS, program);
    const ran = spawnSync(file, words, { cwd: this.folder, encoding: 'utf8', ...this.user });
    if (ran.status !== 0) throw new Error(`${program} failed: ${ran.stdout}${ran.stderr}${ran.error ?? ''}`);
    return ran.stdout;
  }

  /** Resolves when it accepts connections. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { listen_addresses: '127.0.0.1', unix_socket_directories: this.folder, ...settings };
    const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#server = spawn(path.join(PROGRAMS, 'postgres'), ['-D', this.data, '-p', String(this.port), ...words], {
      cwd: this.folder,
      stdio: 'ignore',
      ...this.user,
    });
    const server = this.#server;
    await until(async () => server.exitCode !== null || (await canConnect(this.url)), { what: 'PostgreSQL' });
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
  }

  /** SIGINT: fast, in order; SIGQUIT: immediate, as after a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const server = this.#server;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill(signal);
    await gone;
  }
}

/** Whom Debian's servers run as. */
export function findPostgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((each) => each.split(':'))
    .find(([name]) => name === 'postgres');
  if (line === undefined) throw new Error('there is no user postgres to run PostgreSQL as');
  return { uid: Number(line[2]), gid: Number(line[3]) };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
