/** How long an export of a million records takes, and the memory of the process that writes it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';

const program = fileURLToPath(
  new URL('../../apps/server/src/features/records/testing/measure-export.ts', import.meta.url),
);

interface Measured {
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
  bytes: number;
}

export const exportBench: Bench = {
  name: 'export',
  says: 'an export of so many records of one customer, all columns, from its request to the file; embedded PostgreSQL with fsync',
  async measure([count = '1000000']) {
    const child = spawn(process.execPath, [program, count], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`measuring ended with ${String(code)}`);
    const { seconds, cpuSeconds, peakMb, bytes } = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured;
    const millions = Number(count) / 1_000_000;
    const line = { goal: null, higherIsBetter: false };
    return {
      figures: [
        { ...line, what: 'a million records', value: seconds / millions, unit: 's', goal: 40 },
        { ...line, what: 'peak memory of the process', value: peakMb, unit: 'MB', goal: 150 },
        { ...line, what: 'processor time of the process, a million', value: cpuSeconds / millions, unit: 's' },
      ],
      remarks: [`${Number(count).toLocaleString('en-US')} records, ${Math.round(bytes / 1e6)} MB of csv.`],
    };
  },
};
