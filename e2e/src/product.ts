/** The whole product as a user starts it, on ports and in a data folder of the test's own, with the simulator's journal. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Client, makeClient } from '@pahatid/contract';
import { startEmbedded } from '@pahatid/db/embedded';
import { freePort, Program } from '@pahatid/testkit';

const root = path.resolve(import.meta.dirname, '../..');
/** So many ports above the SMPP port of the simulator is its control. */
const CONTROL_ABOVE = 1_000;
/** A machine of a tenth of the speed starts and stops as well. */
const READY_MS = 300_000;
const STOP_MS = 120_000;

export interface Counters {
  received: number;
  submits: number;
  messages: number;
  unique: number;
  duplicates: number;
}

export interface JournalEntry {
  source: string;
  destination: string;
  text: string;
  status: number;
}

/** A signed-in program. */
export interface SignedIn {
  call: Client;
  /** `fetch` of a path below `/api/v1`, with the session's cookie. */
  fetch: (below: string, init?: RequestInit) => Promise<Response>;
}

export class Product {
  readonly url: string;
  /** Of the SMPP server. */
  readonly smppPort: number;
  readonly #controlUrl: string;
  readonly #dataDir: string;
  readonly #env: Record<string, string>;
  #program: Program;

  private constructor(
    dataDir: string,
    port: number,
    simulatorPort: number,
    controlPort: number,
    smppPort: number,
    env: Record<string, string>,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.smppPort = smppPort;
    this.#controlUrl = `http://127.0.0.1:${controlPort}`;
    this.#dataDir = dataDir;
    this.#env = {
      // On a machine of few processors each process that starts counts; several are for separate tests.
      PAHATID_API_PROCESSES: '1',
      ...env,
      PAHATID_DATA: dataDir,
      PAHATID_PORT: String(port),
      PAHATID_SMPP_PORT: String(smppPort),
      PAHATID_SIM_PORT: String(simulatorPort),
      PAHATID_LOG: 'warn',
    };
    this.#program = this.#run();
  }

  /** On a copy of the demo's data, which the first of a run makes; without a demo or on another database from nothing. */
  static async start(env: Record<string, string> = {}): Promise<Product> {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pahatid-e2e-'));
    const isDemo = (env['PAHATID_DEMO'] ?? 'on') === 'on' && env['DATABASE_URL'] === undefined;
    const isCopy = isDemo && copyDemo(dataDir);
    const simulatorPort = await freePort(CONTROL_ABOVE);
    const controlPort = simulatorPort + CONTROL_ABOVE;
    const product = new Product(dataDir, await freePort(), simulatorPort, controlPort, await freePort(), env);
    await product.ready();
    if (isDemo && !isCopy) await product.#keepDemo();
    return product;
  }

  /** Stores the idle demo's data for the run. One of the concurrent starts does it. */
  async #keepDemo(): Promise<void> {
    if (process.env['PAHATID_TEST_RUN'] === undefined || !takeTurn(`${demoData()}.made`)) return;
    await this.#program.end('SIGTERM', STOP_MS);
    copyFolder(this.#dataDir, `${demoData()}.part`);
    renameSync(`${demoData()}.part`, demoData());
    this.#program = this.#run();
    await this.ready();
  }

  #run(): Program {
    return new Program([path.join(root, 'apps/server/src/main.ts'), 'start'], { cwd: root, env: this.#env });
  }

  async ready(): Promise<void> {
    await this.#program.says('Pahatid is ready', READY_MS);
  }

  /** Ends it as Ctrl-C does, and starts it again on its data. */
  async restart(): Promise<void> {
    await this.#program.end('SIGTERM', STOP_MS);
    this.#program = this.#run();
    await this.ready();
  }

  /** The output of the current start. */
  get output(): string {
    return this.#program.output;
  }

  /** Returns processes of the product whose command line contains all the words. */
  pids(...words: string[]): number[] {
    return processesBelow(this.#program.pid).filter((pid) => words.every((word) => commandLine(pid).includes(word)));
  }

  /** Signs in, and returns the cookie. */
  async cookieOf(account: string, password = 'Demo@1234'): Promise<string> {
    const answer = await fetch(`${this.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account, password }),
    });
    if (!answer.ok) throw new Error(`sign-in of ${account}: ${answer.status} ${await answer.text()}`);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
  }

  async signIn(account: string, password = 'Demo@1234'): Promise<SignedIn> {
    const cookie = await this.cookieOf(account, password);
    const withCookie: SignedIn['fetch'] = (below, init) =>
      // Between two calls, browser steps may take longer than keep-alive.
      fetch(`${this.url}/api/v1${below}`, { ...init, headers: { ...init?.headers, cookie, connection: 'close' } });
    const call = makeClient(async ({ method, path: below, body }) => {
      const got = await withCookie(below, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await got.text();
      if (!got.ok) throw new Error(`${method} ${below}: ${got.status} ${text}`);
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    });
    return { call, fetch: withCookie };
  }

  /** Its embedded database, for what no API brings about. */
  async databaseUrl(): Promise<string> {
    return (await startEmbedded({ dataDir: this.#dataDir })).url;
  }

  async counters(): Promise<Counters> {
    return (await (await this.#control('/counters')).json()) as Counters;
  }

  /** Every submit that carriers saw, in their order. */
  async journal(): Promise<JournalEntry[]> {
    const lines = await (await this.#control('/journal.ndjson')).text();
    return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as JournalEntry]));
  }

  async setCarriers(change: Record<string, unknown>): Promise<void> {
    await this.#control('/carriers/all', { method: 'PATCH', body: JSON.stringify(change) });
  }

  /** Faults of all carriers; null switches all of them off. */
  async setFaults(faults: Record<string, unknown> | null): Promise<void> {
    await this.#control('/carriers/all/faults', {
      method: faults === null ? 'DELETE' : 'PATCH',
      ...(faults !== null && { body: JSON.stringify(faults) }),
    });
  }

  /** Uses a separate connection: an idle one may be closed by the other side at this very moment. */
  async #control(below: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`${this.#controlUrl}${below}`, { ...init, headers: { connection: 'close' } });
    if (!answer.ok) throw new Error(`simulator: ${await answer.text()}`);
    return answer;
  }

  async stop(): Promise<void> {
    await this.#program.end('SIGTERM', STOP_MS);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

/** In the run's own temporary folder, and deleted with it. */
const demoData = (): string => path.join(os.tmpdir(), 'pahatid-demo-data');

function copyDemo(dataDir: string): boolean {
  if (process.env['PAHATID_TEST_RUN'] === undefined || !existsSync(demoData())) return false;
  rmSync(dataDir, { recursive: true });
  copyFolder(demoData(), dataDir);
  return true;
}

/** With owners and modes: the database's files are its own user's. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${to}: ${stderr}`);
}

function takeTurn(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    return false;
  }
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
const commandLine = (pid: number): string => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');

function processesBelow(ancestor: number): number[] {
  const parentOf = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    parentOf.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = parentOf.get(pid); at !== undefined && at > 1; at = parentOf.get(at))
      if (at === ancestor) return true;
    return false;
  };
  return [...parentOf.keys()].filter(isBelow);
}
