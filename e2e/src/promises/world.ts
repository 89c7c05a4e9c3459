/**
 * A world to break: a database, carriers with a journal, roles as separate processes, and a load that the test keeps
 * its own account of. See README.md.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { makePool, migrate } from '@pahatid/db';
import { buildApplication, buildCustomer, buildTask, buildTemplate } from '@pahatid/db/builders';
import { type Embedded, removeEmbedded, startEmbedded } from '@pahatid/db/embedded';
import { freePort, Program, TcpProxy, testDatabase, until } from '@pahatid/testkit';
import type { Pool } from './audited-row.ts';
import { auditEvidence, type Evidence, type Verdict } from './auditor.ts';
import { CarrierProcess } from './carrier-process.ts';
import { main } from './root.ts';
import { masterKey, Scene } from './server-parts.ts';
import { patience } from './sizes.ts';

export type RoleName = 'sender' | 'jobs' | 'api';

export interface WorldOptions {
  /** Of each supplier account, segments a second. */
  tps?: number;
  windowSize?: number;
  bindCount?: number;
  doubtPolicy?: 'hold' | 'resend';
  chargeType?: 'SenderPays' | 'ReceiverPays';
  /** Merged into the profile of every supplier account: `{ responseTimeoutMs: 1000 }`. */
  profile?: Record<string, unknown>;
  carrierFlags?: readonly string[];
  /** A PostgreSQL of the world's own, with fsync, to be killed; else a database of the test cluster. */
  ownDatabase?: boolean;
  /** Of a database that the test runs, and ends after the world. */
  databaseUrl?: string;
  /** The location of `ownDatabase`: another disk. */
  databaseFolder?: string;
  /** Senders reach the carriers, and the database, through proxies that can be made to misbehave. */
  carrierProxy?: boolean;
  databaseProxy?: boolean;
  /** In addition to the scene's: messages are accepted for all in turns. */
  otherCustomers?: number;
}

/** A customer with an application and a task that messages are accepted for. */
type Customer = Pick<Scene, 'customerId' | 'appId' | 'taskId'>;

const buildSender = async (pool: Pool): Promise<Customer> => {
  const customerId = await buildCustomer(pool, { quietHoursExempt: true });
  const appId = await buildApplication(pool, { customerId });
  const templateId = await buildTemplate(pool, { customerId, appId, smsType: 2, content: 'Hi' });
  return {
    customerId,
    appId,
    taskId: await buildTask(pool, { customerId, appId, templateId, smsType: 2, taskStatus: 5 }),
  };
};

/** Carriers of the world; each has one supplier account. */
export const carrierCount = 3;

export class World {
  readonly carriers: CarrierProcess;
  readonly pool: Pool;
  readonly scene: Scene;
  /** All that messages are accepted for. */
  readonly customers: readonly Customer[];
  readonly options: WorldOptions;
  readonly carrierProxy: TcpProxy | null;
  readonly databaseProxy: TcpProxy | null;
  /** Phones whose acceptance was acknowledged to the test. */
  readonly accepted = new Set<string>();
  /** Phones whose acceptance ended without a response. */
  readonly uncertain = new Set<string>();
  readonly programs: Program[] = [];
  #database: Embedded | null;
  readonly #folder: string | null;
  readonly #url: string;
  readonly #renewing: NodeJS.Timeout;
  #next = 0;
  #turn = 0;
  readonly #owners = new Set<string>();

  private constructor(parts: {
    carriers: CarrierProcess;
    pool: Pool;
    scene: Scene;
    customers: readonly Customer[];
    options: WorldOptions;
    database: Embedded | null;
    folder: string | null;
    url: string;
    carrierProxy: TcpProxy | null;
    databaseProxy: TcpProxy | null;
  }) {
    this.carriers = parts.carriers;
    this.pool = parts.pool;
    this.scene = parts.scene;
    this.customers = parts.customers;
    this.options = parts.options;
    this.#database = parts.database;
    this.#folder = parts.folder;
    this.#url = parts.url;
    this.carrierProxy = parts.carrierProxy;
    this.databaseProxy = parts.databaseProxy;
    this.#renewing = setInterval(() => void this.scene.writer.renew().catch(() => {}), 5_000);
  }

