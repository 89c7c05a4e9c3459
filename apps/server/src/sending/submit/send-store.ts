/** The engine's store on PostgreSQL. */
import { type ChargeType, type DoubtPolicy, SendStatus, SmsType, sendTypeNames } from '@pahatid/contract/enums';
import {
  BY_KEY,
  BY_KEY_PIPELINED,
  findStoppedBatches,
  insertDoubts,
  insertInbox,
  insertRoutes,
  loadWaitingMessages,
  type MarkRow,
  markBatches,
  markMatched,
  type OutcomeRow,
  type RollupKey,
  refusedDataCode,
  renewBatches,
  together,
  type WaitingMessage,
  type WriterLease,
  withTransaction,
  writeOutcomes,
} from '@pahatid/db';
import { type ClaimedRow, claimBatches, findReadyQueues } from '@pahatid/db/queries/batch-claims';
import { parkHeld, type ReadyQueue } from '@pahatid/db/queries/batch-parking';
import { findBatchesAhead, unclaimBatches } from '@pahatid/db/queries/batch-visibility';
import { isQuiet, manilaHour } from '@pahatid/domain';
import type {
  BatchMark,
  Change,
  ClaimedBatch,
  ClaimOutcome,
  ClaimRequest,
  Flush,
  FlushOutcome,
  LoadedMessage,
  SendStore,
  Waiting,
} from '@pahatid/engine';
import type { Pool, PoolClient } from 'pg';
import { findReceiptRoutes, type MatchedReceipt, matchReceipts } from '../receipts/match-receipts.ts';
import { traceReceipts } from '../receipts/trace-receipts.ts';
import { storeTexts } from '../replies/inbound.ts';
import type { InboundOptions } from '../replies/reply-owner.ts';
import { LockedRows } from '../settle/locked-rows.ts';
import { type AnswerEvent, type RowEvent, settleRows } from '../settle/settle.ts';
import { type Tally, toRollupKey } from '../settle/tally.ts';
import { withTally } from '../settle/with-tally.ts';
import { commitInHalves } from './halve-flush.ts';
import { Refusals } from './refusals.ts';

export interface SendStoreOptions {
  readonly pool: Pool;
  /** UUID of this process. */
  readonly owner: string;
  readonly writer: WriterLease;
  readonly leaseMs: number;
  /** Moves the database's clock in tests. */
  readonly clockOffsetMs?: number;
  readonly inbound: InboundOptions;
}

export const makeSendStore = (options: SendStoreOptions): SendStore => new PgSendStore(options);

class PgSendStore implements SendStore {
  private readonly options: SendStoreOptions;
  private hour = 0;
  /** Where the next look at ready batches begins. */
  private readonly cursors = new Map<string, string>();
  private nowMs = 0;
  private readonly refusals = new Refusals();

  constructor(options: SendStoreOptions) {
    this.options = options;
  }

  async findWaiting(supplierIds: readonly string[]): Promise<readonly Waiting[]> {
    const { queues, nowMs } = await withTransaction(
      this.options.pool,
      (tx) => findReadyQueues(tx, supplierIds, this.cursors),
      BY_KEY_PIPELINED,
    );
    this.nowMs = nowMs;
    this.hour = manilaHour(nowMs + (this.options.clockOffsetMs ?? 0));
    return queues.map((queue) => ({ ...queue, lane: queue.lane as SmsType }));
  }

  async claim(request: ClaimRequest): Promise<ClaimOutcome> {
    const { pool, owner, leaseMs } = this.options;
    const { nowMs } = this;
    const claim = { ...request, owner, leaseMs, manilaHour: this.hour };
    // Claim and load are one transaction: a batch that can't be loaded was not claimed.
    const { batches, held } = await withTransaction(
      pool,
      async (tx) => {
        const { rows, held: queues } = await claimBatches(tx, claim);
        return { batches: await loadBatches(tx, await leaveAhead(tx, rows)), held: queues };
      },
      BY_KEY,
    );
    this.refusals.loaded(
      batches.filter(({ lane }) => lane === SmsType.Marketing).map(({ batchId }) => batchId),
      nowMs,
    );
    return { batches, parked: held.length > 0 && (await this.park(held)) > 0 };
  }

  /** What was claimed is claimed: batches that can't be parked now are met again. */
  private async park(queues: readonly ReadyQueue[]): Promise<number> {
    try {
      return await withTransaction(this.options.pool, (tx) => parkHeld(tx, queues, this.hour), BY_KEY);
    } catch (err) {
      this.options.inbound.log.warn({ err }, 'parking of held batches failed, will retry');
      return 0;
    }
  }

  async renew(batchIds: readonly bigint[]): Promise<readonly bigint[]> {
    return await renewBatches(this.options.pool, this.options.owner, batchIds, this.options.leaseMs);
  }

