/**
 * The limits of the customers in one transaction, with what was used of them so far and what this transaction uses. The
 * caller holds the lock on each customer's funds, so that nobody else accepts for it meanwhile and the numbers are exact.
 * A call that comes to nothing in the end takes back what it used.
 */
import type { SmsType } from '@pahatid/contract';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import {
  addVolumes,
  type CustomerLimits,
  loadLimits,
  loadPastMessages,
  loadVolumes,
  type VolumeKey,
} from '@pahatid/db/queries/thresholds';
import {
  decideFrequency,
  decideVolume,
  frequencyDepth,
  frequencyReachMs,
  type PastMessage,
  volumePeriodStart,
} from '@pahatid/domain';
import type { PoolClient } from 'pg';

/** A message that a door would accept. */
export interface LimitedMessage {
  readonly customerId: string;
  readonly appId: string;
  readonly smsType: number;
  readonly msisdn: string;
  readonly areaCode: string;
  readonly carrier: string | null;
  readonly content: string;
  readonly pkgTotal: number;
  /** 1/10,000 PHP. */
  readonly cost: number;
}

export type LimitVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly by: 'frequency' | 'volume';
      readonly thresholdId: string;
      /** From now. */
      readonly retryAfterMs: number;
    };

const allowed: LimitVerdict = { allowed: true };

export class LimitBook {
  private readonly limits: ReadonlyMap<string, CustomerLimits>;
  private readonly nowMs: number;
  /** By customer and number. */
  private readonly past = new Map<string, PastMessage[]>();
  private readonly used = new Map<string, number>();
  private readonly moves = new Map<string, VolumeKey & { amount: number }>();
  /** How to take back what the call under way has used. */
  private undo: (() => void)[] = [];

  private constructor(limits: ReadonlyMap<string, CustomerLimits>, nowMs: number) {
    this.limits = limits;
    this.nowMs = nowMs;
  }

  /** `lock`: locks the funds of those customers who have limits, where the caller holds no such lock yet. */
  static async load(
    tx: PoolClient,
    messages: readonly LimitedMessage[],
    { lock = false }: { lock?: boolean } = {},
  ): Promise<LimitBook> {
    const byCustomer = Map.groupBy(messages, ({ customerId }) => customerId);
    const { limits, nowMs } = await loadLimits(tx, [...byCustomer.keys()]);
    const book = new LimitBook(limits, nowMs);
    for (const [customerId, { frequency, volume }] of [...limits].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (lock) await lockCustomerFunds(tx, customerId);
      const depth = frequencyDepth(frequency);
      if (depth > 0) {
        const msisdns = [...new Set(byCustomer.get(customerId)!.map(({ msisdn }) => msisdn))];
        const past = await loadPastMessages(tx, customerId, msisdns, nowMs - frequencyReachMs, depth);
        for (const [msisdn, messagesOf] of past) book.past.set(`${customerId}${msisdn}`, messagesOf);
      }
      const used = await loadVolumes(
        tx,
        volume.map(({ thresholdId, period }) => ({
          customerId,
          thresholdId,
          periodStartMs: volumePeriodStart(nowMs, period),
        })),
      );
      for (const [thresholdId, amount] of used) book.used.set(thresholdId, amount);
    }
    return book;
  }

  /** Decides on a message and, where it is allowed, counts it. */
  take(message: LimitedMessage): LimitVerdict {
    const limits = this.limits.get(message.customerId);
    if (limits === undefined) return allowed;
    const { nowMs } = this;
    const subject = { ...message, smsType: message.smsType as SmsType, atMs: nowMs };
    const key = `${message.customerId}${message.msisdn}`;
    const past = this.past.get(key) ?? [];
    const frequency = decideFrequency(limits.frequency, past, subject);
    if (!frequency.allowed) return refusal('frequency', frequency, nowMs);
    const volume = decideVolume(limits.volume, this.used, { ...subject, segments: message.pkgTotal });
    if (!volume.allowed) return refusal('volume', volume, nowMs);
    this.past.set(key, [...past, subject]);
    this.undo.push(() => this.past.set(key, past));
    for (const { thresholdId, period } of limits.volume) {
      const amount = volume.uses.get(thresholdId);
      if (amount === undefined) continue;
      this.use({
        customerId: message.customerId,
        thresholdId,
        periodStartMs: volumePeriodStart(nowMs, period),
        amount,
      });
      this.undo.push(() =>
        this.use({
          customerId: message.customerId,
          thresholdId,
          periodStartMs: volumePeriodStart(nowMs, period),
          amount: -amount,
        }),
      );
    }
    return allowed;
  }

  /** What was taken since the last `keep` stays. */
  keep(): void {
    this.undo = [];
  }

  /** What was taken since the last `keep` was not. */
  takeBack(): void {
    for (const undo of this.undo.reverse()) undo();
    this.undo = [];
  }

  async write(tx: PoolClient): Promise<void> {
    await addVolumes(
      tx,
      [...this.moves.values()].filter(({ amount }) => amount !== 0),
    );
  }

  private use(move: VolumeKey & { amount: number }): void {
    const before = this.moves.get(move.thresholdId)?.amount ?? 0;
    this.moves.set(move.thresholdId, { ...move, amount: before + move.amount });
    this.used.set(move.thresholdId, (this.used.get(move.thresholdId) ?? 0) + move.amount);
  }
}

const refusal = (
  by: 'frequency' | 'volume',
  verdict: { readonly thresholdId: string; readonly retryAtMs: number },
  nowMs: number,
): LimitVerdict => ({
  allowed: false,
  by,
  thresholdId: verdict.thresholdId,
  retryAfterMs: Math.max(1, verdict.retryAtMs - nowMs),
});
