/**
 * One claimed batch. Messages are granted in order of position, so the intent mark is a prefix: messages below it may
 * be at the carrier. Messages that the carrier did not take, or that were granted and never written, are below the mark
 * too and are listed one by one as *not taken*. So at any instant, in the database:
 *
 *   in doubt after a crash = below the mark − rows with an outcome − not taken
 */
import { Outgoing, type OutgoingBatch } from './outgoing.ts';
import type { BatchMark, ClaimedBatch } from './ports.ts';

export class BatchProgress implements OutgoingBatch {
  readonly claimed: ClaimedBatch;
  /** Monotonic milliseconds: beyond it nothing of this batch is written, because another process may own it. */
  leaseUntil: number;
  /** Monotonic milliseconds: from then on no message of it is begun. Infinity: without end. */
  readonly validUntil: number;
  /** Recipients that opted out: their messages end unsent, with the first flush. */
  readonly blocked: readonly Outgoing[];
  /** Every position below it was granted, has an outcome, or is returned. */
  private mark: number;
  /** Never granted, the next one last: granted messages leave memory with their receipts. */
  private readonly fresh: Outgoing[] = [];
  /** By position: below the mark and not at the carrier. */
  private readonly returned = new Map<number, Outgoing>();
  /** Those of them that wait for their time: no scan of what may go now meets them. */
  private readonly later = new Map<number, Outgoing>();
  /** When the first of those is due. */
  private laterDue = Number.POSITIVE_INFINITY;
  /** Returned messages that may be sent, in order of position; null after one was added. */
  private ordered: Outgoing[] | null = null;
  /** Granted and without an outcome. */
  private open = 0;
  /** Without an outcome. */
  private unsettled = 0;
  private isClosing = false;
  private isLost = false;
  private changed = false;
  /** By position: below the mark, ended unsent, and in no flush that was taken. */
  private readonly ended = new Set<number>();
  /** As committed: positions below the mark may be at the carrier, but for those not taken. */
  private stored: Pick<BatchMark, 'mark' | 'notTaken'>;
  /** Its commit is under way. */
  private storing: BatchMark | null = null;

  constructor(claimed: ClaimedBatch, leaseUntil: number, validUntil = Number.POSITIVE_INFINITY) {
    // Its messages are in the queue: a list of them here would keep those that are done.
    this.claimed = { ...claimed, messages: [] };
    this.leaseUntil = leaseUntil;
    this.validUntil = validUntil;
    this.mark = claimed.intentMark;
    const blocked: Outgoing[] = [];
    for (const message of claimed.messages) {
      const outgoing = new Outgoing(this, message);
      if (message.optedOut) blocked.push(outgoing);
      else if (message.position < this.mark) this.returned.set(message.position, outgoing);
      else this.fresh.push(outgoing);
    }
    this.fresh.reverse();
    this.blocked = blocked;
    this.stored = { mark: this.mark, notTaken: [...this.returned.keys()] };
    this.unsettled = this.queued;
    this.changed = blocked.length > 0;
  }

  /** Messages that could be granted. */
  get queued(): number {
    return this.fresh.length + this.returned.size;
  }

  /** Nothing was granted of it here, and no mark of it is stored or waits to be. */
  get isFresh(): boolean {
    return !this.changed && this.open === 0 && this.mark === this.claimed.intentMark;
  }

  /** Messages that the carrier did not take, and that wait for their time. */
  get delayed(): number {
    return this.later.size;
  }

  /** Some messages were refused or ended sessions: that they did is known only here. */
  get hasRefused(): boolean {
    const isRefused = ({ tries, lostSessions }: Outgoing): boolean => tries + lostSessions > 0;
    return [...this.returned.values(), ...this.later.values()].some(isRefused);
  }

  get closing(): boolean {
    return this.isClosing;
  }

  get lost(): boolean {
    return this.isLost;
  }

  /** Grants nothing more; once nothing is open, the rest is released. */
  close(): void {
    this.isClosing = true;
  }

  /** Another process owns it: nothing more may be stored for it except the outcomes of written messages. */
  lose(): void {
    this.isLost = true;
  }

  /**
   * Returns the next message to grant, or null: the first returned one that is due, else the first never granted. None
   * while a mark is being stored, because the mark that would include it could not be stored yet.
   */
  peek(now: number): Outgoing | null {
    if (this.isClosing || this.isLost || this.storing !== null) return null;
    if (this.laterDue <= now) this.takeDue(now);
    if (this.returned.size > 0) {
      this.ordered ??= [...this.returned.values()].sort((a, b) => a.message.position - b.message.position);
      for (const outgoing of this.ordered) if (this.returned.has(outgoing.message.position)) return outgoing;
    }
    return this.fresh.at(-1) ?? null;
  }

