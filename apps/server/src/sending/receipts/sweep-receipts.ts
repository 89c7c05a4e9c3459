/**
 * Retries waiting receipts: the response may have been committed since, by this process or another (neither of two
 * transactions sees the other, so matching at the response alone would leave some forever), or the message is in doubt
 * and the receipt is its first status.
 */
import { ClientStatus } from '@pahatid/contract/enums';
import {
  findDoubt,
  type InboxReceipt,
  insertMissingRoutes,
  listInbox,
  listStrictSuppliers,
  lockMessages,
  markMatched,
  type WriterLease,
} from '@pahatid/db';
import { DealResult } from '@pahatid/domain';
import { type CarrierReceipt, partBit } from '@pahatid/engine';
import type { Pool, PoolClient } from 'pg';
import { type ReceiptEvent, settleRows } from '../settle/settle.ts';
import type { Tally } from '../settle/tally.ts';
import { withTally } from '../settle/with-tally.ts';
import { findReceiptRoutes, matchReceipts, type ReceiptRoutes, receiptEvent } from './match-receipts.ts';
import { plainMsisdn } from './read-deliver.ts';
import { idForms } from './receipt-ids.ts';
import { traceReceipts } from './trace-receipts.ts';

const RECEIPTS_A_TURN = 500;
/** Receipts that matched nothing for so long are no longer tried: staff see them. */
const ORPHAN_MS = 7 * 86_400_000;
/**
 * A response may still be in transit for this long; a receipt that arrives earlier says nothing about another message.
 */
const DOUBT_GRACE_MS = 5_000;
/** Clocks of machines differ by less. A time further ahead is of a clock that was put back since. */
const CLOCK_AHEAD_MS = 60_000;

export interface SweepResult {
  readonly matched: number;
  /** Messages in doubt that a receipt resolved. */
  readonly resolved: number;
  readonly taskIds: readonly string[];
  /** Receipts that no longer wait. */
  readonly done: readonly Pick<CarrierReceipt, 'supplierId' | 'receiptId'>[];
}

/** Cycles through all waiting receipts, so that orphans delay no others. */
export class ReceiptSweeper {
  private readonly pool: Pool;
  private readonly writer: WriterLease;
  private readonly doubtGraceMs: number;
  private place: { receivedMs: number; receiptId: string } | null = null;
  /** Receipts whose time is ahead of the clock, with when they were first seen (`performance.now()`). */
  private ahead: ReadonlyMap<string, number> = new Map();

  constructor(pool: Pool, writer: WriterLease, doubtGraceMs = DOUBT_GRACE_MS) {
    this.pool = pool;
    this.writer = writer;
    this.doubtGraceMs = doubtGraceMs;
  }

  async sweep(nowMs = Date.now()): Promise<SweepResult> {
    const from = this.place ?? { receivedMs: nowMs - ORPHAN_MS, receiptId: '00000000-0000-0000-0000-000000000000' };
    const rows = await listInbox(this.pool, from, RECEIPTS_A_TURN);
    const last = rows.at(-1);
    this.place = rows.length === RECEIPTS_A_TURN && last !== undefined ? last : null;
    this.ahead = this.listAhead(rows, nowMs);
    if (rows.length === 0) return { matched: 0, resolved: 0, taskIds: [], done: [] };
    const strict = new Set(await listStrictSuppliers(this.pool));
    const receipts = rows.map((row) => receiptOf(row, strict.has(row.supplierId)));
    const beganMs = Date.now();
    let stored: readonly ReceiptEvent[] = [];
    const result = await withTally(this.pool, async (tx, tally) => {
      const { events, ...found } = await this.match(tx, tally, receipts, nowMs);
      stored = events;
      return found;
    });
    traceReceipts(stored, beganMs);
    return result;
  }

  private listAhead(rows: readonly InboxReceipt[], nowMs: number): ReadonlyMap<string, number> {
    const seenMs = performance.now();
    const ahead = rows.filter(({ receivedMs }) => receivedMs > nowMs + CLOCK_AHEAD_MS);
    return new Map(ahead.map(({ receiptId }) => [receiptId, this.ahead.get(receiptId) ?? seenMs]));
  }

  /** Whether the response to its message may still be in transit. */
  private isYoung({ receiptId, receivedMs }: CarrierReceipt, nowMs: number): boolean {
    const seenMs = this.ahead.get(receiptId);
    if (seenMs !== undefined) return performance.now() - seenMs < this.doubtGraceMs;
    return receivedMs > nowMs - this.doubtGraceMs;
  }

