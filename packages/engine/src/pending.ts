/**
 * What the next flushes must make durable: outcomes, receipts, texts, and the acknowledgements that depend on them. One
 * flush takes one page, bounded in rows and bytes; additions while a page is full begin the next. Pages are committed
 * in order, so an acknowledgement in one is due when everything before it is committed.
 */
import type { Clock } from './clock.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { Outgoing } from './outgoing.ts';
import type { CarrierReceipt, Change, ClaimedBatch, Flush, InboundText, LoadedMessage } from './ports.ts';

export interface TakenPending {
  readonly said: Omit<Flush, 'marks'>;
  /** To be called once all of it is committed. */
  readonly acknowledge: readonly (() => void)[];
}

/** Maximum length of a part's ID on the wire. */
const ROUTE_BYTES = 65;

class Page {
  readonly dirty = new Set<Outgoing>();
  readonly receipts = new Set<CarrierReceipt>();
  readonly inbound: InboundText[] = [];
  readonly acknowledge: (() => void)[] = [];
  /** Of what carriers wrote, about: the rest of a row has a length that is known. */
  bytes = 0;

  get rows(): number {
    return this.dirty.size + this.receipts.size + this.inbound.length;
  }
}

export class Pending {
  /** When the first of it came, monotonic milliseconds; 0: nothing did. */
  since = 0;
  private readonly clock: Clock;
  private readonly limits: Pick<EngineSettings, 'flushRows' | 'flushBytes'>;
  /** In order; the last one takes what comes. */
  private pages: Page[] = [new Page()];
  private resent: { batch: ClaimedBatch; message: LoadedMessage }[] = [];
  private matched: CarrierReceipt[] = [];

  constructor(clock: Clock, limits: Pick<EngineSettings, 'flushRows' | 'flushBytes'>) {
    this.clock = clock;
    this.limits = limits;
  }

  /** Results, receipts and marks that no flush has taken. */
  get size(): number {
    let size = this.resent.length + this.matched.length + (this.since === 0 ? 0 : 1);
    for (const { dirty, acknowledge } of this.pages) size += dirty.size + acknowledge.length;
    return size;
  }

  get isEmpty(): boolean {
    return this.size === 0 && this.pages.every(({ receipts }) => receipts.size === 0);
  }

  /** Messages whose row must change. */
  get changed(): number {
    return this.pages.reduce((sum, { dirty }) => sum + dirty.size, 0);
  }

  /** More than one flush takes. */
  get isLong(): boolean {
    return this.pages.length > 1;
  }

  /** Batches with results that the flush taken last has not. */
  get batchesLeft(): ReadonlySet<bigint> {
    const left = new Set<bigint>();
    for (const { dirty } of this.pages) for (const { batch } of dirty) left.add(batch.claimed.batchId);
    return left;
  }

  note(): void {
    if (this.since === 0) this.since = this.clock.now();
  }

  /** The row of this message must change. */
  touch(outgoing: Outgoing): void {
    const page = this.pages.find(({ dirty }) => dirty.has(outgoing)) ?? this.open();
    page.dirty.add(outgoing);
    page.bytes += outgoing.routes.length * ROUTE_BYTES + (outgoing.carrierCode?.length ?? 0);
    this.note();
  }

  addResent(batch: ClaimedBatch, message: LoadedMessage): void {
    this.resent.push({ batch, message });
  }

  /** Its acknowledgement is due once the flush has committed. */
  answer(acknowledge: () => void): void {
    this.last.acknowledge.push(acknowledge);
  }

  /** For the store: its message is not in memory. */
  addReceipt(receipt: CarrierReceipt): void {
    const page = this.open();
    page.receipts.add(receipt);
    page.bytes += receipt.candidates.join('').length + (receipt.carrierCode?.length ?? 0);
  }

  addInbound(text: InboundText, acknowledge: () => void): void {
    const page = this.open();
    page.inbound.push(text);
    // UTF-8 takes at most three bytes for a unit of UTF-16.
    page.bytes += text.content.length * 3;
    page.acknowledge.push(acknowledge);
    this.note();
  }

  /** The first page. */
  take(): TakenPending {
    const page = this.pages.shift()!;
    const changes: Change[] = [];
    const receipts = [page, ...this.pages].map((each) => each.receipts);
    for (const outgoing of page.dirty) {
      changes.push(outgoing.takeChange());
      if (outgoing.acknowledge.length > 0) page.acknowledge.push(...outgoing.acknowledge.splice(0));
      if (outgoing.early.length > 0)
        for (const receipt of outgoing.early.splice(0)) {
          // The change includes the receipt's content. If an earlier flush has taken the receipt, the store need not
          // keep it any longer.
          if (!receipts.some((each) => each.delete(receipt))) this.matched.push(receipt);
        }
    }
    const { resent, matched: matchedReceipts } = this;
    this.resent = [];
    this.matched = [];
    if (this.pages.length === 0) {
      this.pages.push(new Page());
      this.since = 0;
    }
    const { inbound, acknowledge } = page;
    return { said: { changes, resent, receipts: [...page.receipts], matchedReceipts, inbound }, acknowledge };
  }

  private get last(): Page {
    return this.pages.at(-1)!;
  }

  private open(): Page {
    const { flushRows, flushBytes } = this.limits;
    if (this.last.rows >= flushRows || this.last.bytes >= flushBytes) this.pages.push(new Page());
    return this.last;
  }
}