  private takeDue(now: number): void {
    this.laterDue = Number.POSITIVE_INFINITY;
    for (const [position, outgoing] of this.later) {
      if (outgoing.notBefore > now) {
        this.laterDue = Math.min(this.laterDue, outgoing.notBefore);
        continue;
      }
      this.later.delete(position);
      this.returned.set(position, outgoing);
      this.ordered = null;
    }
  }

  /** Whether a message before this one was returned and may be sent now: it goes first. */
  hasEarlier(outgoing: Outgoing, now: number): boolean {
    const { position } = outgoing.message;
    const isEarlier = (each: Outgoing): boolean => each.message.position < position && each.notBefore <= now;
    return [...this.returned.values(), ...this.later.values()].some(isEarlier);
  }

  /** When something returned may be granted again; null when nothing waits for its time. */
  nextDue(now: number): number | null {
    if (this.isClosing || this.isLost) return null;
    return this.laterDue > now && this.later.size > 0 ? this.laterDue : null;
  }

  /** Takes what `peek` answered out of the queue: the next mark lies past it. */
  grant(outgoing: Outgoing): void {
    const { position } = outgoing.message;
    if (this.returned.delete(position)) {
      if (this.ordered?.[0] === outgoing) this.ordered.shift();
    } else {
      this.fresh.pop();
      this.mark = position + 1;
    }
    this.open += 1;
    this.changed = true;
  }

  /** A granted message is not at the carrier: back to the queue, and to the list of messages not taken. */
  giveBack(outgoing: Outgoing): void {
    this.later.set(outgoing.message.position, outgoing);
    this.laterDue = Math.min(this.laterDue, outgoing.notBefore);
    this.open -= 1;
    this.changed = true;
  }

  /** A granted message has its outcome. */
  settle(): void {
    this.open -= 1;
    this.unsettled -= 1;
    this.changed = true;
  }

  /**
   * Removes and returns all that could be granted, now or later: the caller ends it unsent. Until a flush has taken their
   * outcomes, those below the mark stay in the list of messages not taken.
   */
  takeQueued(): Outgoing[] {
    const taken = [...this.returned.values(), ...this.later.values()];
    for (const { message } of taken) this.ended.add(message.position);
    taken.push(...this.fresh);
    this.returned.clear();
    this.later.clear();
    this.fresh.length = 0;
    this.ordered = null;
    this.laterDue = Number.POSITIVE_INFINITY;
    this.unsettled -= taken.length;
    if (taken.length > 0) this.changed = true;
    return taken;
  }

  /**
   * Returns what the next flush must store for this batch; null if nothing changed, or while another mark of it is being
   * stored. `mayEnd`: no result of it waits for
   * a later flush, which an ended batch must not have: other processes would resend messages without a result.
   */
  takeMark(mayEnd: boolean): BatchMark | null {
    const end = mayEnd ? this.end : null;
    if (this.isLost || this.storing !== null || (!this.changed && end === null)) return null;
    this.changed = false;
    if (mayEnd) this.ended.clear();
    const notTaken = [...this.returned.keys(), ...this.later.keys(), ...this.ended];
    // Outcomes alone move no mark: most batches in a flush have nothing else.
    if (end === null && this.mark === this.stored.mark && isSameList(notTaken, this.stored.notTaken)) return null;
    this.storing = { batch: this.claimed, mark: this.mark, notTaken, end };
    return this.storing;
  }

  /** The flush with its mark has ended. `isStored`: its mark is stored; null: that is not known. */
  noteStored(isStored: boolean | null): void {
    if (this.storing === null) return;
    const { mark, notTaken } = this.stored;
    if (isStored === true) this.stored = this.storing;
    // What either of the two lists may have been sent by another process.
    if (isStored === null) this.stored = { mark, notTaken: [...notTaken, ...this.storing.notTaken] };
    this.storing = null;
  }

  /**
   * Of a lost batch: removes and returns messages that are in doubt for the process that has it, because their intent was
   * committed here, and that are not at the carrier. While a mark is being stored it is not known which they are: none.
   */
  takeUnsent(): Outgoing[] {
    if (!this.isLost || this.storing !== null) return [];
    const isKnown = new Set(this.stored.notTaken);
    const unsent: Outgoing[] = [];
    for (const waiting of [this.returned, this.later])
      for (const [position, outgoing] of waiting) {
        if (position >= this.stored.mark || isKnown.has(position)) continue;
        waiting.delete(position);
        unsent.push(outgoing);
      }
    return unsent;
  }

  private get end(): BatchMark['end'] {
    if (this.unsettled === 0) return 'done';
    return this.isClosing && this.open === 0 ? 'release' : null;
  }
}

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);