  /** Cleared away after the test. */
  static async make(t: TestContext, options: WorldOptions = {}): Promise<World> {
    let world: World | null = null;
    // Registered before the database's own clearing, and so before it runs.
    t.after(() => world?.close());
    const { carrierFlags, ownDatabase = false, tps = 1_000, windowSize = 50, bindCount = 2 } = options;
    const carriers = await CarrierProcess.start(carrierFlags);
    t.after(() => carriers.stop());
    let database: Embedded | null = null;
    let folder: string | null = null;
    let url: string;
    let pool: Pool;
    if (ownDatabase) {
      folder = options.databaseFolder ?? mkdtempSync(path.join(os.tmpdir(), 'pahatid-world-'));
      database = await startEmbedded({ dataDir: folder });
      url = database.url;
      await migrate({ url });
      pool = makePool({ url, applicationName: 'pahatid world' });
    } else if (options.databaseUrl !== undefined) {
      url = options.databaseUrl;
      await migrate({ url });
      pool = makePool({ url, applicationName: 'pahatid world' });
    } else ({ url, pool } = await testDatabase({ strict: false }));
    const carrierProxy = options.carrierProxy ? await TcpProxy.start({ port: carriers.port }) : null;
    const databaseProxy = options.databaseProxy ? await TcpProxy.start({ port: Number(new URL(url).port) }) : null;
    const scene = await Scene.build({
      pool,
      port: carrierProxy?.port ?? carriers.port,
      tps,
      windowSize,
      bindCount,
      ...(options.doubtPolicy === undefined ? {} : { doubtPolicy: options.doubtPolicy }),
      ...(options.chargeType === undefined ? {} : { chargeType: options.chargeType }),
    });
    const customers: Customer[] = [scene];
    for (let n = 0; n < (options.otherCustomers ?? 0); n++) customers.push(await buildSender(pool));
    // The scene's task is for `accept` only: it has no file, and concurrent jobs must not process it.
    await pool.query('update task set prepared = true, total_count = 1000000000');
    await pool.query('update supplier set profile = profile || $1::jsonb', [JSON.stringify(options.profile ?? {})]);
    const parts = { carriers, pool, scene, customers, options, database, folder, url, carrierProxy, databaseProxy };
    world = new World(parts);
    return world;
  }

  // --- load --------------------------------------------------------------------------------------------------------

