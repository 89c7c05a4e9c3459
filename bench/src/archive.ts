/** A year of messages as rows and as blocks of the archive: bytes, archiving, and the same reads of both. */
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(
  new URL('../../apps/server/src/features/archive/testing/measure-archive.ts', import.meta.url),
);

interface StaffReads {
  firstPage: number;
  nextPage: number;
  undelivered: number;
}

interface Reads {
  members: number;
  number: number;
  nobody: number;
  firstPage: number;
  record: number;
  exporting: number;
}

interface Measured {
  count: number;
  blocks: number;
  rowBytes: number;
  blockBytes: number;
  rate: number;
  asRows: Reads;
  asBlocks: Reads;
  /** Messages of each of the thousand customers. */
  each: number;
  staffRows: StaffReads;
  staffBlocks: StaffReads;
}

export const archive: Bench = {
  name: 'archive',
  says: 'so many messages of one customer over a year, as rows and then as blocks of the archive; then five days of a thousand customers, as staff read them; p95 of 40 calls; embedded PostgreSQL with fsync',
  async measure([count = '1000000', ...each]) {
    const measured = await runProgram<Measured>(program, [count, ...each]);
    const { blocks, rowBytes, blockBytes, rate, asRows, asBlocks, staffRows, staffBlocks } = measured;
    const lower = { unit: 'ms', higherIsBetter: false };
    const higher = { unit: 'messages/s', higherIsBetter: true };
    return {
      figures: [
        { ...lower, what: 'bytes of a block against rows', value: blockBytes / rowBytes, unit: 'times', goal: 0.15 },
        { ...lower, what: 'a message in a block', value: blockBytes, unit: 'bytes', goal: null },
        { ...lower, what: 'a message as a row', value: rowBytes, unit: 'bytes', goal: null },
        { ...lower, what: 'by a whole number over the year, in blocks', value: asBlocks.number, goal: 2_000 },
        { ...lower, what: 'the same, in rows', value: asRows.number, goal: null },
        { ...lower, what: 'by a number that no message has, in blocks', value: asBlocks.nobody, goal: 2_000 },
        { ...lower, what: 'first page, in blocks', value: asBlocks.firstPage, goal: null },
        { ...lower, what: 'the same, in rows', value: asRows.firstPage, goal: null },
        { ...lower, what: 'one message by its id, in a block', value: asBlocks.record, goal: null },
        { ...lower, what: 'the same, a row', value: asRows.record, goal: null },
        {
          ...lower,
          what: '20 members of a group with their last message, in blocks',
          value: asBlocks.members,
          goal: 2_000,
        },
        { ...lower, what: 'the same, in rows', value: asRows.members, goal: null },
        { ...lower, what: 'first page of a thousand customers, in blocks', value: staffBlocks.firstPage, goal: 2_000 },
        { ...lower, what: 'the same, in rows', value: staffRows.firstPage, goal: null },
        { ...lower, what: 'its next page, in blocks', value: staffBlocks.nextPage, goal: 2_000 },
        { ...lower, what: 'the same, in rows', value: staffRows.nextPage, goal: null },
        { ...lower, what: 'the first page of a status, in blocks', value: staffBlocks.undelivered, goal: 2_000 },
        { ...lower, what: 'the same, in rows', value: staffRows.undelivered, goal: null },
        { ...higher, what: 'pages of an export, in blocks', value: asBlocks.exporting, goal: null },
        { ...higher, what: 'the same, in rows', value: asRows.exporting, goal: null },
        { ...higher, what: 'archiving', value: rate, goal: null },
      ],
      remarks: [
        `${Number(count).toLocaleString('en-US')} messages in ${blocks.toLocaleString('en-US')} blocks; ${measured.each.toLocaleString('en-US')} of each of a thousand customers.`,
      ],
    };
  },
};
