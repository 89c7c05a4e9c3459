/** Bytes of a row in each table, for the table of docs/operations.md. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/roles/testing/measure-sizes.ts', import.meta.url));
/** Fewer rows fill no page. */
const LEAST_ROWS = 30;

export const sizes: Bench = {
  name: 'sizes',
  says: 'bytes of a stored row, and its part of all indexes, of the data of the demo, in tables of 30 rows and more',
  async measure() {
    const measured = await runProgram<Record<string, { rows: number; row: number; indexes: number }>>(program, []);
    const tables = Object.entries(measured).filter(([, { rows }]) => rows >= LEAST_ROWS);
    const line = { goal: null, higherIsBetter: false, unit: 'bytes' };
    return {
      figures: tables.flatMap(([name, { row, indexes }]) => [
        { ...line, what: `${name}, a row`, value: row },
        { ...line, what: `${name}, its indexes`, value: indexes },
      ]),
      remarks: [`${tables.length} of ${Object.keys(measured).length} tables.`],
    };
  },
};
