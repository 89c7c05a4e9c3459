/** The carrier simulator in a separate process, and its control. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../apps/carrier-simulator/src/main.ts', import.meta.url));

export interface CarrierCounters {
  received: number;
  submits: number;
  messages: number;
  unique: number;
  duplicates: number;
  refused: Record<string, number>;
  peakPerSecond: number;
}

export class SimulatorProcess {
  readonly port: number;
  readonly child: ChildProcess;
  private readonly control: string;

  private constructor(child: ChildProcess, port: number, control: string) {
    this.child = child;
    this.port = port;
    this.control = control;
  }

  static async start(...words: readonly string[]): Promise<SimulatorProcess> {
    const child = spawn(process.execPath, [program, '--port=0', '--control=0', '--outcomes=delivered=1', ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [, port, control = ''] = /SMPP port (\d+).*control (\S+)/.exec(line.toString()) ?? [];
    return new SimulatorProcess(child, Number(port), control);
  }

  async counters(carrier: string): Promise<CarrierCounters> {
    const response = await fetch(`${this.control}/counters`);
    const { carriers } = (await response.json()) as { carriers: Record<string, CarrierCounters> };
    const found = carriers[carrier];
    if (found === undefined) throw new Error(`no such carrier: ${carrier}`);
    return found;
  }

  async reset(): Promise<void> {
    await fetch(`${this.control}/reset`, { method: 'POST' });
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}
