/** The simulated carriers of the market in a separate process, as seen through their control. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { FAILING, PASSWORD, RECEIPT_DELAY, SUPPLIERS, THROTTLED } from './plan.ts';

const PROGRAM = path.join(import.meta.dirname, '../../../../../carrier-simulator/src/main.ts');
const JOURNAL_LIMIT = 5_000_000;
/** Answers vary by this share around the supplier's time. */
const SPREAD = 0.25;

interface Counters {
  submits: number;
  peakPerSecond: number;
}

/** What the carriers saw of one phone. */
export interface Seen {
  /** Unix ms of its first submit, refused or not. */
  readonly firstMs: number;
  readonly firstAt: string;
  /** Accepted submits, over all carriers. */
  copies: number;
}

export class MarketCarriers {
  readonly port: number;
  private readonly child: ChildProcess;
  private readonly control: string;

  private constructor(child: ChildProcess, port: number, control: string) {
    this.child = child;
    this.port = port;
    this.control = control;
  }

  static async start(): Promise<MarketCarriers> {
    const carriers = SUPPLIERS.map(({ name, answerMs }) => ({
      systemId: name,
      password: PASSWORD,
      latency: { fromMs: Math.round(answerMs * (1 - SPREAD)), toMs: Math.round(answerMs * (1 + SPREAD)) },
      receiptDelay: RECEIPT_DELAY,
    }));
    const words = carriers.map((carrier) => `--carrier=${JSON.stringify(carrier)}`);
    const common = ['--port=0', '--control=0', '--outcomes=delivered=1', `--journal-limit=${JOURNAL_LIMIT}`];
    const child = spawn(process.execPath, [PROGRAM, ...common, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [, port, control = ''] = /SMPP port (\d+).*control (\S+)/.exec(line.toString()) ?? [];
    const started = new MarketCarriers(child, Number(port), control);
    await started.call('PATCH', 'carriers/all/faults', { errors: [THROTTLED] });
    return started;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async counters(): Promise<Counters & { carriers: Record<string, Counters> }> {
    return (await (await fetch(`${this.control}/counters`)).json()) as Counters & {
      carriers: Record<string, Counters>;
    };
  }

  /** Every connection ends at one instant, and no bind is accepted. */
  async goDown(status: number): Promise<void> {
    await this.call('PATCH', `carriers/${FAILING}/faults`, { bindStatus: status });
    await this.call('POST', `carriers/${FAILING}/disconnect`, { how: 'reset' });
  }

  async comeBack(): Promise<void> {
    await this.call('PATCH', `carriers/${FAILING}/faults`, { bindStatus: 0 });
  }

  /** By phone. */
  async readJournal(): Promise<Map<string, Seen>> {
    const { body } = await fetch(`${this.control}/journal.ndjson`);
    if (body === null) throw new Error('the journal is empty');
    const seen = new Map<string, Seen>();
    for await (const line of createInterface({ input: Readable.fromWeb(body as never) })) {
      const { destination, carrier, time, status } = JSON.parse(line) as Record<string, string> & { status: number };
      const known = seen.get(destination ?? '');
      const of = known ?? { firstMs: Date.parse(time ?? ''), firstAt: carrier ?? '', copies: 0 };
      if (known === undefined) seen.set(destination ?? '', of);
      if (status === 0) of.copies += 1;
    }
    return seen;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  private async call(method: string, where: string, body: object): Promise<void> {
    const response = await fetch(`${this.control}/${where}`, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${where}: ${await response.text()}`);
  }
}
