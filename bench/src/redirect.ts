/** How long a click on a short link takes to be led on, its click being committed first. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(
  new URL('../../apps/server/src/features/short-links/testing/measure-redirect.ts', import.meta.url),
);
/** Milliseconds that 99 of 100 clicks may take. */
const goalMs = 10;

interface Measured {
  clicks: number;
  perSecond: number;
  /** Clicks on record afterwards, of so many asked. */
  kept: number;
  asked: number;
  /** Sorted. */
  milliseconds: number[];
}

export const redirect: Bench = {
  name: 'redirect',
  says: 'a click by a code of its own from its request to the answer, which goes out after the click’s commit; embedded PostgreSQL with fsync, asked by another process at a steady pace',
  async measure([clicks = '6000', perSecond = '200']) {
    const measured = await runProgram<Measured>(program, [clicks, perSecond]);
    const { milliseconds, kept, asked } = measured;
    const share = (part: number): number =>
      milliseconds[Math.min(milliseconds.length - 1, Math.floor(milliseconds.length * part))] ?? Number.NaN;
    const figure = (what: string, value: number, goal: number | null) => ({
      what,
      value,
      goal,
      unit: 'ms',
      higherIsBetter: false,
    });
    return {
      figures: [
        figure('asked to led on, p50', share(0.5), null),
        figure('asked to led on, p99', share(0.99), goalMs),
        figure('asked to led on, longest', milliseconds.at(-1) ?? Number.NaN, null),
      ],
      remarks: [`${kept} of ${asked} clicks on record, ${measured.perSecond} a second.`],
    };
  },
};
