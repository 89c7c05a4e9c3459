/**
 * Estimates a task before it is checked: the rows of its file are evaluated as its check does. All rows of a file of up
 * to a hundred blocks (some 100,000); of a larger one a hundred blocks spread evenly over it, from which the others are
 * extrapolated; the check itself counts every row.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SmsType, type TaskEstimate } from '@pahatid/contract';
import { listBlocks, readSomeBlocks } from '@pahatid/db/queries/task-figures';
import type { Pool } from 'pg';
import { decodeBlock } from '../../files/blocks.ts';
import { findSuppressed } from './find-suppressed.ts';
import { type CarrierTally, RecipientTally, type TallyTerms } from './recipient-tally.ts';

const blocksRead = 100;
const blocksAtOnce = 5;

export interface EstimateOptions {
  readonly signal?: AbortSignal;
  readonly maxBlocks?: number;
}

export type RowFigures = Omit<TaskEstimate, 'speed' | 'quietHours' | 'blockedLinks'>;

export async function estimateRows(
  pool: Pool,
  file: { fileId: string; generation: number; optedOutCount: number },
  terms: TallyTerms,
  { signal, maxBlocks = blocksRead }: EstimateOptions = {},
): Promise<RowFigures> {
  const blocks = await listBlocks(pool, file);
  const chosen = spread(blocks.length, maxBlocks);
  const firstRows = blocks.map(() => 0);
  for (let index = 1; index < blocks.length; index += 1)
    firstRows[index] = (firstRows[index - 1] ?? 0) + (blocks[index - 1]?.rowCount ?? 0);
  const tally = new RecipientTally(terms);
  let readCount = 0;
  let longestRow: number | null = null;

  for (let from = 0; from < chosen.length; from += blocksAtOnce) {
    signal?.throwIfAborted();
    const indexes = chosen.slice(from, from + blocksAtOnce);
    const seqs = indexes.map((index) => blocks[index]?.seq ?? 0);
    const pieces = await readSomeBlocks(pool, file, seqs);
    for (const [at, { bytes }] of pieces.entries()) {
      const rows = decodeBlock(bytes);
      const msisdns = rows.map((row) => row.msisdn);
      const suppressed = await findSuppressed(pool, terms, msisdns);
      for (const [place, { msisdn, values }] of rows.entries()) {
        const longest = tally.segmentsMax ?? 0;
        tally.add(msisdn, values, suppressed);
        if ((tally.segmentsMax ?? 0) > longest) longestRow = (firstRows[indexes[at] ?? 0] ?? 0) + place;
      }
      readCount += rows.length;
      // A block takes some milliseconds; other requests of this process run in between.
      await nextTurn();
    }
  }
  const rowCount = blocks.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const isWhole = readCount === rowCount;
  const optedOutCount =
    isWhole || terms.smsType !== SmsType.Marketing ? tally.optedOutCount : Math.min(rowCount, file.optedOutCount);
  return scale(tally, { rowCount, readCount, longestRow }, optedOutCount);
}

/** Returns at most `most` positions of `count`, evenly spread. */
function spread(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: most }, (_, index) => Math.floor(((index + 0.5) * count) / most));
}

/**
 * Extrapolates all rows from the sample. Opted-out rows may be adjacent in the file: their number is known from its
 * import, and the others are distributed. Sums are of the displayed values, so that they agree to the centavo.
 */
function scale(
  tally: RecipientTally,
  rows: { rowCount: number; readCount: number; longestRow: number | null },
  optedOutCount: number,
): RowFigures {
  const droppedCount = Math.round((tally.droppedCount * rows.rowCount) / Math.max(1, rows.readCount));
  const noConsentCount = Math.round((tally.noConsentCount * rows.rowCount) / Math.max(1, rows.readCount));
  const recipients = Math.max(0, rows.rowCount - optedOutCount - noConsentCount - droppedCount);
  const factor = tally.totalCount > 0 ? recipients / tally.totalCount : 0;
  const carriers = scaleCarriers(tally, factor, recipients);
  const sum = (of: (one: RowFigures['carriers'][number]) => number): number =>
    carriers.reduce((total, one) => total + of(one), 0);
  return {
    ...rows,
    recipients: sum((one) => one.recipients),
    optedOutCount,
    noConsentCount,
    leftOutCount: 0,
    droppedCount,
    segmentsMin: tally.segmentsMin ?? 0,
    segmentsMax: tally.segmentsMax ?? 0,
    segmentsAverage: getAverage(tally.segments, tally.totalCount),
    segments: sum((one) => one.segments),
    cost: sum((one) => one.cost),
    carriers,
  };
}

/** The first, which is the largest, takes what rounding leaves. */
function scaleCarriers(tally: RecipientTally, factor: number, recipients: number): RowFigures['carriers'] {
  const scaled = tally.carriers.map((one) => {
    const segments = Math.round(one.segments * factor);
    const count = Math.round(one.recipients * factor);
    return { ...presentCarrier(one), recipients: count, segments, cost: segments * one.price };
  });
  const [largest] = scaled;
  if (largest) largest.recipients += recipients - scaled.reduce((total, one) => total + one.recipients, 0);
  return scaled;
}

export const getAverage = (segments: number, recipients: number): number =>
  recipients === 0 ? 0 : Math.round((segments / recipients) * 1_000) / 1_000;

export const presentCarrier = (one: Readonly<CarrierTally>): TaskEstimate['carriers'][number] => ({
  areaCode: one.areaCode,
  carrier: one.carrier,
  recipients: one.recipients,
  segments: one.segments,
  price: one.price,
  cost: one.segments * one.price,
});
