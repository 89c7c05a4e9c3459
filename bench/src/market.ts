/** Sending as it is in real life, against the plain bulk sending of the same run. */
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';
import { cpuFigure, measureSending } from './measure-sending.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/sending/testing/measure-market.ts', import.meta.url));

interface Spread {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

interface Measured {
  seconds: number;
  held: number;
  cores: number;
  /** Of all suppliers, submits a second. */
  pace: number;
  outageSeconds: number;
  perSecond: number;
  cpuMicros: Record<'sender' | 'api' | 'jobs' | 'simulator' | 'postgres' | 'client', number>;
  /** MiB. */
  memory: Record<'sender' | 'api' | 'jobs', number>;
  /** Milliseconds. */
  codes: { written: Spread; answered: Spread; rerouted: Spread };
  /** Null: nothing of it was sent. */
  fairness: { slowest: number | null; median: number | null; big: number | null };
  mixture: { singles: number; busy: number };
  check: { rows: number; accepted: number; inDoubt: number; failed: number; waiting: number };
  facts: { receipts: number; waiting: number };
  callbacks: number;
  overPace: number;
}

const measure = async (words: readonly string[]): Promise<Measured> => {
  return await runProgram<Measured>(program, words);
};

const lower = (what: string, value: number, unit: string, goal: number | null = null): Figure => ({
  ...{ what, value, unit, goal },
  higherIsBetter: false,
});

const figuresOf = (measured: Measured, plainPerSecond: number): Figure[] => {
  const { codes, cpuMicros: cpu, fairness, memory } = measured;
  const all = Object.values(cpu).reduce((sum, each) => sum + each, 0);
  return [
    {
      ...{ what: 'taken by the carriers', value: measured.perSecond, unit: 'messages/s' },
      ...{ goal: 0.5 * plainPerSecond, higherIsBetter: true },
    },
    { what: 'plain bulk sending', value: plainPerSecond, unit: 'messages/s', goal: null, higherIsBetter: true },
    lower('code, answered to written, p50', codes.written.p50, 'ms'),
    lower('code, answered to written, p99', codes.written.p99, 'ms', 300),
    lower('code, asked to answered, p50', codes.answered.p50, 'ms'),
    lower('code, asked to answered, p99', codes.answered.p99, 'ms'),
    lower('codes of a failed supplier go another way, longest', codes.rerouted.max / 1_000, 's', 3),
    lower('slowest small customer against its share', fairness.slowest ?? Number.POSITIVE_INFINITY, 'times', 1.5),
    lower('median small customer against its share', fairness.median ?? Number.POSITIVE_INFINITY, 'times'),
    lower('busiest second of a supplier against its pace', measured.overPace, 'times'),
    cpuFigure('of all processes', all),
    cpuFigure('three senders', cpu.sender),
    cpuFigure('two api processes', cpu.api),
    cpuFigure('jobs', cpu.jobs),
    cpuFigure('PostgreSQL', cpu.postgres),
    cpuFigure('carrier simulator', cpu.simulator),
    cpuFigure('client', cpu.client),
    ...Object.entries(memory).map(([role, value]) => lower(`memory of a process at its peak, ${role}`, value, 'MiB')),
  ];
};

export const market: Bench = {
  name: 'market',
  says: '100 customers, one with 60 % of the volume, send campaigns (70 %), notices and codes over HTTP through ten suppliers with windows of 10 to 100, answer times of 20 to 200 ms, 1 % throttled and one down for a minute; three senders, two api processes, jobs, 100,000 held batches, late receipts, short links, rules and callbacks; embedded PostgreSQL with fsync; plain bulk sending before and after',
  async measure([seconds = '90', held = '100000', plain = '50000']) {
    const before = await measureSending({ count: Number(plain), customers: 2 });
    const measured = await measure([seconds, held]);
    const after = await measureSending({ count: Number(plain), customers: 2 });
    const { check, facts, codes, mixture, fairness } = measured;
    return {
      figures: figuresOf(measured, (before.perSecond + after.perSecond) / 2),
      remarks: [
        `${measured.seconds} s of load, ${measured.outageSeconds.toFixed(0)} s of outage, ${measured.held} held batches, ${measured.cores} cores; the suppliers take ${measured.pace}/s together. Plain bulk sending ${Math.round(before.perSecond)}/s before and ${Math.round(after.perSecond)}/s after.`,
        `Nothing lost, nothing twice: of ${check.rows} messages ${check.accepted} were taken, each once, ${check.waiting} of campaigns still waited at the end, ${check.inDoubt} are in doubt since the outage, ${check.failed} failed.`,
        `${mixture.singles} single messages over HTTP, ${mixture.busy} calls asked to come again; ${codes.written.count} codes measured, ${codes.rerouted.count} of the failed supplier (half of them within ${(codes.rerouted.p50 / 1_000).toFixed(1)} s). ${facts.receipts} receipts in the record, ${measured.callbacks} callbacks made, ${facts.waiting} waited. The big customer against its share: ${(fairness.big ?? Number.POSITIVE_INFINITY).toFixed(2)}.`,
      ],
    };
  },
};
