import { rejectReasons } from '@pahatid/domain';
import { z } from 'zod';
import { blockRows } from './blocks.ts';

/** Messages from the parser are validated as untrusted input: a hostile file may have compromised it. */
const count = z.int().nonnegative();
const text = z.string().max(64 * 1024);

const rangeShape = z.object({
  offset: count,
  length: z
    .int()
    .positive()
    .max(4 * 1024 * 1024),
});
const progressShape = z.object({ bytesRead: count, totalRows: count });
const rejectsShape = z
  .array(z.object({ line: count, raw: z.string().max(64), reason: z.enum(rejectReasons) }))
  .max(blockRows);
const doneShape = z.object({
  totalRows: count,
  validCount: count,
  duplicateCount: count,
  rejectedCount: count,
  reading: z.object({
    hasHeader: z.boolean(),
    phoneColumn: count,
    sheetName: text.optional(),
  }),
  columns: z.array(z.object({ index: count, name: text, first: text })).max(16_384),
  sample: z.array(z.array(text)).max(100),
  sheetNames: z.array(text).max(1_000),
  cost: z.object({ peakRssBytes: count, cpuMs: count }),
});

/** Resources used by a parse. */
export type ParserCost = z.output<typeof doneShape>['cost'];

const parseJson = (payload: Buffer): unknown => JSON.parse(payload.toString('utf8'));

export const readRange = (payload: Buffer) => rangeShape.parse(parseJson(payload));
export const readProgress = (payload: Buffer) => progressShape.parse(parseJson(payload));
export const readRejects = (payload: Buffer) => rejectsShape.parse(parseJson(payload));
export const readDone = (payload: Buffer) => doneShape.parse(parseJson(payload));

export function readBlockFrame(payload: Buffer): { rowCount: number; bytes: Buffer } {
  const rowCount = payload.length >= 4 ? payload.readUInt32LE(0) : 0;
  if (rowCount < 1 || rowCount > blockRows) throw new Error(`parser sent a block of ${rowCount} rows`);
  return { rowCount, bytes: payload.subarray(4) };
}