  async findStopped(others: readonly bigint[]): Promise<readonly bigint[]> {
    const { pool, owner } = this.options;
    const rows = await withTransaction(pool, (tx) => findStoppedBatches(tx, owner, others), BY_KEY_PIPELINED);
    const refused = await this.refusals.find(pool, owner, others);
    const offset = this.options.clockOffsetMs ?? 0;
    const stopped = rows
      .filter(({ onlyIn, nowMs }) => onlyIn === null || isQuiet(nowMs + offset, onlyIn))
      .map(({ batchId }) => batchId);
    return [...new Set([...stopped, ...refused])];
  }

  async commit(flush: Flush): Promise<FlushOutcome> {
    try {
      return await this.commitPart(flush);
    } catch (error) {
      if (refusedDataCode(error) === null) throw error;
      return await commitInHalves(flush, (part, more) => this.commitPart(part, more), this.options.inbound);
    }
  }

  private async commitPart(flush: Flush, alongside?: (tx: PoolClient) => Promise<void>): Promise<FlushOutcome> {
    // Rows that others may be changing as well are locked before any is written, all in one order.
    const isShared = flush.receipts.length > 0 || flush.changes.some(isInDoubt);
    try {
      return await this.commitOnce(flush, isShared, alongside);
    } catch (error) {
      if (!(error instanceof RowsUnlikeError)) throw error;
      return await this.commitOnce(flush, true, alongside);
    }
  }

  private async commitOnce(
    flush: Flush,
    isShared: boolean,
    alongside?: (tx: PoolClient) => Promise<void>,
  ): Promise<FlushOutcome> {
    const { pool, owner, writer } = this.options;
    const beganMs = Date.now();
    let stored: readonly MatchedReceipt[] = [];
    const outcome = await withTally(pool, async (tx, tally) => {
      const at = new Date();
      const routes = await findReceiptRoutes(tx, flush.receipts);
      const locked = new LockedRows();
      if (isShared) await locked.lock(tx, [...flush.changes.map(keyOf), ...[...routes.values()].flat()]);
      const { events, written } = await writeChanges(tx, tally, flush.changes);
      // Locked now, they would be out of order with those that were written.
      if (!isShared && events.length > 0) throw new RowsUnlikeError();
      for (const change of written) locked.forget(keyOf(change).messageId);
      const { matched, waiting } = await matchReceipts(tx, flush.receipts, { routes, locked });
      stored = matched;
      events.push(...matched.map(({ event }) => event));
      await settleRows(tx, tally, events, locked);
      for (const { batch } of flush.resent) tally.outcomes.add(batch.supplierId, batch.lane, 'resent');
      await storeTexts(tx, flush.inbound, this.options.inbound);
      await alongside?.(tx);
      const inbox = waiting.map((receipt) => ({ ...receipt, carrierMessageId: receipt.candidates[0] ?? '' }));
      const marked = flush.marks.map(({ batch }) => batch.batchId);
      const [, , , , , , lost] = await together(tx, [
        () => insertRoutes(tx, written.flatMap(routesOf)),
        () => insertDoubts(tx, written.filter(becomesDoubt).map(doubtOf), at, null),
        () => insertDoubts(tx, flush.resent.map(doubtOf), at, 'resent'),
        () => insertInbox(tx, inbox),
        () => markMatched(tx, flush.matchedReceipts),
        () => tally.write(tx, writer.writer, at, marked),
        () => markBatches(tx, owner, flush.marks.map(toMarkRow)),
      ]);
      return { lost, waiting };
    });
    traceReceipts(
      stored.map(({ event }) => event),
      beganMs,
    );
    return outcome;
  }
}

/** Rows of a flush that no other process should have changed are not as expected. */
class RowsUnlikeError extends Error {}

const isInDoubt = ({ before }: Change): boolean => before.sendStatus === SendStatus.Sending;

const keyOf = ({ batch, message }: Pick<Change, 'batch' | 'message'>) => ({
  customerId: batch.customerId,
  messageId: batch.batchId + BigInt(message.position),
});

/** Those of claimed batches whose messages are as their rows say; the others are ready again. */
async function leaveAhead(tx: PoolClient, rows: readonly ClaimedRow[]): Promise<readonly ClaimedRow[]> {
  const ahead = await findBatchesAhead(tx, rows);
  if (ahead.size === 0) return rows;
  await unclaimBatches(tx, [...ahead]);
  return rows.filter(({ batchId }) => !ahead.has(batchId));
}

async function loadBatches(tx: PoolClient, rows: readonly ClaimedRow[]): Promise<ClaimedBatch[]> {
  const messages = await loadWaitingMessages(
    tx,
    rows.map((row) => ({ ...row, checkOptOut: row.lane === SmsType.Marketing })),
  );
  return rows.map((row, index) => toClaimedBatch(row, messages[index] ?? []));
}

