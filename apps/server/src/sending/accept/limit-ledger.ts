/**
 * The limits of the customers in one transaction, with their prior use and the use by this transaction. The caller
 * holds the lock on each customer's funds, so that no other process accepts for it meanwhile and the numbers are exact.
 * A call that is refused in the end takes back its use.
 */
import type { SmsType } from '@pahatid/contract';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import {
  addRefusals,
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
  frequencyLookbacks,
  frequencyReachMs,
  isInScope,
  type LimitScope,
  type LimitSubject,
  type PastMessage,
  sameContentReachMs,
  type VolumeLimit,
  type VolumeVerdict,
  volumePeriodStart,
} from '@pahatid/domain';
import type { PoolClient } from 'pg';

/** A message to accept from the HTTP API or the SMPP server. */
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
  /** `notBeforeMs`: held until a volume's next period begins; null: send immediately. */
  | { readonly allowed: true; readonly notBeforeMs: number | null }
  | {
      readonly allowed: false;
      readonly by: 'frequency' | 'volume';
      readonly thresholdId: string;
      /** From now. */
      readonly retryAfterMs: number;
    };

type ReadLimits = Awaited<ReturnType<typeof loadLimits>>;

/** Maximum periods by which a message may be delayed; one that fits into none of them never will. */
const PERIODS_AHEAD = 1_000;

export class LimitLedger {
  private readonly limits: ReadonlyMap<string, CustomerLimits>;
  private readonly nowMs: number;
  /** By customer and number. */
  private readonly past = new Map<string, PastMessage[]>();
  /** By limit and period. */
  private readonly used = new Map<string, number>();
  private readonly moves = new Map<string, VolumeKey & { amount: number }>();
  /** Messages refused or put off, by limit. */
  private readonly refused = new Map<string, { customerId: string; thresholdId: string; refused: number }>();
  /** From when on the volumes have room, as far as is known, by customer and what limits look at. */
  private readonly room = new Map<string, { atMs: number; putOffBy: string | null }>();
  /** Functions that revert the use by the current call. */
  private undo: (() => void)[] = [];

  private constructor(limits: ReadonlyMap<string, CustomerLimits>, nowMs: number) {
    this.limits = limits;
    this.nowMs = nowMs;
  }

  /**
   * `lock`: locks the funds of the customers that have limits on any of the messages, if the caller does not hold the
   * lock yet. `read`: what `loadLimits` returned for these customers, or more, under the lock.
   */
  static async load(
    tx: PoolClient,
    messages: readonly LimitedMessage[],
    { lock = false, read }: { lock?: boolean; read?: ReadLimits } = {},
  ): Promise<LimitLedger> {
    const byCustomer = Map.groupBy(messages, ({ customerId }) => customerId);
    const { limits: all, nowMs } = read ?? (await loadLimits(tx, [...byCustomer.keys()]));
    const limits = new Map<string, CustomerLimits>();
    for (const [customerId, of] of all) {
      const relevant = keepRelevant(of, byCustomer.get(customerId) ?? []);
      if (relevant !== null) limits.set(customerId, relevant);
    }
    const book = new LimitLedger(limits, nowMs);
    for (const [customerId, { frequency, volume }] of [...limits].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (lock) await lockCustomerFunds(tx, customerId);
      await book.readPast(tx, customerId, byCustomer.get(customerId)!, frequency);
      const since = volume.map((limit) => keyOf(customerId, limit, nowMs));
      for (const { used, ...key } of await loadVolumes(tx, since)) book.used.set(nameOf(key), used);
    }
    return book;
  }

  private async readPast(
    tx: PoolClient,
    customerId: string,
    messages: readonly LimitedMessage[],
    limits: CustomerLimits['frequency'],
  ): Promise<void> {
    const since = { sinceMs: this.nowMs - frequencyReachMs, sameTextSinceMs: this.nowMs - sameContentReachMs };
    const seen = new Set<string>();
    for (const lookback of frequencyLookbacks(limits)) {
      // Only those that the limits are about: a rule for codes costs a campaign nothing.
      const watched = messages.filter((each) => isInScope(lookback, { ...each, smsType: each.smsType as SmsType }));
      const msisdns = [...new Set(watched.map(({ msisdn }) => msisdn))];
      if (msisdns.length === 0) continue;
      for (const sent of await loadPastMessages(tx, customerId, msisdns, lookback, since)) {
        if (seen.has(sent.messageId)) continue;
        seen.add(sent.messageId);
        const key = `${customerId}${sent.msisdn}`;
        const past = this.past.get(key);
        if (past === undefined) this.past.set(key, [sent]);
        else past.push(sent);
      }
    }
  }

  /**
   * Decides on a message and, if it is allowed, counts it. `mayWait`: it is a task's, and delayed to a later period
   * instead of refused.
   */
  take(message: LimitedMessage, { mayWait = false }: { mayWait?: boolean } = {}): LimitVerdict {
    const limits = this.limits.get(message.customerId);
    if (limits === undefined) return { allowed: true, notBeforeMs: null };
    const { nowMs } = this;
    const candidate = { ...message, smsType: message.smsType as SmsType, atMs: nowMs };
    const key = `${message.customerId}${message.msisdn}`;
    const past = this.past.get(key) ?? [];
    const frequency = decideFrequency(limits.frequency, past, candidate);
    if (!frequency.allowed) return this.refuse('frequency', message.customerId, frequency);
    const volumes = mayWait ? ofTasks(limits.volume) : limits.volume;
    const volume = this.fit(volumes, message, mayWait);
    if (!volume.allowed) return this.refuse('volume', message.customerId, volume);
    if (volume.putOffBy !== null) this.countRefusal(message.customerId, volume.putOffBy);
    this.past.set(key, [...past, candidate]);
    this.undo.push(() => this.past.set(key, past));
    for (const limit of volumes) {
      const amount = volume.uses.get(limit.thresholdId);
      if (amount === undefined) continue;
      const period = keyOf(message.customerId, limit, volume.atMs);
      this.use(period, amount);
      this.undo.push(() => this.use(period, -amount));
    }
    return { allowed: true, notBeforeMs: volume.atMs > nowMs ? volume.atMs : null };
  }

