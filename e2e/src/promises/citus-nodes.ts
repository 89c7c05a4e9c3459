/**
 * Nodes of the Citus cluster that PAHATID_TEST_URL names, to be killed and started again: kill -9 of PostgreSQL with all its
 * processes, then the same command line, user, folder and log. All of them must run on this machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { makeClient } from '@pahatid/db';
import { findChildren, isOnCitus, listNodes, testClusterUrl, until } from '@pahatid/testkit';
import { patience } from './sizes.ts';

/** Needed with the address, because whatever else runs on the cluster meanwhile is killed with it. */
const LEAVE = 'PAHATID_TEST_KILL_NODES';

/** Why nothing can be killed here; false: it can. */
export const whyNoNodes = async (): Promise<string | false> => {
  if (!(await isOnCitus(await testClusterUrl()))) return 'PAHATID_TEST_URL names no Citus cluster';
  return process.env[LEAVE] === 'on' ? false : `${LEAVE} is not on: the nodes of PAHATID_TEST_URL are not to be killed`;
};

export class CitusNode {
  readonly url: string;
  readonly name: string;
  readonly #folder: string;
  #isKilled = false;
  /** What started it; read while it runs. */
  readonly #start: { words: string[]; folder: string; user: { uid: number; gid: number }; log: string };

  private constructor(url: string, name: string, folder: string) {
    this.url = url;
    this.name = name;
    this.#folder = folder;
    const process = `/proc/${this.#pid}`;
    const { uid, gid } = statSync(folder);
    this.#start = {
      words: readFileSync(`${process}/cmdline`, 'utf8').split('\0').filter(Boolean),
      folder: readlinkSync(`${process}/cwd`),
      user: { uid, gid },
      log: readlinkSync(`${process}/fd/2`),
    };
  }

  /** The coordinator first. */
  static async list(): Promise<CitusNode[]> {
    const urls = await listNodes(await testClusterUrl());
    return Promise.all(
      urls.map(async (url, index) => {
        const folder = await ask(url, 'show data_directory');
        return new CitusNode(url, index === 0 ? 'coordinator' : `worker ${index}`, folder);
      }),
    );
  }

  get #pid(): number {
    return Number(readFileSync(`${this.#folder}/postmaster.pid`, 'utf8').split('\n')[0]);
  }

  /** Returns once none of its processes is left. */
  async kill(): Promise<void> {
    const postmaster = this.#pid;
    const pids = [postmaster, ...findChildren(postmaster, '')];
    this.#isKilled = true;
    // Stopped first, it makes no new ones.
    process.kill(postmaster, 'SIGSTOP');
    for (const pid of [...pids, ...findChildren(postmaster, '')])
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    await until(() => pids.every((pid) => !isAlive(pid)), { what: `the end of the ${this.name}` });
  }

  /** For the end of a test that may have failed in between. */
  async ensureRunning(): Promise<void> {
    if (this.#isKilled) await this.start();
  }

  /** Resolves when it accepts connections. Tried again while the killed one is not off the machine's list of processes. */
  async start(): Promise<void> {
    this.#isKilled = false;
    let server = this.#spawn();
    await until(
      () => {
        if (server.exitCode !== null) server = this.#spawn();
        return ask(this.url, 'select 1').catch(() => null);
      },
      { timeoutMs: patience(60_000), everyMs: 100, what: `the ${this.name}` },
    );
  }

  #spawn(): ChildProcess {
    const { words, folder, user, log } = this.#start;
    const [program = '', ...flags] = words;
    const output = existsSync(log) ? openSync(log, 'a') : 'ignore';
    const own = process.getuid?.() === 0 ? user : {};
    const server = spawn(program, flags, { cwd: folder, detached: true, stdio: ['ignore', output, output], ...own });
    if (output !== 'ignore') closeSync(output);
    server.unref();
    return server;
  }
}

/** Whether a process is there and has not ended: its parent may not have asked about its end. */
const isAlive = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
};

const ask = async (url: string, text: string): Promise<string> => {
  const client = makeClient({ url, applicationName: 'pahatid nodes' });
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, string>>(text);
    return String(Object.values(rows[0] ?? {})[0]);
  } finally {
    await client.end().catch(() => {});
  }
};
