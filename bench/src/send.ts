/** Bulk sending, durable, from the first submit_sm to the last receipt in its record. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';

interface Measured {
  count: number;
  windowSize: number;
  binds: number;
  cores: number;
  seconds: number;
  perSecond: number;
  acceptPerSecond: number;
  cpuMicros: { sender: number; simulator: number; postgres: number; all: number };
  rows: { delivered: number; total: number; updates: number; hot: number };
}

const program = fileURLToPath(new URL('../../apps/server/src/sending/testing/measure-sending.ts', import.meta.url));

const measure = async (count: number): Promise<Measured> => {
  const child = spawn(process.execPath, [program, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`measuring ended with ${String(code)}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured;
};

export const send: Bench = {
  name: 'send',
  says: 'messages of a task to three simulated carriers; embedded PostgreSQL with fsync, sender and carriers in processes of their own; every tenth text has two segments',
  async measure([count = '50000']) {
    const measured = await measure(Number(count));
    const { cpuMicros: cpu, rows } = measured;
    if (rows.delivered !== measured.count) throw new Error(`${rows.delivered} of ${measured.count} were delivered`);
    const cost = (what: string, value: number) => ({
      what: `CPU ${what}`,
      value,
      unit: 'µs per message',
      goal: null,
      higherIsBetter: false,
    });
    return {
      figures: [
        {
          what: 'sent to receipt in the record',
          value: measured.perSecond,
          unit: 'messages/s',
          goal: 10_000,
          higherIsBetter: true,
        },
        { ...cost('of all processes', cpu.all), goal: 190 },
        cost('sender', cpu.sender),
        cost('PostgreSQL', cpu.postgres),
        cost('carrier simulator', cpu.simulator),
        { what: 'accepted', value: measured.acceptPerSecond, unit: 'messages/s', goal: null, higherIsBetter: true },
        {
          what: 'updates of a row',
          value: rows.updates / measured.count,
          unit: 'per message',
          goal: 2,
          higherIsBetter: false,
        },
        {
          what: 'of them HOT',
          value: (100 * rows.hot) / Math.max(1, rows.updates),
          unit: '%',
          goal: 100,
          higherIsBetter: true,
        },
      ],
      remarks: [
        `${measured.count} messages, ${measured.binds} binds with a window of ${measured.windowSize}, ${measured.cores} cores, ${measured.seconds.toFixed(1)} s.`,
        `Processors busy: ${((cpu.all * measured.perSecond) / 1e6).toFixed(1)} of ${measured.cores}. The rest is waiting: one flush is under way at a time, and what it grants leaves only when it has committed.`,
      ],
    };
  },
};
