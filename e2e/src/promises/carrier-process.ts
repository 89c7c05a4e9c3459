/** The carriers in a separate process, their journal on disk: the judge of every promise. */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Program, until } from '@pahatid/testkit';
import { root } from './root.ts';
import { patience } from './sizes.ts';

export interface CarrierCounters {
  journal: number;
  received: number;
  submits: number;
  messages: number;
  receiptsScheduled: number;
  deliveriesWaiting: number;
}

/** A line of the journal. */
export interface Submit {
  at: number;
  carrier: string;
  /** Arrival, ISO 8601, of the clock that the test has too. */
  time: string;
  /** The same as Unix milliseconds. */
  timeMs: number;
  /** command_status of the response, whether or not the response was received. */
  status: number;
  /** Empty when refused. */
  id: string;
  source: string;
  destination: string;
  text: string;
  part: number;
  parts: number;
  reference: number;
}

export class CarrierProcess {
  readonly port: number;
  readonly controlUrl: string;
  readonly program: Program;
  readonly #folder: string;

  private constructor(program: Program, port: number, controlUrl: string, folder: string) {
    this.program = program;
    this.port = port;
    this.controlUrl = controlUrl;
    this.#folder = folder;
  }

  /** `flags`: of `npm run simulator -- --help`; later ones win. */
  static async start(flags: readonly string[] = []): Promise<CarrierProcess> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-carrier-'));
    const program = new Program([
      path.join(root, 'apps/carrier-simulator/src/main.ts'),
      ...['--port', '0', '--outcomes', 'delivered=1', '--receipt-delay', '5-100'],
      ...['--journal', path.join(folder, 'journal.ndjson'), '--journal-limit', '10000', ...flags],
    ]);
    await program.says(/control http/);
    const [, port, controlUrl] = /SMPP port (\d+).*control (http:\S+)/.exec(program.output) ?? [];
    if (port === undefined || controlUrl === undefined) throw new Error(`the carriers said: ${program.output}`);
    return new CarrierProcess(program, Number(port), controlUrl, folder);
  }

  async counters(): Promise<CarrierCounters> {
    return (await this.#call('GET', '/counters')) as CarrierCounters;
  }

  /** Changes profiles: `{ tps: 300 }`. */
  async change(change: Record<string, unknown>, carrier = 'all'): Promise<void> {
    await this.#call('PATCH', `/carriers/${carrier}`, change);
  }

  async setFaults(faults: Record<string, unknown>, carrier = 'all'): Promise<void> {
    await this.#call('PATCH', `/carriers/${carrier}/faults`, faults);
  }

  async clearFaults(): Promise<void> {
    await this.#call('DELETE', '/carriers/all/faults');
  }

  async disconnect(how: 'unbind' | 'reset' | 'close', carrier = 'all'): Promise<void> {
    await this.#call('POST', `/carriers/${carrier}/disconnect`, { how });
  }

  /** A receipt of any id, asked for or not. */
  async sendReceipt(carrier: string, receipt: Record<string, unknown>): Promise<void> {
    await this.#call('POST', `/carriers/${carrier}/receipts`, receipt);
  }

  /** A text from a phone. */
  async sendText(carrier: string, message: { from: string; to: string; text: string }): Promise<void> {
    await this.#call('POST', `/carriers/${carrier}/messages`, message);
  }

  /** Waits until so many submits were accepted. */
  async untilSeen(count: number, timeoutMs = patience(60_000)): Promise<void> {
    await until(async () => (await this.counters()).submits >= count, {
      everyMs: 20,
      timeoutMs,
      what: `${count} submits`,
    });
  }

  /** Yields every submit in the order of arrival, from the file; waits for pending writes to it. */
  async *submits(): AsyncGenerator<Submit> {
    const { journal } = await this.counters();
    let count = 0;
    await until(async () => (await countLines(this.#journal)) >= journal, { what: 'the journal on disk' });
    for await (const line of createInterface({ input: createReadStream(this.#journal) })) {
      if (line === '' || count >= journal) continue;
      count += 1;
      const entry = JSON.parse(line) as Omit<Submit, 'timeMs'>;
      yield { ...entry, timeMs: Date.parse(entry.time) };
    }
  }

  async stop(): Promise<void> {
    if (!this.program.hasEnded) await this.program.end('SIGTERM').catch(() => this.program.kill());
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #journal(): string {
    return path.join(this.#folder, 'journal.ndjson');
  }

  async #call(method: string, below: string, body?: unknown): Promise<unknown> {
    const ask = () =>
      fetch(`${this.controlUrl}${below}`, {
        method,
        // An idle connection may be closed by the other side at this very moment.
        headers: { connection: method === 'GET' ? 'keep-alive' : 'close' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const answer = await ask().catch((error: unknown) => {
      if (method !== 'GET') throw error;
      return ask();
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${below}: ${JSON.stringify(said)}`);
    return said;
  }
}

async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
  }
  return count;
}
