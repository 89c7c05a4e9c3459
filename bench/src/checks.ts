/** How long a few rows wait to be read and to be checked while a customer's million is. */
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';
import { runProgram } from './run-program.ts';

interface Beside {
  readonly seconds: number;
  /** Milliseconds each, of the customer with the million and of another. */
  readonly same: readonly number[];
  readonly other: readonly number[];
}

interface Measured {
  readonly rows: number;
  readonly reading: Beside;
  readonly checking: Beside;
}

const program = fileURLToPath(new URL('../../apps/server/src/roles/testing/measure-checks.ts', import.meta.url));
const goalS = 3;

const measure = async (words: readonly string[]): Promise<Measured> => {
  return await runProgram<Measured>(program, words);
};

const figuresOf = (what: string, { seconds, same, other }: Beside): Figure[] => [
  ...(
    [
      ['of the same customer', same],
      ['of another customer', other],
    ] as const
  ).map(([whose, times]) => ({
    what: `${what}: three rows ${whose}, longest of ${times.length}`,
    value: Math.max(0, ...times) / 1000,
    unit: 's',
    goal: goalS,
    higherIsBetter: false,
  })),
  { what: `${what}: the million itself`, value: seconds, unit: 's', goal: null, higherIsBetter: false },
];

export const checks: Bench = {
  name: 'checks',
  says: 'three rows from their upload to the end of their reading, and from the submission of their task to the end of its check, while a customer’s million is being read and checked; embedded PostgreSQL with fsync, one jobs process',
  async measure([rows = '1000000']) {
    const { reading, checking } = await measure([rows]);
    return {
      figures: [...figuresOf('reading', reading), ...figuresOf('checking', checking)],
      remarks: rows === '1000000' ? [] : [`${rows} rows in place of a million.`],
    };
  },
};
