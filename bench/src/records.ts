/** How long the list of records takes among ten million rows: its first page, deeper ones, and each kind of filter. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(
  new URL('../../apps/server/src/features/records/testing/measure-records.ts', import.meta.url),
);

const names: Record<string, string> = {
  firstPage: 'first page',
  lastWeek: 'first page of the last week',
  deepPage: 'first page of a day further back',
  delivered: 'by a status that most have',
  carrier: 'by carrier',
  belowTerminated: 'by a status and an application, below a tenth as many terminated messages',
  scattered: 'by a status that one of a thousand has, all over',
  clumped: 'by a status that one of a thousand has, the oldest',
  numberOfNobody: 'by the first digits of a number that none has, one page',
  number: 'by a whole number',
  numberBegins: 'by the first nine digits',
  task: 'by a task',
  template: 'by a template of a hundred tasks and of software',
  templateDeep: 'by the same, a day further back',
  templateRare: 'by a template that software sent few with',
  templateUndelivered: 'by the same and a status that one of a thousand has',
  taskOfNobody: 'by a task without messages',
  staffNewest: 'staff, over 1,000 customers more',
  staffDelivered: 'staff, by a status that most have',
  staffScattered: 'staff, by a status that few have',
  staffNumberOfNobody: 'staff, by the first digits of a number that none has, one page',
};
/** Maximum milliseconds for a page, 95 of 100 times. */
const goalMs = 300;

interface Measured {
  count: number;
  calls: number;
  milliseconds: Record<string, number[]>;
}

export const records: Bench = {
  name: 'records',
  says: 'pages of 20 of the list of records among so many rows, of one customer and for staff; p95 of each kind',
  async measure([count = '10000000', calls = '50']) {
    const measured = await runProgram<Measured>(program, [count, calls]);
    return {
      figures: Object.entries(measured.milliseconds).map(([kind, sorted]) => ({
        what: `p95, ${names[kind] ?? kind}`,
        value: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN,
        unit: 'ms',
        goal: goalMs,
        higherIsBetter: false,
      })),
      remarks: [`${measured.count.toLocaleString('en-US')} rows, ${measured.calls} calls of each kind.`],
    };
  },
};