function toClaimedBatch(row: ClaimedRow, messages: readonly WaitingMessage[]): ClaimedBatch {
  const lane = row.lane as SmsType;
  const keys = new Map<string, RollupKey>();
  const loaded = messages.map((message): LoadedMessage => {
    const name = `${message.carrier ?? ''}|${message.areaCode}|${message.clientSid}|${message.appId}`;
    let key = keys.get(name);
    if (key === undefined) {
      // All ids of a batch are of one millisecond.
      key = toRollupKey({ ...message, customerId: row.customerId, messageId: row.batchId });
      keys.set(name, key);
    }
    return {
      position: Number(message.messageId - row.batchId),
      msisdn: message.msisdn,
      content: message.content,
      pkgTotal: message.pkgTotal,
      price: message.price,
      chargeType: message.chargeType as ChargeType,
      key,
      templateId: message.templateId,
      optedOut: message.optedOut,
    };
  });
  return {
    batchId: row.batchId,
    customerId: row.customerId,
    taskId: row.taskId,
    appId: row.appId,
    lane,
    supplierId: row.supplierId,
    messageCount: row.messageCount,
    intentMark: row.intentMark,
    doubtPolicy: getDoubtPolicy(row),
    validForMs: row.validForMs,
    messages: loaded,
  };
}

/** Returns the policy for messages in doubt of this application and send type; default hold. */
export const getDoubtPolicy = (row: Pick<ClaimedRow, 'doubtPolicy' | 'lane'>): DoubtPolicy =>
  row.doubtPolicy?.[sendTypeNames[row.lane as SmsType]] === 'resend' ? 'resend' : 'hold';

const doubtOf = ({ batch, message }: Pick<Change, 'batch' | 'message'>) => ({
  ...keyOf({ batch, message }),
  supplierId: batch.supplierId,
  taskId: batch.taskId,
  msisdn: message.msisdn,
});

const becomesDoubt = ({ before, after }: Change): boolean =>
  before.sendStatus === SendStatus.Waiting && after.sendStatus === SendStatus.Sending;

const toMarkRow = ({ batch, mark, notTaken, end }: BatchMark): MarkRow => ({
  batchId: batch.batchId,
  mark,
  notTaken,
  end,
});

/** Writes rows that are as expected, and returns them, and the events of those that need the locked path. */
async function writeChanges(
  tx: PoolClient,
  tally: Tally,
  changes: readonly Change[],
): Promise<{ events: RowEvent[]; written: Change[] }> {
  // A row in doubt settled by its response changes more: that is done under its lock.
  const careful = changes.filter(isInDoubt);
  const quick = changes.filter((change) => !isInDoubt(change));
  const rows = quick.map((change) => ({ change, row: outcomeOf(change) })).sort(byKey);
  const missed = await writeOutcomes(
    tx,
    rows.map(({ row }) => row),
  );
  const isMissed = new Set(missed);
  const written = rows.filter((_, index) => !isMissed.has(index)).map(({ change }) => change);
  for (const change of written) {
    const { batch, message } = change;
    const { batchId, taskId, supplierId } = batch;
    const { key, templateId, pkgTotal, price, chargeType } = message;
    const counted = { key, taskId, templateId, batchId, supplierId, pkgTotal, price, chargeType };
    tally.add(counted, change.before, change.after);
  }
  return { events: [...missed.map((index) => rows[index]!.change), ...careful].map(answerOf), written };
}

const byKey = (a: { row: OutcomeRow }, b: { row: OutcomeRow }): number => {
  if (a.row.customerId !== b.row.customerId) return a.row.customerId < b.row.customerId ? -1 : 1;
  return a.row.messageId < b.row.messageId ? -1 : 1;
};

const outcomeOf = (change: Change): OutcomeRow => ({
  customerId: change.batch.customerId,
  messageId: change.batch.batchId + BigInt(change.message.position),
  before: { ...change.before, partsDelivered: change.partsBefore },
  after: change.after,
  dealResult: change.dealResult,
  carrierCode: change.carrierCode,
  submittedMs: change.submittedMs,
  answeredMs: change.answeredMs,
  reportMs: change.reportMs,
  partsDelivered: change.partsDelivered,
});

const routesOf = ({ batch, message, routes }: Change) =>
  routes.map(({ carrierMessageId, part, issuedId }) => ({
    supplierId: batch.supplierId,
    carrierMessageId,
    customerId: batch.customerId,
    messageId: batch.batchId + BigInt(message.position),
    part,
    issuedId,
  }));

const answerOf = (change: Change): AnswerEvent => ({
  kind: 'answer',
  customerId: change.batch.customerId,
  messageId: change.batch.batchId + BigInt(change.message.position),
  wanted: change.after,
  dealResult: change.dealResult,
  carrierCode: change.carrierCode,
  submittedMs: change.submittedMs,
  answeredMs: change.answeredMs,
  reportMs: change.reportMs,
  partsDelivered: change.partsDelivered,
  routes: routesOf(change),
});
