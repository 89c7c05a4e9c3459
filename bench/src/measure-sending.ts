/** Runs the product's own measuring program in a separate process and reads its output. */
import { fileURLToPath } from 'node:url';
import type { Figure } from './bench.ts';
import { runProgram } from './run-program.ts';

export interface Measured {
  count: number;
  windowSize: number;
  customers: number;
  /** Rows in `message` before. */
  prefill: number;
  binds: number;
  cores: number;
  seconds: number;
  perSecond: number;
  acceptPerSecond: number;
  cpuMicros: { sender: number; simulator: number; postgres: number; listener: number; all: number };
  /** On the stream, if one follows the first customer. */
  events?: { shown: number; skipped: number };
  /** MiB. */
  senderPeak: number;
  /** Bytes of the write-ahead log per message. */
  walBytes: number;
  rows: { delivered: number; counted: number; updates: number; hot: number };
}

const program = fileURLToPath(new URL('../../apps/server/src/sending/testing/measure-sending.ts', import.meta.url));

export const measureSending = async (
  of: Partial<Pick<Measured, 'count' | 'windowSize' | 'customers' | 'prefill'>> & {
    /** Messages accepted together. */
    readonly slice?: number;
    /** A stream follows the events of the first customer. */
    readonly listens?: boolean;
  },
): Promise<Measured> => {
  const { count = 50_000, windowSize = 200, customers = 1, prefill = 0, slice = 5_000, listens = false } = of;
  const words = [count, windowSize, customers, prefill, slice, listens ? 1 : 0].map(String);
  const measured = await runProgram<Measured>(program, words);
  const { delivered, counted } = measured.rows;
  if (delivered !== count || counted !== count) {
    throw new Error(`of ${count}, ${delivered} rows are delivered and ${counted} counted`);
  }
  return measured;
};

export const cpuFigure = (what: string, value: number, goal: number | null = null): Figure => ({
  what: `CPU ${what}`,
  value,
  unit: 'µs per message',
  goal,
  higherIsBetter: false,
});
