/**
 * What the changed rows of one transaction move: statistics, counters of tasks and batches, money. Rows go in one by
 * one, sums come out in a handful of statements.
 */
import type { ChargeType } from '@pahatid/contract';
import {
  type Charge,
  chargeCustomers,
  countOnBatches,
  type LockedMessage,
  lockBatches,
  messageIdMs,
  moveRollups,
  moveTasks,
  moveTemplates,
  noRollup,
  noTaskDelta,
  noTemplateDelta,
  type RollupDelta,
  type RollupKey,
  type TaskDelta,
  type TemplateMove,
  together,
  toMinute,
} from '@pahatid/db';
import { type Counted, countChange, type Priced, type RowState } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { OutcomeCounts } from '../../metrics/sending-metrics.ts';

export interface TallyMessage extends Priced {
  readonly key: RollupKey;
  readonly taskId: string | null;
  readonly templateId: string | null;
  readonly batchId: bigint;
  readonly supplierId: string;
}

export class Tally {
  /** The same moves once more, for the metrics. */
  readonly outcomes = new OutcomeCounts();
  private readonly rollups = new Map<RollupKey, RollupDelta>();
  /** One object for each key, however many equal ones come. */
  private readonly keys = new Map<string, RollupKey>();
  private readonly tasks = new Map<string, { customerId: string; delta: TaskDelta }>();
  private readonly templates = new Map<string, TemplateMove>();
  /** By batch; one for each of its carriers and prices. */
  private readonly charges = new Map<bigint, Charge[]>();
  /** Held back until receipts come, by customer. */
  private readonly holds = new Map<string, number>();
  private readonly batches = new Map<bigint, { success: number; failed: number }>();

  /** What moves in the statistics. */
  get rollupMoves(): ReadonlyMap<RollupKey, RollupDelta> {
    return this.rollups;
  }

  /** Tasks whose counters change. */
  get taskIds(): string[] {
    return [...this.tasks.keys()];
  }

  add(message: TallyMessage, before: RowState, after: RowState): void {
    const moved = countChange(before, after, message);
    this.outcomes.addChange(message.supplierId, message.key.smsType, before, after);
    this.addRollup(message.key, moved);
    if (message.taskId !== null) this.addTask(message.taskId, message.key.customerId, moved);
    if (message.templateId !== null) this.addTemplate(message.templateId, message.key, moved);
    if (moved.chargedSegments !== 0 && moved.charged !== 0) this.addCharge(message, moved);
    if (moved.awaited !== 0) {
      const { customerId } = message.key;
      this.holds.set(customerId, (this.holds.get(customerId) ?? 0) + moved.awaited);
    }
    if (moved.reqSuccess !== 0 || moved.reqFail !== 0) {
      const counts = this.batches.get(message.batchId) ?? { success: 0, failed: 0 };
      counts.success += moved.reqSuccess;
      counts.failed += moved.reqFail;
      this.batches.set(message.batchId, counts);
    }
  }

  /** `marked`: batches that the transaction changes after this. */
  async write(tx: PoolClient, writer: number, at: Date, marked: readonly bigint[] = []): Promise<void> {
    // In one order over all batches: with own batches first and another's then, or the reverse, two flushes would
    // deadlock.
    const counted = [...this.batches.keys()];
    const isMarked = new Set(marked);
    const locksFirst = marked.length > 0 && counted.some((batchId) => !isMarked.has(batchId));
    await together(tx, [
      () => moveRollups(tx, writer, this.rollups),
      () => moveTasks(tx, writer, this.tasks),
      () => moveTemplates(tx, writer, [...this.templates.values()]),
      () => chargeCustomers(tx, writer, [...this.charges.values()].flat(), at, this.holds),
      async () => (locksFirst ? await lockBatches(tx, [...marked, ...counted]) : undefined),
      () => countOnBatches(tx, this.batches),
    ]);
  }

  private addRollup(key: RollupKey, moved: Counted): void {
    let delta = this.rollups.get(key);
    if (delta === undefined) {
      const name = `${key.customerId}|${key.minuteMs}|${key.appId}|${key.areaCode}|${key.carrier}|${key.clientSid}|${key.smsType}|${key.routeId}`;
      const same = this.keys.get(name);
      delta = same === undefined ? noRollup() : this.rollups.get(same)!;
      if (same === undefined) {
        this.keys.set(name, key);
        this.rollups.set(key, delta);
      }
    }
    delta.reqSuccess += moved.reqSuccess;
    delta.reqFail += moved.reqFail;
    delta.reqBlocked += moved.reqBlocked;
    delta.receiptSuccess += moved.receiptSuccess;
    delta.receiptFail += moved.receiptFail;
    delta.receiptUnknown += moved.receiptUnknown;
    delta.segments += moved.segments;
    delta.charged += moved.charged;
  }

  private addTask(taskId: string, customerId: string, moved: Counted): void {
    let task = this.tasks.get(taskId);
    if (task === undefined) {
      task = { customerId, delta: noTaskDelta() };
      this.tasks.set(taskId, task);
    }
    const { delta } = task;
    delta.success += moved.reqSuccess;
    delta.failed += moved.reqFail;
    delta.delivered += moved.receiptSuccess;
    delta.undelivered += moved.receiptFail;
    delta.unknown += moved.receiptUnknown;
    delta.unconfirmed += moved.unconfirmed;
    delta.chargedSegments += moved.chargedSegments;
    delta.chargedCost += moved.charged;
    delta.awaitedCost += moved.awaited;
  }

  private addTemplate(templateId: string, { customerId, minuteMs }: RollupKey, moved: Counted): void {
    const day = new Date(minuteMs).toISOString().slice(0, 10);
    const name = `${templateId}${day}`;
    let move = this.templates.get(name);
    if (move === undefined) {
      move = { customerId, templateId, day, delta: noTemplateDelta() };
      this.templates.set(name, move);
    }
    move.delta.success += moved.reqSuccess;
    move.delta.delivered += moved.receiptSuccess;
    move.delta.undelivered += moved.receiptFail;
    move.delta.unknown += moved.receiptUnknown;
  }

  private addCharge(message: TallyMessage, moved: Counted): void {
    const { batchId, taskId, price } = message;
    const { customerId, appId, smsType, carrier } = message.key;
    let charges = this.charges.get(batchId);
    if (charges === undefined) {
      charges = [];
      this.charges.set(batchId, charges);
    }
    let charge = charges.find(
      (each) => each.carrier === carrier && each.price === price && each.smsType === smsType && each.appId === appId,
    );
    if (charge === undefined) {
      charge = { customerId, appId, taskId, batchId, smsType, carrier, price, segments: 0, cost: 0 };
      charges.push(charge);
    }
    charge.segments += moved.chargedSegments;
    charge.cost += moved.charged;
  }
}

/** Returns the key under which a row of `message` is counted. */
export const toRollupKey = (
  row: Pick<LockedMessage, keyof RollupKey & keyof LockedMessage> & { messageId: bigint },
): RollupKey => ({
  customerId: row.customerId,
  minuteMs: toMinute(messageIdMs(row.messageId)),
  appId: row.appId,
  areaCode: row.areaCode,
  carrier: row.carrier ?? '',
  clientSid: row.clientSid,
  smsType: row.smsType,
  routeId: row.routeId,
});

export const toTallyMessage = (row: LockedMessage, batchId: bigint): TallyMessage => ({
  key: toRollupKey(row),
  taskId: row.taskId,
  templateId: row.templateId,
  batchId,
  supplierId: row.supplierId,
  pkgTotal: row.pkgTotal,
  price: row.price,
  chargeType: row.chargeType as ChargeType,
});
