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
  archivedMessages: number;
  archivedCount: number;
  archivedJudged: number;
}

export const groups: Bench = {
  name: 'groups',
  says: 'a dynamic group that selects from so many members, each with ten messages in 180 days: its count, p95 of 10, and the speed of a check; embedded PostgreSQL with fsync',
  async measure([count = '1000000']) {
    const measured = await runProgram<Measured>(program, [count]);
    const { byValue, byHistory, judged, found, looked, archivedMessages, archivedCount, archivedJudged } = measured;
    const members = { what: 'members judged by deliveries and messages', unit: '/s', higherIsBetter: true };
    const time = { unit: 'ms', higherIsBetter: false };
    return {
      figures: [
        { ...time, what: 'count by a value', value: byValue, goal: 1_000 },
        { ...time, what: 'count by deliveries and messages', value: byHistory, goal: 2_000 },
        { ...members, value: judged, goal: 10_000 },
        { ...time, what: 'the same count, all but 35 days archived', value: archivedCount, goal: null },
        { ...members, what: 'the same members judged', value: archivedJudged, goal: null },
      ],
      remarks: [
        `${Number(count).toLocaleString('en-US')} members; ${found} of ${looked} judged ones fit; ${archivedMessages.toLocaleString('en-US')} messages archived.`,
      ],
    };
  },
};
