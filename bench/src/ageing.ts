/** Rows that grow old: bytes by table, erasure, deletion, dropped weeks, and a year with the clock moved. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/roles/testing/measure-ageing.ts', import.meta.url));

interface Measured {
  building: number;
  bytes: Record<string, number>;
  erasing: number;
  /** Of a customer whose messages are archived; null: they are not. */
  erasingArchived: number | null;
  deleting: number;
  deleted: number;
  dropping: number;
  year: { week: number; bytes: Record<string, number> }[];
}

const megabytes = (bytes: Record<string, number>): string =>
  Object.entries(bytes)
    .map(([name, value]) => `${name} ${(value / 1e6).toFixed(1)}`)
    .join(', ');

export const ageing: Bench = {
  name: 'ageing',
  says: 'so many rows made by the builders, a number erased, rows of one customer deleted, all weeks dropped; 82 weeks of so many messages each with the clock moved, archived after 35 days if asked for; embedded PostgreSQL with fsync',
  async measure([count = '1000000', perWeek = '10000', ...archive]) {
    const measured = await runProgram<Measured>(program, [count, perWeek, ...archive]);
    const { erasingArchived } = measured;
    const line = { goal: null, higherIsBetter: false };
    return {
      figures: [
        { ...line, what: 'erasing one number', value: measured.erasing * 1_000, unit: 'ms' },
        ...(erasingArchived === null
          ? []
          : [
              {
                ...line,
                what: 'erasing one number from a year of the archive',
                value: erasingArchived * 1_000,
                unit: 'ms',
              },
            ]),
        {
          ...line,
          what: 'deleting a million messages',
          value: (measured.deleting * 1e6) / measured.deleted,
          unit: 's',
        },
        { ...line, what: 'dropping all weeks', value: measured.dropping * 1_000, unit: 'ms' },
        ...Object.entries(measured.bytes).map(([name, value]) => ({
          ...line,
          what: `${name}, a message`,
          value,
          unit: 'bytes',
        })),
      ],
      remarks: [
        `${Number(count).toLocaleString('en-US')} rows made in ${measured.building.toFixed(0)} s; ${measured.deleted.toLocaleString('en-US')} deleted.`,
        ...measured.year.map(({ week, bytes }) => `Megabytes in week ${week}: ${megabytes(bytes)}.`),
      ],
    };
  },
};
