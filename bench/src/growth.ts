/** Cost of a message in an empty table and in a full one: three pairs, in turns. */
import type { Bench, Figure } from './bench.ts';
import { cpuFigure, type Measured, measureSending } from './measure-sending.ts';

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const middleOf = (runs: readonly Measured[], value: (run: Measured) => number): number => median(runs.map(value));

export const growth: Bench = {
  name: 'growth',
  says: 'the same send into an empty `message` and into one of so many rows, in turns; medians',
  async measure([prefill = '10000000', count = '50000', pairs = '3']) {
    const empty: Measured[] = [];
    const full: Measured[] = [];
    for (let pair = 0; pair < Number(pairs); pair++) {
      empty.push(await measureSending({ count: Number(count), customers: 2 }));
      full.push(await measureSending({ count: Number(count), customers: 2, prefill: Number(prefill) }));
    }
    const speed = (name: string, runs: readonly Measured[]): Figure => ({
      what: `speed, ${name}`,
      value: middleOf(runs, (run) => run.perSecond),
      unit: 'messages/s',
      goal: null,
      higherIsBetter: true,
    });
    const costs = (['all', 'sender', 'postgres'] as const).flatMap((part) => [
      cpuFigure(
        `${part}, empty`,
        middleOf(empty, (run) => run.cpuMicros[part]),
      ),
      cpuFigure(
        `${part}, full`,
        middleOf(full, (run) => run.cpuMicros[part]),
      ),
    ]);
    const ratio = middleOf(full, (run) => run.cpuMicros.all) / middleOf(empty, (run) => run.cpuMicros.all);
    return {
      figures: [
        {
          what: 'CPU per message, full to empty',
          value: ratio,
          unit: 'times',
          goal: 1.15,
          higherIsBetter: false,
        },
        speed('empty', empty),
        speed('full', full),
        ...costs,
      ],
      remarks: [
        `${Number(prefill).toLocaleString('en-US')} rows before, ${count} messages in each of ${pairs} pairs of runs.`,
        `Write-ahead log: ${middleOf(empty, (run) => run.walBytes).toFixed(0)} bytes per message empty, ${middleOf(full, (run) => run.walBytes).toFixed(0)} full.`,
      ],
    };
  },
};
