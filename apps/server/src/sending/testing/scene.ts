/** A customer, a task that is being sent, carriers and routes, on a database of the test's own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type CarrierChange, type Simulator, startSimulator } from '@pahatid/carrier-simulator';
import { leaseWriter, uuidV7, type WriterLease, withTransaction } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildDefaultPrice,
  buildPrefixes,
  buildSimulatedCarriers,
  buildTask,
  buildTemplate,
} from '@pahatid/db/builders';
import { defaultSettings, type EngineSettings } from '@pahatid/engine';
import { until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { makeSecrets } from '../../secrets/secrets.ts';
import { type Accepted, type AcceptRequest, acceptMessages, type Recipient } from '../accept/accept.ts';
import { RoutingTable } from '../route/routing-table.ts';
import { type Sending, type SendingOptions, startSending } from '../start-sending.ts';
import { type Audit, audit } from './audit.ts';

export const masterKey = Buffer.alloc(32, 7);
const secrets = makeSecrets(masterKey);
const log = pino({ level: process.env['PAHATID_LOG'] ?? 'silent' });

export interface SceneOptions {
  pool: Pool;
  carriers?: CarrierChange;
  tps?: number;
  windowSize?: number;
  bindCount?: number;
  /** An address of carriers that run elsewhere. */
  port?: number;
  smsType?: 1 | 2 | 3;
  chargeType?: 'SenderPays' | 'ReceiverPays';
  doubtPolicy?: 'hold' | 'resend';
}

const prefixOf = { Globe: '63917', Smart: '63918', DITO: '63991' } as const;

const hourMs = 3_600_000;

/** Milliseconds from now to an hour of this day in Manila (UTC+8), backwards or forwards. */
const untilManilaHour = (hour: number): number => {
  const manila = Date.now() + 8 * hourMs;
  return hour * hourMs - (manila % (24 * hourMs));
};

export class Scene {
  readonly pool: Pool;
  readonly options: SceneOptions;
  simulator: Simulator | null = null;
  customerId = '';
  appId = '';
  taskId = '';
  writer!: WriterLease;
  routing!: RoutingTable;
  private senders: Sending[] = [];
  private children: ChildProcess[] = [];

  constructor(options: SceneOptions) {
    this.pool = options.pool;
    this.options = options;
  }

  static async build(options: SceneOptions): Promise<Scene> {
    const scene = new Scene(options);
    await scene.make();
    return scene;
  }

  private async make(): Promise<void> {
    const { pool, options } = this;
    const { carriers, tps = 5_000, windowSize = 50, bindCount = 2, smsType = 2, doubtPolicy = 'hold' } = options;
    let { port } = options;
    if (port === undefined) {
      this.simulator = await startSimulator({
        port: 0,
        controlPort: 0,
        all: { outcomes: { delivered: 1 }, receiptDelay: { fromMs: 5, toMs: 50 }, ...carriers },
      });
      port = this.simulator.port;
    }
    this.customerId = await buildCustomer(pool, { quietHoursExempt: true });
    this.appId = await buildApplication(pool, {
      customerId: this.customerId,
      chargeType: options.chargeType ?? 'SenderPays',
    });
    const policy = { verification: doubtPolicy, notification: doubtPolicy, marketing: doubtPolicy };
    await pool.query('update application set doubt_policy = $2 where app_id = $1', [
      this.appId,
      JSON.stringify(policy),
    ]);
    const templateId = await buildTemplate(pool, {
      customerId: this.customerId,
      appId: this.appId,
      smsType,
      content: 'Hi',
    });
    this.taskId = await buildTask(pool, {
      customerId: this.customerId,
      appId: this.appId,
      templateId,
      smsType,
      taskStatus: 5,
    });
    await buildSimulatedCarriers(pool, { port, secrets, tps, windowSize, bindCount });
    await buildPrefixes(
      pool,
      Object.entries(prefixOf).map(([carrier, prefix]) => ({ prefix, carrier })),
    );
    await buildDefaultPrice(pool);
    this.writer = await leaseWriter(pool, uuidV7());
    this.routing = await RoutingTable.load(pool);
  }

