import { type File, SmsType, type TaskEstimate } from '@pahatid/contract';
import { countSegments, countVariables, renderTemplate } from '@pahatid/domain';

/** Returns the recipients of a file for a send type: opted-out ones are excluded for marketing only. */
export function countRecipients(file: Pick<File, 'validCount' | 'optedOutCount'>, smsType: SmsType | null): number {
  return smsType === SmsType.Marketing ? Math.max(0, file.validCount - file.optedOutCount) : file.validCount;
}

/** The values of one row in the order of the variables. */
export const valuesOfRow = (row: readonly string[] | undefined, mapping: readonly (number | null)[]): string[] =>
  mapping.map((column) => (column === null ? '' : (row?.[column]?.trim() ?? '')));

export interface SegmentEstimate {
  segments: number;
  /** False if the rows' own values decide, and not all of them were read. */
  exact: boolean;
}

/** Estimates the segments of a text to all recipients from the first rows; null if it cannot be estimated yet. */
export function estimateSegments(
  content: string,
  sample: readonly (readonly string[])[],
  mapping: readonly (number | null)[],
  recipients: number,
): SegmentEstimate | null {
  if (countVariables(content) === 0) return { segments: countSegments(content).segments * recipients, exact: true };
  if (mapping.some((column) => column === null)) return null;
  const counts = sample
    .map((row) => valuesOfRow(row, mapping))
    .filter((values) => values.every((value) => value !== ''))
    .map((values) => countSegments(renderTemplate(content, values)).segments);
  if (counts.length === 0) return null;
  const each = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return { segments: Math.round(each * recipients), exact: false };
}

/**
 * Lowest and highest price of a segment among the carriers that will get any, 1/10,000 PHP; for a task that was checked
 * before carriers were stored, the average cost of a segment. Null without recipients.
 */
export function priceRange({
  carriers,
  segments,
  cost,
}: Pick<TaskEstimate, 'carriers' | 'segments' | 'cost'>): { low: number; high: number } | null {
  const prices = carriers.filter(({ recipients }) => recipients > 0).map(({ price }) => price);
  if (prices.length > 0) return { low: Math.min(...prices), high: Math.max(...prices) };
  if (segments === 0) return null;
  const average = Math.round(cost / segments);
  return { low: average, high: average };
}

/** Whether every row was looked at; of a large file it is an even spread. */
export const isExact = ({ readCount, rowCount }: Pick<TaskEstimate, 'readCount' | 'rowCount'>): boolean =>
  readCount === rowCount;
