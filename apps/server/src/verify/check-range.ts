/**
 * A stretch of one customer's messages, on one snapshot, and all that is counted about them alone. They are read once, some
 * thousand batches at a time, so memory does not grow with their number.
 */
import { messageIdFloor, messageIdMs } from '@pahatid/db';
import { listHourFaults } from '@pahatid/db/queries/hour-folding';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import { HOUR_MS } from '@pahatid/db/queries/report-figures';
import { type BatchFacts, type MessageSums, readBatches } from '@pahatid/db/queries/verify/batches';
import { readCells, readOpenDoubts, readTemplateDays } from '@pahatid/db/queries/verify/counters';
import { dayMs, toDay } from '@pahatid/db/queries/verify/days';
import { findSlice, type IdRange } from '@pahatid/db/queries/verify/snapshot';
import type { PoolClient } from 'pg';
import { checkBatch } from './check-batches.ts';
import { DerivedCells } from './check-cells.ts';
import { checkHours } from './check-hours.ts';
import { DerivedTemplates } from './check-templates.ts';
import { DaySums } from './day-sums.ts';
import type { Findings } from './difference.ts';

/** Batches read at a time. */
const BATCHES = 2_000;

export interface RangeOptions {
  /** Batches read at a time. */
  readonly batches?: number | undefined;
  readonly onProgress?: ((messages: number) => void) | undefined;
}

/** Stretches of a range, each of some batches and to the end of a minute, or of an hour where minutes are not kept. */
export async function* slicesOf(tx: PoolClient, customerId: string, { low, high }: IdRange, batches = BATCHES) {
  const minutes = messageIdFloor(await readKeptSince(tx, 'report_minute'));
  for (let next = low; next < high; ) {
    const step = next < minutes ? 'hour' : 'minute';
    const end = next < minutes && minutes < high ? minutes : high;
    const range: IdRange = await findSlice(tx, customerId, { low: next, high: end }, batches, step);
    yield { ...range, step } as const;
    next = range.high;
  }
}

/** Returns what the messages add up to, by day. The range begins with a minute, and ends with a day. */
export const checkRange = async (
  tx: PoolClient,
  findings: Findings,
  customerId: string,
  range: IdRange,
  options: RangeOptions,
): Promise<Map<number, DaySums>> => {
  const check = new RangeCheck(tx, findings, customerId);
  for await (const slice of slicesOf(tx, customerId, range, options.batches)) {
    await check.checkSlice(slice);
    options.onProgress?.(findings.looked.messages);
  }
  await check.checkWholeHours(range);
  return check.days;
};

class RangeCheck {
  readonly days = new Map<number, DaySums>();
  private readonly templates = new DerivedTemplates();
  private readonly tx: PoolClient;
  private readonly findings: Findings;
  private readonly customerId: string;

  constructor(tx: PoolClient, findings: Findings, customerId: string) {
    this.tx = tx;
    this.findings = findings;
    this.customerId = customerId;
  }

  async checkSlice({ step, ...range }: IdRange & { step: 'minute' | 'hour' }): Promise<void> {
    const { tx, findings, customerId } = this;
    const { batches, strays } = await readBatches(tx, customerId, range);
    for (const { batch, sums } of batches) {
      checkBatch(findings, { customerId, batch, sums });
      this.dayOf(batch.batchId).addBatch(batch);
    }
    const facts = batches.map(({ batch }) => batch);
    for (const stray of strays) this.addStray(stray, facts);
    const sums = [...batches.flatMap((each) => each.sums), ...strays];
    const cells = new DerivedCells(customerId, step === 'hour' ? HOUR_MS : 60_000);
    for (const sum of sums) {
      cells.add(sum);
      this.templates.add(sum);
      this.dayOf(sum.firstId).add(sum);
      findings.looked.messages += sum.rows;
    }
    cells.compare(findings, await readCells(tx, customerId, range, step));
    await this.checkDoubts(range, sums, facts);
    findings.looked.batches += batches.length;
  }

  /** Hours and days of which the range has the beginning. */
  async checkWholeHours(range: IdRange): Promise<void> {
    const { tx, findings, customerId, templates } = this;
    const [sinceMs, untilMs] = [messageIdMs(range.low), messageIdMs(range.high)];
    const since = new Date(Math.ceil(sinceMs / dayMs) * dayMs).toISOString().slice(0, 10);
    templates.compare(findings, customerId, await readTemplateDays(tx, customerId, range), since);
    const minutesMs = await readKeptSince(tx, 'report_minute');
    const firstHour = new Date(Math.ceil(Math.max(sinceMs, minutesMs) / HOUR_MS) * HOUR_MS);
    checkHours(findings, customerId, await listHourFaults(tx, customerId, firstHour, new Date(untilMs)));
  }

  private dayOf(id: bigint): DaySums {
    const day = toDay(id);
    let sums = this.days.get(day);
    if (sums === undefined) {
      sums = new DaySums();
      this.days.set(day, sums);
    }
    return sums;
  }

  private addStray({ firstId, taskId, rows }: MessageSums, batches: readonly BatchFacts[]): void {
    const at = { check: 'batchRange', customerId: this.customerId, taskId, messageId: firstId } as const;
    // They may be the end of the previous batch, whose count is too small.
    const before = batches.findLast(({ batchId }) => batchId <= firstId);
    const fix = before && { batchId: before.batchId, kept: before.messageCount };
    this.findings.add({
      ...at,
      what: 'messages in no batch',
      kept: String(rows),
      derived: '0',
      ...(fix === undefined ? {} : { fix: { ...fix, how: 'batchSize' } }),
    });
  }

  private async checkDoubts(
    range: IdRange,
    sums: readonly MessageSums[],
    batches: readonly BatchFacts[],
  ): Promise<void> {
    const { findings, customerId } = this;
    const kept = new Set(await readOpenDoubts(this.tx, customerId, range));
    const derived = new Set(sums.flatMap((sum) => sum.sendingIds));
    const taskOf = (messageId: bigint): string | null =>
      batches.findLast((batch) => batch.batchId <= messageId)?.taskId ?? null;
    for (const messageId of derived) {
      if (kept.has(messageId)) continue;
      const fix = { how: 'openDoubt', customerId, messageId } as const;
      const words = { what: 'being sent', kept: 'not in doubt', derived: 'in doubt' };
      findings.add({ check: 'inDoubt', customerId, taskId: taskOf(messageId), messageId, ...words, fix });
    }
    for (const messageId of kept) {
      if (derived.has(messageId)) continue;
      const fix = { how: 'closeDoubt', customerId, messageId } as const;
      const words = { what: 'not being sent', kept: 'in doubt', derived: 'resolved' };
      findings.add({ check: 'inDoubt', customerId, taskId: taskOf(messageId), messageId, ...words, fix });
    }
  }
}
