/**
 * Codes and notices over HTTP, one a call, in a fixed proportion to what the carriers take: the mixture is the same
 * however fast the machine is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../http-client.ts';
import { BIG_SHARE, msisdnAt, SHARES } from './plan.ts';
import type { MarketCustomer } from './world.ts';

const CONNECTIONS = 48;
/** How often the carriers are asked how much they took, and how long an idle connection waits. */
const LOOK_MS = 100;
const IDLE_MS = { from: 5, to: 15 };
/** As `Retry-After` asks. */
const BUSY_MS = 1_000;
const SINGLE = SHARES.notices + SHARES.codes;
/** A code, then as many notices as there are of them to one code. */
const CODE_EVERY = Math.round(SINGLE / SHARES.codes);

export interface SentSingle {
  readonly messageId: string;
  readonly msisdn: string;
  readonly isCode: boolean;
  /** Unix ms. */
  readonly askedMs: number;
  readonly answeredMs: number;
}

interface LoadOptions {
  readonly ports: readonly number[];
  readonly customers: readonly MarketCustomer[];
  /** Of the first phone. */
  readonly from: number;
  /** Submits that the carriers took so far. */
  readonly readTaken: () => Promise<number>;
}

export class MarketLoad {
  readonly sent: SentSingle[] = [];
  /** Calls that were asked to come again. */
  busy = 0;
  private readonly options: LoadOptions;
  private issued = 0;
  private isOver = false;
  private taken = { count: 0, perMs: 0, atMs: performance.now() };
  private running: Promise<void> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.options = options;
  }

  start(): void {
    const connections = Array.from({ length: CONNECTIONS }, (_, n) => this.runConnection(n));
    this.running = Promise.all([this.follow(), ...connections]).then(() => undefined);
    // Awaited by `stop`; without this a failure would end the process before.
    this.running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Between two looks the rate of before is taken to go on, so that calls do not come in bursts. */
  private get due(): number {
    const { count, perMs, atMs } = this.taken;
    return SINGLE * (count + perMs * Math.min(performance.now() - atMs, 2 * LOOK_MS));
  }

  private async follow(): Promise<void> {
    while (!this.isOver) {
      await sleep(LOOK_MS);
      const [count, atMs] = [await this.options.readTaken(), performance.now()];
      this.taken = { count, perMs: (count - this.taken.count) / (atMs - this.taken.atMs), atMs };
    }
  }

  private async runConnection(n: number): Promise<void> {
    const { ports } = this.options;
    const client = await HttpClient.open(ports[n % ports.length] ?? 0);
    while (!this.isOver) {
      if (this.issued >= this.due) await sleep(IDLE_MS.from + Math.random() * (IDLE_MS.to - IDLE_MS.from));
      else await this.send(client, this.issued++);
    }
    client.close();
  }

  private async send(client: HttpClient, n: number): Promise<void> {
    const { customers, from } = this.options;
    const [big] = customers;
    const small = customers[1 + (n % (customers.length - 1))];
    const customer = Math.random() < BIG_SHARE ? big : small;
    if (customer === undefined) throw new Error('there are no customers');
    const isCode = n % CODE_EVERY === 0;
    const msisdn = msisdnAt(from + n);
    const content = isCode
      ? `Your code is ${100_000 + (n % 900_000)}.`
      : `Your order ${n} is on its way: ${customer.link}`;
    const body = JSON.stringify({ to: msisdn, smsType: isCode ? 1 : 2, content });
    const askedMs = Date.now();
    for (;;) {
      const { status, body: answer } = await client.post('/api/v1/messages', customer.authorization, body);
      if (status === 202) {
        const { messageId } = JSON.parse(answer) as { messageId: string };
        this.sent.push({ messageId, msisdn, isCode, askedMs, answeredMs: Date.now() });
        return;
      }
      if (status !== 503) throw new Error(`${status} ${answer}`);
      this.busy += 1;
      await sleep(BUSY_MS);
    }
  }
}
