/** Dynamic groups: counting what a selection finds, and judging members when a task is checked. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/audiences/testing/measure-selection.ts', import.meta.url));

interface Measured {
  byValue: number;
  byHistory: number;
  judged: number;
  found: number;
  looked: number;
}

export const groups: Bench = {
  name: 'groups',
  says: 'a dynamic group that selects from so many members, each with ten messages in 180 days: its count, p95 of 10, and the speed of a check; embedded PostgreSQL with fsync',
  async measure([count = '1000000']) {
    const { byValue, byHistory, judged, found, looked } = await runProgram<Measured>(program, [count]);
    const time = { unit: 'ms', higherIsBetter: false };
    return {
      figures: [
        { ...time, what: 'count by a value', value: byValue, goal: 1_000 },
        { ...time, what: 'count by deliveries and messages', value: byHistory, goal: 2_000 },
        {
          what: 'members judged by deliveries and messages',
          value: judged,
          unit: '/s',
          goal: 10_000,
          higherIsBetter: true,
        },
      ],
      remarks: [`${Number(count).toLocaleString('en-US')} members; ${found} of ${looked} judged ones fit.`],
    };
  },
};
