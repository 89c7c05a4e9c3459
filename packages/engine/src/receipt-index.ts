/**
 * Maps a carrier's message ID to the message, in memory: most receipts arrive while it is still here. Conversely,
 * receipts that arrived before their response wait here, as they wait in the store.
 */
import type { Outgoing } from './outgoing.ts';
import type { CarrierReceipt } from './ports.ts';
import { RecentMap } from './recent-map.ts';

/** Maximum part IDs per link; the oldest are evicted, their receipts are found in the store. */
const REMEMBERED = 200_000;
/** Most ids that receipts without a message wait under. */
const WAITING = 100_000;
/** For one ID; a carrier that repeats a receipt over and over sends nothing new. */
const WAITING_EACH = 8;
/** No response comes so late: what has waited longer is the store's alone, which may have matched it elsewhere. */
const WAITING_MS = 10 * 60_000;

interface Sent {
  readonly outgoing: Outgoing;
  readonly part: number;
}

/** Ends of two numbers that must be alike: carriers write the same phone with or without its country. */
const SAME_DIGITS = 9;

const isSamePhone = (a: string, b: string): boolean => a.slice(-SAME_DIGITS) === b.slice(-SAME_DIGITS);

/** Whether one of a receipt's addresses is this phone: some carriers swap the two. */
export const namesPhone = (receipt: Pick<CarrierReceipt, 'msisdn' | 'clientSid'>, msisdn: string): boolean =>
  msisdn !== '' && (isSamePhone(receipt.msisdn, msisdn) || isSamePhone(receipt.clientSid, msisdn));

/**
 * Only IDs of the same MSISDN match here, so that an ID that wrapped does not match another recipient's message. A
 * receipt without an MSISDN is left to the store, which knows whether its ID is unique.
 */
export class ReceiptIndex {
  private readonly sent: RecentMap<Sent>;
  private readonly early: RecentMap<readonly CarrierReceipt[]>;
  private readonly waitingById: RecentMap<CarrierReceipt>;
  private agedMs = 0;

  constructor(remembered = REMEMBERED, waiting = WAITING) {
    this.sent = new RecentMap(remembered);
    this.early = new RecentMap(waiting);
    this.waitingById = new RecentMap(waiting);
  }

  /** Part IDs whose message is in memory. */
  get size(): number {
    return this.sent.size;
  }

  /** Ids that receipts wait under. */
  get waiting(): number {
    return this.early.size;
  }

  /** Ids wrap at carriers: the newest message of an id takes its place. */
  remember(carrierMessageId: string, outgoing: Outgoing, part: number): void {
    this.sent.set(carrierMessageId, { outgoing, part });
    outgoing.remembered.push(carrierMessageId);
  }

  find(receipt: CarrierReceipt): (Sent & { carrierMessageId: string }) | null {
    for (const carrierMessageId of receipt.candidates) {
      const found = this.sent.get(carrierMessageId);
      if (found !== undefined && namesPhone(receipt, found.outgoing.message.msisdn)) {
        return { ...found, carrierMessageId };
      }
    }
    return null;
  }

  /** By all the ids of its parts: one that stayed would hold the message, and its batch, in memory. */
  forget(outgoing: Outgoing): void {
    for (const id of outgoing.remembered) {
      if (this.sent.get(id)?.outgoing === outgoing) this.sent.delete(id);
    }
  }

  /** A receipt that matches no message here. */
  keepWaiting(receipt: CarrierReceipt): void {
    // Receipts that waited through two of these spans are dropped, full or not.
    if (receipt.receivedMs - this.agedMs > WAITING_MS) {
      this.early.age();
      this.waitingById.age();
      this.agedMs = receipt.receivedMs;
    }
    this.waitingById.set(receipt.receiptId, receipt);
    for (const candidate of receipt.candidates) {
      this.early.set(candidate, [...(this.early.get(candidate) ?? []), receipt].slice(-WAITING_EACH));
    }
  }

  /** Receipts that waited for this response, each once. */
  takeWaiting(carrierMessageId: string, msisdn: string): CarrierReceipt[] {
    const list = this.early.get(carrierMessageId);
    if (list === undefined) return [];
    const ours = list.filter((receipt) => namesPhone(receipt, msisdn));
    for (const receipt of ours) this.stopWaiting(receipt);
    return ours;
  }

  /** The store knows its message. */
  stopWaiting(receipt: CarrierReceipt): void {
    this.waitingById.delete(receipt.receiptId);
    for (const candidate of receipt.candidates) {
      const list = this.early.get(candidate);
      if (list === undefined) continue;
      const rest = list.filter((each) => each !== receipt);
      if (rest.length === 0) this.early.delete(candidate);
      else this.early.set(candidate, rest);
    }
  }

  /** The store found its message later. */
  forgetWaiting(receiptId: string): void {
    const receipt = this.waitingById.get(receiptId);
    if (receipt !== undefined) this.stopWaiting(receipt);
  }
}