  /** Recipients spread over the three carriers, every tenth with a text of two segments. */
  recipients(count: number, from = 0): Recipient[] {
    const prefixes = Object.values(prefixOf);
    return Array.from({ length: count }, (_, index) => {
      const n = from + index;
      const isLong = n % 10 === 9;
      return {
        msisdn: `${prefixes[n % 3]}${String(n).padStart(7, '0')}`,
        areaCode: 'PH',
        content: `Message ${n}. ${isLong ? 'A text of two segments. '.repeat(8) : ''}`,
        pkgTotal: isLong ? 2 : 1,
      };
    });
  }

  async accept(recipients: Recipient[], more: Partial<AcceptRequest> = {}): Promise<Accepted> {
    const accepted = await withTransaction(this.pool, (tx) =>
      acceptMessages(
        tx,
        { ids: this.writer.ids, routing: this.routing },
        {
          customerId: this.customerId,
          appId: this.appId,
          smsType: this.options.smsType ?? 2,
          clientSid: 'PAHATID',
          chargeType: this.options.chargeType ?? 'SenderPays',
          taskId: this.taskId,
          round: 0,
          notBefore: null,
          recipients,
          ...more,
        },
      ),
    );
    await this.pool.query('select pg_notify($1, $2)', ['pahatid_batch', '']);
    return accepted;
  }

  /** At noon in Manila unless `manilaHour` is set: test results must not depend on the time of day. */
  async startSender(
    settings: Partial<EngineSettings> = {},
    manilaHour = 12,
    more: Partial<SendingOptions> = {},
  ): Promise<Sending> {
    const sending = await startSending({
      ...more,
      clockOffsetMs: untilManilaHour(manilaHour),
      pools: { control: this.pool, data: this.pool },
      secrets,
      log,
      settings: { ...defaultSettings, ...settings },
      doubtGraceMs: 500,
    });
    this.senders.push(sending);
    return sending;
  }

  /** Starts a sender in a separate process, on the database at `url`. */
  async spawnSender(url: string, settings: Partial<EngineSettings> = {}): Promise<ChildProcess> {
    const given = JSON.stringify({ url, masterKey: masterKey.toString('hex'), settings });
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'sender-process.ts'), given], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  /** Accepted submits that the carriers have seen. */
  get seen(): number {
    let count = 0;
    for (const carrier of this.simulator!.carriers.values()) count += carrier.counters().submits;
    return count;
  }

  async untilSeen(count: number): Promise<void> {
    await until(() => this.seen >= count, { everyMs: 2, what: `${count} submits` });
  }

  setFaults(faults: Record<string, unknown>): void {
    for (const carrier of this.simulator!.carriers.values()) carrier.setFaults(faults);
  }

  /** How many messages are in each pair of states. */
  async states(): Promise<Record<string, number>> {
    const { rows } = await this.pool.query<{ s: string; n: number }>(
      `select send_status || '/' || client_status as s, count(*)::int as n from message group by 1`,
    );
    return Object.fromEntries(rows.map((row) => [row.s, row.n]));
  }

  /** Waits until the messages are in the states wanted, e.g. `{ '3/2': 2000 }`. */
  async untilStates(wanted: Record<string, number>, timeoutMs = 120_000): Promise<void> {
    let last: Record<string, number> = {};
    await until(
      async () => {
        last = await this.states();
        return JSON.stringify(sorted(last)) === JSON.stringify(sorted(wanted));
      },
      { timeoutMs, what: JSON.stringify(wanted) },
    ).catch((error: unknown) => {
      throw new Error(`states are ${JSON.stringify(last)}`, { cause: error });
    });
  }

  async audit(): Promise<Audit> {
    return await audit(this.pool, this.simulator!.journal.entries());
  }

  async close(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    for (const sending of this.senders.splice(0)) await sending.stop();
    await this.simulator?.stop();
    await this.writer.release();
  }
}

const sorted = (counts: Record<string, number>): [string, number][] =>
  Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
