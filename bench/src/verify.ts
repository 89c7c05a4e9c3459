/** How long verify takes: the first time, when all days but the last are sealed, and when they are compared again. */
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/verify/testing/measure-verify.ts', import.meta.url));
const TEN_MILLION = 10_000_000;

interface Run {
  seconds: number;
  /** Of this process and its connection's. */
  cpuSeconds: number;
  messages: number;
  sealed: number;
  open: number;
  skipped: number;
}

interface Measured extends Record<'first' | 'next' | 'all', Run> {
  /** null: a database that is kept, of which nothing is archived. */
  archived: Run | null;
  moved: number;
}

export const verify: Bench = {
  name: 'verify',
  says: 'verify over messages of 90 days of 20 customers, one of which sends 60 %; embedded PostgreSQL with fsync',
  async measure([count = String(TEN_MILLION), ...folder]) {
    const runs = await runProgram<Measured>(program, [count, ...folder]);
    const share = TEN_MILLION / Number(count);
    const lines = (what: string, { seconds, cpuSeconds }: Run, goal: number | null): Figure[] => {
      const line = { unit: 's for 10,000,000 messages', higherIsBetter: false };
      return [
        { ...line, what, value: seconds * share, goal },
        { ...line, what: `${what}, processor time`, value: cpuSeconds * share, goal: null },
      ];
    };
    const { first, next, all, archived, moved } = runs;
    return {
      figures: [
        ...lines('first run', first, 60),
        ...lines('next run, days sealed', next, 5),
        ...lines('run that compares sealed days again', all, null),
        ...(archived === null ? [] : lines('the same, days of more than 41 days ago archived', archived, null)),
        {
          what: 'messages compared by the first run',
          value: first.messages / first.seconds,
          unit: '/s',
          goal: null,
          higherIsBetter: true,
        },
      ],
      remarks: [
        `${Number(count).toLocaleString('en-US')} messages; seconds are multiplied by ${share}. First run: ${first.sealed} days sealed, ${first.open} left open; next run: ${next.skipped} skipped, ${next.open} open with ${next.messages.toLocaleString('en-US')} messages. ${moved.toLocaleString('en-US')} messages were archived.`,
      ],
    };
  },
};
