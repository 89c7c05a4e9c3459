/** What remembering one message for its receipt costs a sender, in an index that is empty and in one that is full. */
import { type Outgoing, ReceiptIndex } from '@pahatid/engine';
import type { Bench, Figure } from './bench.ts';

const msisdn = '639171234567';
const OPERATIONS = 100_000;
/** More than the index holds. */
const FULL = 400_000;
const ROUNDS = 5;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Microseconds of processor time that one takes. */
const microsEach = (book: ReceiptIndex, from: number): number => {
  const sent = Array.from(
    { length: OPERATIONS },
    () => ({ message: { msisdn }, remembered: [] }) as unknown as Outgoing,
  );
  const before = process.cpuUsage();
  for (const [index, outgoing] of sent.entries()) book.remember(`id${from + index}`, outgoing, 1);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / OPERATIONS;
};

const fullBook = (): ReceiptIndex => {
  const book = new ReceiptIndex();
  for (let from = 0; from < FULL; from += OPERATIONS) microsEach(book, from);
  return book;
};

export const receipts: Bench = {
  name: 'receipts',
  says: 'processor time for each message that the index of receipts takes in, empty and full, in turns; medians of 5',
  async measure() {
    const [empty, full]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const costs = [microsEach(new ReceiptIndex(), 0), microsEach(fullBook(), FULL)];
      // The first turn only compiles.
      if (round === 0) continue;
      empty.push(costs[0]!);
      full.push(costs[1]!);
    }
    const figure = (what: string, value: number): Figure => ({
      what,
      value,
      unit: 'µs',
      goal: null,
      higherIsBetter: false,
    });
    return {
      figures: [
        {
          what: 'full, to empty',
          value: median(full) / median(empty),
          unit: 'times',
          goal: 2,
          higherIsBetter: false,
        },
        figure('empty', median(empty)),
        figure('full', median(full)),
      ],
      remarks: [`${OPERATIONS.toLocaleString('en-US')} messages in each measurement.`],
    };
  },
};
