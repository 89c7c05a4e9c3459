import { type File, SmsType, type Task, TaskStatus } from '@pahatid/contract';
import { countSegments, countVariables, renderTemplate } from '@pahatid/domain';

/** Recipients a file brings for a send type: those who opted out are left out of marketing alone. */
export function countRecipients(file: Pick<File, 'validCount' | 'optedOutCount'>, smsType: SmsType | null): number {
  return smsType === SmsType.Marketing ? Math.max(0, file.validCount - file.optedOutCount) : file.validCount;
}

/** The values of one row in the order of the variables. */
export const valuesOfRow = (row: readonly string[] | undefined, mapping: readonly (number | null)[]): string[] =>
  mapping.map((column) => (column === null ? '' : (row?.[column]?.trim() ?? '')));

export interface SegmentEstimate {
  segments: number;
  /** False where the rows' own values decide: then it is reckoned from the first rows. */
  exact: boolean;
}

/** Segments of a text to all recipients; null where nothing can be said yet. */
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

/** The price of a segment as the customer's latest checked task of the same kind had it, 1/10,000 PHP. */
export function lastPrice(tasks: readonly Pick<Task, 'estimatedCost' | 'estimatedSegments'>[]): number | null {
  for (const { estimatedCost, estimatedSegments } of tasks)
    if (estimatedCost && estimatedSegments) return Math.round(estimatedCost / estimatedSegments);
  return null;
}

/** A task small enough to be over in a moment says nothing about how fast a large one goes. */
const tellingCount = 1_000;

/** Messages per second of the customer's latest large task that was sent in one go, from its beginning to its end. */
export function lastSpeed(
  tasks: readonly Pick<Task, 'taskStatus' | 'retryCount' | 'totalCount' | 'startTime' | 'endTime'>[],
): number | null {
  for (const { taskStatus, retryCount, totalCount, startTime, endTime } of tasks) {
    if (taskStatus !== TaskStatus.Completed || retryCount > 0 || totalCount < tellingCount) continue;
    if (startTime === null || endTime === null) continue;
    const seconds = (Date.parse(endTime) - Date.parse(startTime)) / 1000;
    if (seconds > 0) return totalCount / seconds;
  }
  return null;
}
