/** What the next flush is to make durable: outcomes, receipts, texts, and whom it lets answer. */
import type { Clock } from './clock.ts';
import type { Outgoing } from './outgoing.ts';
import type { CarrierReceipt, Change, ClaimedBatch, Flush, InboundText, LoadedMessage } from './ports.ts';

export interface TakenPending {
  readonly said: Omit<Flush, 'marks'>;
  /** To be called once all of it is committed. */
  readonly acknowledge: readonly (() => void)[];
}

export class Pending {
  /** When the first of it came, monotonic milliseconds; 0: nothing did. */
  since = 0;
  private readonly clock: Clock;
  private readonly dirty = new Set<Outgoing>();
  private resent: { batch: ClaimedBatch; message: LoadedMessage }[] = [];
  private receipts = new Set<CarrierReceipt>();
  private matched: CarrierReceipt[] = [];
  private inbound: InboundText[] = [];
  private acknowledge: (() => void)[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Results, receipts and marks that no flush has taken. */
  get size(): number {
    return (
      this.dirty.size + this.acknowledge.length + this.resent.length + this.matched.length + (this.since === 0 ? 0 : 1)
    );
  }

  get isEmpty(): boolean {
    return this.size === 0 && this.receipts.size === 0;
  }

  /** Messages whose row is to change. */
  get changed(): number {
    return this.dirty.size;
  }

  note(): void {
    if (this.since === 0) this.since = this.clock.now();
  }

  /** The row of this message is to change. */
  touch(outgoing: Outgoing): void {
    this.dirty.add(outgoing);
    this.note();
  }

  addResent(batch: ClaimedBatch, message: LoadedMessage): void {
    this.resent.push({ batch, message });
  }

  /** Its answer is due once the flush has committed. */
  answer(acknowledge: () => void): void {
    this.acknowledge.push(acknowledge);
  }

  /** For the store: nobody here knows its message. */
  addReceipt(receipt: CarrierReceipt): void {
    this.receipts.add(receipt);
  }

  addInbound(text: InboundText, acknowledge: () => void): void {
    this.inbound.push(text);
    this.acknowledge.push(acknowledge);
    this.note();
  }

  take(): TakenPending {
    const changes: Change[] = [];
    for (const outgoing of this.dirty) {
      changes.push(outgoing.takeChange());
      if (outgoing.acknowledge.length > 0) this.acknowledge.push(...outgoing.acknowledge.splice(0));
      if (outgoing.early.length > 0) for (const receipt of outgoing.early.splice(0)) this.noteMatched(receipt);
    }
    this.dirty.clear();
    const { resent, matched: matchedReceipts, inbound, acknowledge } = this;
    const receipts = [...this.receipts];
    this.resent = [];
    this.receipts.clear();
    this.matched = [];
    this.inbound = [];
    this.acknowledge = [];
    this.since = 0;
    return { said: { changes, resent, receipts, matchedReceipts, inbound }, acknowledge };
  }

  /** The change says what it said. Where an earlier flush has taken the receipt, the store is told to keep it no longer. */
  private noteMatched(receipt: CarrierReceipt): void {
    if (!this.receipts.delete(receipt)) this.matched.push(receipt);
  }
}