  private async match(
    tx: PoolClient,
    tally: Tally,
    receipts: readonly CarrierReceipt[],
    nowMs: number,
  ): Promise<SweepResult & { events: readonly ReceiptEvent[] }> {
    const routes = await findReceiptRoutes(tx, receipts);
    // Together with messages in doubt that the receipts may match, so that all are locked in one order.
    await lockMessages(tx, [...[...routes.values()].flat(), ...(await this.findDoubts(tx, receipts, routes, nowMs))]);
    const { matched, waiting } = await matchReceipts(tx, receipts, { routes });
    const events: ReceiptEvent[] = matched.map(({ event }) => event);
    const done: CarrierReceipt[] = matched.map(({ receipt }) => receipt);
    const resolved = new Set<bigint>();
    for (const receipt of waiting) {
      if (this.isYoung(receipt, nowMs)) continue;
      const { supplierId, candidates } = receipt;
      const doubt = await findDoubt(tx, supplierId, phonesOf(receipt), acceptedBefore(receipt, nowMs), [...resolved]);
      if (doubt === null) {
        const [byId] = (await matchReceipts(tx, [receipt], { anyPhone: true })).matched;
        if (byId === undefined) continue;
        events.push(byId.event);
        done.push(receipt);
        continue;
      }
      const part = await nextPart(tx, doubt);
      // Another process may have tried this receipt, or a copy resent by the carrier, and held the row until now: match
      // again, because one part counted twice would make the message look complete.
      const [found] = (await matchReceipts(tx, [receipt])).matched;
      events.push(found?.event ?? receiptEvent({ ...doubt, part }, receipt));
      done.push(receipt);
      if (found !== undefined) continue;
      resolved.add(doubt.messageId);
      // Later receipts for this id can then be matched.
      await insertMissingRoutes(tx, [{ ...doubt, supplierId, carrierMessageId: candidates[0] ?? '', part }]);
    }
    await settleRows(tx, tally, events);
    await markMatched(tx, done);
    await tally.write(tx, this.writer.writer, new Date());
    return { matched: matched.length, resolved: resolved.size, taskIds: tally.taskIds, done, events };
  }

  /** Messages in doubt that receipts without a route are probably about. */
  private async findDoubts(
    tx: PoolClient,
    receipts: readonly CarrierReceipt[],
    routes: ReceiptRoutes,
    nowMs: number,
  ): Promise<{ customerId: string; messageId: bigint }[]> {
    const found: { customerId: string; messageId: bigint }[] = [];
    for (const receipt of receipts) {
      const { supplierId, candidates } = receipt;
      if (this.isYoung(receipt, nowMs)) continue;
      const known = routes.get(supplierId) ?? [];
      if (known.some(({ carrierMessageId }) => candidates.includes(carrierMessageId))) continue;
      const except = found.map(({ messageId }) => messageId);
      const doubt = await findDoubt(tx, supplierId, phonesOf(receipt), acceptedBefore(receipt, nowMs), except);
      if (doubt !== null) found.push(doubt);
    }
    return found;
  }
}

/** Its message was accepted before it, or while the clock was ahead of now. */
const acceptedBefore = ({ receivedMs }: CarrierReceipt, nowMs: number) => ({
  beforeMs: receivedMs,
  aheadMs: nowMs + CLOCK_AHEAD_MS,
});

/** Locks the message. Which part a receipt without a response is for does not matter, only that each counts once. */
async function nextPart(tx: PoolClient, doubt: { customerId: string; messageId: bigint }): Promise<number> {
  const [row] = await lockMessages(tx, [doubt]);
  let part = 1;
  while (row !== undefined && part < row.pkgTotal && (row.partsDelivered & partBit(part)) !== 0) part += 1;
  return part;
}

const dealResults: Partial<Record<ClientStatus, DealResult>> = {
  [ClientStatus.Delivered]: DealResult.Delivered,
  [ClientStatus.Undelivered]: DealResult.Undelivered,
  [ClientStatus.Expired]: DealResult.Expired,
  [ClientStatus.Rejected]: DealResult.RejectedByCarrier,
};

/** A carrier may write the phone in either address. */
const phonesOf = ({ msisdn, clientSid }: CarrierReceipt): string[] =>
  [msisdn, plainMsisdn(clientSid)].filter((each) => each !== '');

const receiptOf = (row: InboxReceipt, needsPhone: boolean): CarrierReceipt => ({
  ...row,
  needsPhone,
  candidates: idForms(row.carrierMessageId),
  clientStatus: row.clientStatus as ClientStatus,
  dealResult: dealResults[row.clientStatus as ClientStatus] ?? DealResult.Unknown,
});
