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
  type VolumeLimit,
  type VolumeVerdict,
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
  /** `notBeforeMs`: held until a volume's next period begins; null: at once. */
  | { readonly allowed: true; readonly notBeforeMs: number | null }
  | {
      readonly allowed: false;
      readonly by: 'frequency' | 'volume';
      readonly thresholdId: string;
      /** From now. */
      readonly retryAfterMs: number;
    };

/** Periods that a message may be put off by, at most; one that fits into none of them never will. */
const PERIODS_AHEAD = 1_000;

export class LimitBook {
  private readonly limits: ReadonlyMap<string, CustomerLimits>;
  private readonly nowMs: number;
  /** By customer and number. */
  private readonly past = new Map<string, PastMessage[]>();
  /** By limit and period. */
  private readonly used = new Map<string, number>();
  private readonly moves = new Map<string, VolumeKey & { amount: number }>();
  /** From when on the volumes have room, as far as is known, by customer and what limits look at. */
  private readonly room = new Map<string, number>();
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
      const since = volume.map((limit) => keyOf(customerId, limit, nowMs));
      for (const { used, ...key } of await loadVolumes(tx, since)) book.used.set(nameOf(key), used);
    }
    return book;
  }

  /** Decides on a message and, where it is allowed, counts it. `mayWait`: into a later period rather than not at all. */
  take(message: LimitedMessage, { mayWait = false }: { mayWait?: boolean } = {}): LimitVerdict {
    const limits = this.limits.get(message.customerId);
    if (limits === undefined) return { allowed: true, notBeforeMs: null };
    const { nowMs } = this;
    const candidate = { ...message, smsType: message.smsType as SmsType, atMs: nowMs };
    const key = `${message.customerId}${message.msisdn}`;
    const past = this.past.get(key) ?? [];
    const frequency = decideFrequency(limits.frequency, past, candidate);
    if (!frequency.allowed) return refusal('frequency', frequency, nowMs);
    const volume = this.fit(limits.volume, message, mayWait);
    if (!volume.allowed) return refusal('volume', volume, nowMs);
    this.past.set(key, [...past, candidate]);
    this.undo.push(() => this.past.set(key, past));
    for (const limit of limits.volume) {
      const amount = volume.uses.get(limit.thresholdId);
      if (amount === undefined) continue;
      const period = keyOf(message.customerId, limit, volume.atMs);
      this.use(period, amount);
      this.undo.push(() => this.use(period, -amount));
    }
    return { allowed: true, notBeforeMs: volume.atMs > nowMs ? volume.atMs : null };
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

  /** The first period that has room for it; this one alone where it may not wait. */
  private fit(
    limits: readonly VolumeLimit[],
    message: LimitedMessage,
    mayWait: boolean,
  ): VolumeVerdict & { atMs: number } {
    const subject = { ...message, smsType: message.smsType as SmsType, segments: message.pkgTotal };
    const kind = `${message.customerId}|${message.appId}|${message.smsType}|${message.areaCode}|${message.carrier ?? ''}`;
    let atMs = mayWait ? (this.room.get(kind) ?? this.nowMs) : this.nowMs;
    for (let tries = 0; ; tries += 1) {
      const used = new Map(
        limits.map((limit) => [limit.thresholdId, this.used.get(nameOf(keyOf(message.customerId, limit, atMs))) ?? 0]),
      );
      const verdict = decideVolume(limits, used, { ...subject, atMs });
      if (verdict.allowed && mayWait) this.room.set(kind, atMs);
      if (verdict.allowed || !mayWait || tries === PERIODS_AHEAD) return { ...verdict, atMs };
      atMs = verdict.retryAtMs;
    }
  }

  private use(key: VolumeKey, amount: number): void {
    const name = nameOf(key);
    this.moves.set(name, { ...key, amount: (this.moves.get(name)?.amount ?? 0) + amount });
    this.used.set(name, (this.used.get(name) ?? 0) + amount);
  }
}

const keyOf = (customerId: string, { thresholdId, period }: VolumeLimit, atMs: number): VolumeKey => ({
  customerId,
  thresholdId,
  periodStartMs: volumePeriodStart(atMs, period),
});

const nameOf = (key: Omit<VolumeKey, 'customerId'>): string => `${key.thresholdId}${key.periodStartMs}`;

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