  /** Keeps everything taken since the last `keep`. */
  keep(): void {
    this.undo = [];
  }

  /** Reverts everything taken since the last `keep`. */
  takeBack(): void {
    for (const undo of this.undo.reverse()) undo();
    this.undo = [];
  }

  async write(tx: PoolClient): Promise<void> {
    await addVolumes(
      tx,
      [...this.moves.values()].filter(({ amount }) => amount !== 0),
    );
    await addRefusals(tx, [...this.refused.values()]);
  }

  /**
   * Releases a message waiting for a later period if the current limits have room for it; its use of the later period
   * is returned. Returns false if it must keep waiting.
   */
  bringForward(message: LimitedMessage, fromMs: number): boolean {
    const volumes = ofTasks(this.limits.get(message.customerId)?.volume ?? []);
    const verdict = this.fit(volumes, message, false);
    if (!verdict.allowed) return false;
    const subject = { ...message, smsType: message.smsType as SmsType, segments: message.pkgTotal, atMs: fromMs };
    const counted = decideVolume(unlimited(volumes), new Map(), subject);
    for (const limit of volumes) {
      const amount = counted.allowed ? counted.uses.get(limit.thresholdId) : undefined;
      if (amount === undefined) continue;
      this.use(keyOf(message.customerId, limit, fromMs), -amount);
      this.use(keyOf(message.customerId, limit, this.nowMs), amount);
    }
    return true;
  }

  private refuse(
    by: 'frequency' | 'volume',
    customerId: string,
    verdict: { readonly thresholdId: string; readonly retryAtMs: number },
  ): LimitVerdict {
    this.countRefusal(customerId, verdict.thresholdId);
    return {
      allowed: false,
      by,
      thresholdId: verdict.thresholdId,
      retryAfterMs: Math.max(1, verdict.retryAtMs - this.nowMs),
    };
  }

  private countRefusal(customerId: string, thresholdId: string): void {
    const refused = (this.refused.get(thresholdId)?.refused ?? 0) + 1;
    this.refused.set(thresholdId, { customerId, thresholdId, refused });
  }

  /** Returns the first period with room for it; checks only the current one if it may not wait. */
  private fit(
    limits: readonly VolumeLimit[],
    message: LimitedMessage,
    mayWait: boolean,
  ): VolumeVerdict & { atMs: number; putOffBy: string | null } {
    const subject = { ...message, smsType: message.smsType as SmsType, segments: message.pkgTotal };
    const kind = `${message.customerId}|${message.appId}|${message.smsType}|${message.areaCode}|${message.carrier ?? ''}`;
    const known = mayWait ? this.room.get(kind) : undefined;
    let atMs = known?.atMs ?? this.nowMs;
    let putOffBy = known?.putOffBy ?? null;
    for (let tries = 0; ; tries += 1) {
      const used = new Map(
        limits.map((limit) => [limit.thresholdId, this.used.get(nameOf(keyOf(message.customerId, limit, atMs))) ?? 0]),
      );
      const verdict = decideVolume(limits, used, { ...subject, atMs });
      if (verdict.allowed && mayWait) this.room.set(kind, { atMs, putOffBy });
      if (verdict.allowed || !mayWait || tries === PERIODS_AHEAD) return { ...verdict, atMs, putOffBy };
      putOffBy ??= verdict.thresholdId;
      atMs = verdict.retryAtMs;
    }
  }

  private use(key: VolumeKey, amount: number): void {
    const name = nameOf(key);
    this.moves.set(name, { ...key, amount: (this.moves.get(name)?.amount ?? 0) + amount });
    this.used.set(name, (this.used.get(name) ?? 0) + amount);
  }
}

/** Returns the limits that are about any of the messages; null if there is none: a rule for codes holds up no campaign. */
function keepRelevant(limits: CustomerLimits, messages: readonly LimitedMessage[]): CustomerLimits | null {
  const kinds = new Map<string, LimitSubject>();
  for (const { appId, smsType, areaCode, carrier } of messages)
    kinds.set(`${appId}|${smsType}|${areaCode}|${carrier ?? ''}`, {
      appId,
      smsType: smsType as SmsType,
      areaCode,
      carrier,
    });
  const isRelevant = (scope: LimitScope): boolean => [...kinds.values()].some((kind) => isInScope(scope, kind));
  const [frequency, volume] = [limits.frequency.filter(isRelevant), limits.volume.filter(isRelevant)];
  return frequency.length + volume.length === 0 ? null : { frequency, volume };
}

const keyOf = (customerId: string, { thresholdId, period }: VolumeLimit, atMs: number): VolumeKey => ({
  customerId,
  thresholdId,
  periodStartMs: volumePeriodStart(atMs, period),
});

const nameOf = (key: Omit<VolumeKey, 'customerId'>): string => `${key.thresholdId}${key.periodStartMs}`;

const ofTasks = (limits: readonly VolumeLimit[]): readonly VolumeLimit[] => limits.filter(({ apiOnly }) => !apiOnly);

/** Returns the same limits, never full: to compute what a message counts for. */
const unlimited = (limits: readonly VolumeLimit[]): VolumeLimit[] =>
  limits.map((limit) => ({ ...limit, limitAt: Number.POSITIVE_INFINITY }));
