/** What it costs a large send that someone follows its live events: with and without, in turns. */
import type { Bench } from './bench.ts';
import { type Measured, measureSending } from './measure-sending.ts';

const sum = (all: readonly Measured[], read: (each: Measured) => number): number =>
  all.reduce((total, each) => total + read(each), 0) / all.length;

export const listener: Bench = {
  name: 'listener',
  says: 'bulk sending of one customer as in send, with a stream of its events in a process of its own and without, in turns',
  async measure([count = '200000', turns = '2']) {
    const runs = { without: [] as Measured[], with: [] as Measured[] };
    for (let turn = 0; turn < Number(turns); turn++) {
      runs.without.push(await measureSending({ count: Number(count) }));
      runs.with.push(await measureSending({ count: Number(count), listens: true }));
    }
    const rate = { without: sum(runs.without, rateOf), with: sum(runs.with, rateOf) };
    const cpu = { without: sum(runs.without, cpuOf), with: sum(runs.with, cpuOf) };
    const { shown = 0, skipped = 0 } = runs.with.at(-1)?.events ?? {};
    return {
      figures: [
        {
          what: 'messages/s with a listener against none',
          value: rate.with / rate.without,
          unit: 'times',
          goal: 0.95,
          higherIsBetter: true,
        },
        {
          what: 'CPU of all processes with a listener against none',
          value: cpu.with / cpu.without,
          unit: 'times',
          goal: 1.05,
          higherIsBetter: false,
        },
        { what: 'sent without', value: rate.without, unit: 'messages/s', goal: null, higherIsBetter: true },
        { what: 'sent with', value: rate.with, unit: 'messages/s', goal: null, higherIsBetter: true },
        { what: 'CPU without', value: cpu.without, unit: 'µs per message', goal: null, higherIsBetter: false },
        { what: 'CPU with', value: cpu.with, unit: 'µs per message', goal: null, higherIsBetter: false },
      ],
      remarks: [
        `${turns} turns of ${count} messages; on the last stream ${shown} events, ${skipped} left out and counted.`,
      ],
    };
  },
};

const rateOf = ({ perSecond }: Measured): number => perSecond;
const cpuOf = ({ cpuMicros }: Measured): number => cpuMicros.all;