  /**
   * Accepts messages to phones never used before, every tenth of two segments; a response adds them to the accepted
   * ones.
   */
  async accept(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1_000) {
      const { customerId, appId, taskId } = this.customers[this.#turn++ % this.customers.length]!;
      const recipients = this.scene.recipients(Math.min(1_000, left), this.#next);
      this.#next += recipients.length;
      const phones = recipients.map(({ msisdn }) => msisdn);
      try {
        await this.scene.accept(recipients, { customerId, appId, taskId });
        for (const phone of phones) this.accepted.add(phone);
      } catch {
        for (const phone of phones) this.uncertain.add(phone);
      }
    }
  }

  // --- processes ---------------------------------------------------------------------------------------------------

  get url(): string {
    return this.#url;
  }

  /** Returns a role's environment, as set by the supervisor. */
  env(more: Record<string, string> = {}): Record<string, string> {
    return {
      DATABASE_URL: this.databaseProxy?.through(this.#url) ?? this.#url,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_LOG: process.env['PAHATID_LOG'] ?? 'warn',
      ...more,
    };
  }

  /** `pahatid run --role …`; does not wait for it. */
  run(role: RoleName, env: Record<string, string> = {}): Program {
    const program = new Program([main, 'run', '--role', role], { env: this.env(env) });
    this.programs.push(program);
    return program;
  }

  /** Starts a sender, about to share the binds; returns it with the name under which it owns batches. One after the other. */
  async startSender(env: Record<string, string> = {}): Promise<{ program: Program; owner: string }> {
    const program = this.run('sender', env);
    const owner = await until(
      async () => {
        if (program.hasEnded) throw new Error(`the sender ended: ${program.output}`);
        const { rows } = await this.pool.query<{ owner: string }>(
          'select owner from bind_lease where not owner = any($1::uuid[]) limit 1',
          [[...this.#owners]],
        );
        return rows[0]?.owner;
      },
      { timeoutMs: 120_000, everyMs: 20, what: 'a sender' },
    );
    this.#owners.add(owner);
    return { program, owner };
  }

  /** Starts the api and waits until it responds; on a separate port. */
  async startApi(env: Record<string, string> = {}): Promise<{ program: Program; url: string; port: number }> {
    const port = await freePort();
    return { program: await this.runApi(port, env), url: `http://127.0.0.1:${port}`, port };
  }

  async runApi(port: number, env: Record<string, string> = {}): Promise<Program> {
    const program = this.run('api', { ...env, PAHATID_PORT: String(port) });
    const answers = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok);
    await until(() => program.hasEnded || answers(), { timeoutMs: 120_000, what: 'the api' });
    if (program.hasEnded) throw new Error(`the api ended: ${program.output}`);
    return program;
  }

  // --- the database ------------------------------------------------------------------------------------------------

  get databaseProcess(): Embedded {
    assert.ok(this.#database, 'the world has no database of its own');
    return this.#database;
  }

  /** Runs kill -9 on the postmaster. Returns the instant, Unix milliseconds. */
  async killDatabase(): Promise<number> {
    const database = this.databaseProcess;
    const at = Date.now();
    process.kill(database.pid, 'SIGKILL');
    await database.exited;
    return at;
  }

  /** Restarts it at the same place. Returns when it accepted connections, Unix milliseconds. */
  async reviveDatabase(): Promise<number> {
    assert.ok(this.#folder);
    this.#database = await startEmbedded({ dataDir: this.#folder });
    assert.equal(this.#database.url, this.#url, 'the database came back elsewhere');
    return Date.now();
  }

  /** How many messages are in each pair of states: `{ '3/2': 1000 }`. */
  async states(): Promise<Record<string, number>> {
    const { rows } = await this.pool.query<{ state: string; n: number }>(
      `select send_status || '/' || client_status as state, count(*)::int as n from message group by 1`,
    );
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  }

  /** Returns a second life of this world, on another database with other carriers; its owner ends those. */
  besides(other: { url: string; pool: Pool; carriers: CarrierProcess }): World {
    const { scene, customers, options } = this;
    const world = new World({
      ...other,
      scene,
      customers,
      options,
      database: null,
      folder: null,
      carrierProxy: null,
      databaseProxy: null,
    });
    // The writer is the first life's.
    clearInterval(world.#renewing);
    return world;
  }

  // --- the end -----------------------------------------------------------------------------------------------------

  /**
   * Waits until the system is idle: every message has its outcome, no receipt is in transit, and none is waiting that
   * could still resolve a message in doubt.
   */
  async untilQuiet(options: { receiptsWithheld?: boolean; timeoutMs?: number } = {}): Promise<void> {
    let last = '';
    let since = performance.now();
    let quiet = '';
    await until(
      async () => {
        const states = await this.states();
        const { submits, receiptsScheduled, deliveriesWaiting } = await this.carriers.counters();
        const { rows } = await this.pool.query<{ batches: number; inbox: number; working: number }>(
          `select (select count(*)::int from batch where state <> 2) batches,
             (select count(*)::int from receipt_inbox where matched_at is null) inbox,
             (select count(*)::int from pg_stat_activity where datname = current_database()
               and pid <> pg_backend_pid() and xact_start < pg_catalog.clock_timestamp() - interval '1 second') working`,
        );
        const { batches = 0, inbox = 0, working = 0 } = rows[0] ?? {};
        const now = JSON.stringify([states, submits, batches, inbox]);
        // On a busy machine one sweep of many receipts takes longer than the wait below.
        if (now !== last || working > 0) since = performance.now();
        last = now;
        quiet = `${now}, ${working} long transactions, ${receiptsScheduled} receipts scheduled, ${deliveriesWaiting} waiting`;
        const isOpen = Object.keys(states).some((each) => each.startsWith('0/') || each === '3/0' || each === '3/1');
        const receipts = options.receiptsWithheld ? 0 : receiptsScheduled + deliveriesWaiting;
        if (options.receiptsWithheld ? (states['0/0'] ?? 0) > 0 : isOpen) return false;
        if (batches > 0 || receipts > 0) return false;
        // A receipt is tried against messages in doubt when it is 5 s old, by a sweep every 2 s.
        return performance.now() - since > (inbox > 0 ? 10_000 : 1_500);
      },
      { timeoutMs: options.timeoutMs ?? patience(60_000), everyMs: 200, what: 'quiet' },
    ).catch((error: unknown) => {
      const said = this.programs.map(({ output }) => output.slice(-1_000)).join('\n');
      throw new Error(`not quiet: ${quiet}\n${said}`, { cause: error });
    });
  }

  /** Runs the auditor and `pahatid verify`. Throws if an invariant is violated. */
  async audit(more: Partial<Evidence> = {}): Promise<Verdict> {
    const verdict = await auditEvidence({
      pool: this.pool,
      submits: this.carriers.submits(),
      accepted: this.accepted,
      uncertain: this.uncertain,
      policy: this.options.doubtPolicy ?? 'hold',
      customerId: this.scene.customerId,
      otherCustomerIds: this.customers.slice(1).map(({ customerId }) => customerId),
      ...more,
    });
    this.verify();
    return verdict;
  }

  /** `pahatid verify`, as anyone runs it. */
  verify(): void {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'verify'], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...this.env(),
        DATABASE_URL: this.#url,
      },
    });
    assert.equal(status, 0, `pahatid verify: ${stdout}${stderr}`);
  }

  async endPrograms(): Promise<void> {
    for (const program of this.programs) {
      program.child.kill('SIGCONT');
      await program.kill();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    await this.endPrograms();
    await this.scene.close().catch(() => {});
    await this.carrierProxy?.close();
    await this.databaseProxy?.close();
    if (this.#database !== null || this.options.databaseUrl !== undefined) await this.pool.end();
    if (this.#database === null) return;
    await this.#database.stop();
    if (this.#folder === null) return;
    await removeEmbedded(this.#folder);
    if (this.options.databaseFolder === undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
