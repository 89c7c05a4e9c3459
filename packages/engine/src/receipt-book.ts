/**
 * From a carrier's message id to the message, in memory: most receipts come while it is still here. And the other way
 * about: receipts that came before their response wait here, as they wait in the store.
 */
import type { Outgoing } from './outgoing.ts';
import type { CarrierReceipt } from './ports.ts';

/** Messages remembered per link; the oldest give way, their receipts are found in the store. */
const REMEMBERED = 200_000;
const WAITING = 100_000;

interface Sent {
  readonly outgoing: Outgoing;
  readonly part: number;
}

/** Ends of two numbers that must be alike: carriers write the same phone with or without its country. */
const SAME_DIGITS = 9;

export const isSamePhone = (a: string, b: string): boolean => a.slice(-SAME_DIGITS) === b.slice(-SAME_DIGITS);

export class ReceiptBook {
  private readonly sent = new Map<string, Sent>();
  private readonly early = new Map<string, CarrierReceipt[]>();

  get size(): number {
    return this.sent.size;
  }

  /** Ids wrap at carriers: the newest message of an id takes its place. */
  remember(carrierMessageId: string, outgoing: Outgoing, part: number): void {
    this.sent.delete(carrierMessageId);
    this.sent.set(carrierMessageId, { outgoing, part });
    outgoing.remembered.push(carrierMessageId);
    if (this.sent.size > REMEMBERED) this.forgetOldest(this.sent);
  }

  find(receipt: CarrierReceipt): (Sent & { carrierMessageId: string }) | null {
    for (const carrierMessageId of receipt.candidates) {
      const found = this.sent.get(carrierMessageId);
      if (found !== undefined && isSamePhone(found.outgoing.message.msisdn, receipt.msisdn)) {
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
    for (const candidate of receipt.candidates) {
      const list = this.early.get(candidate);
      if (list === undefined) this.early.set(candidate, [receipt]);
      else list.push(receipt);
    }
    if (this.early.size > WAITING) this.forgetOldest(this.early);
  }

  /** Receipts that waited for this response, each once. */
  takeWaiting(carrierMessageId: string, msisdn: string): CarrierReceipt[] {
    if (this.early.size === 0) return [];
    const list = this.early.get(carrierMessageId);
    if (list === undefined) return [];
    const ours = list.filter((receipt) => isSamePhone(receipt.msisdn, msisdn));
    for (const receipt of ours) this.stopWaiting(receipt);
    return ours;
  }

  /** The store knows its message. */
  stopWaiting(receipt: CarrierReceipt): void {
    for (const candidate of receipt.candidates) {
      const rest = this.early.get(candidate)?.filter((each) => each !== receipt) ?? [];
      if (rest.length === 0) this.early.delete(candidate);
      else this.early.set(candidate, rest);
    }
  }

  private forgetOldest(map: Map<string, unknown>): void {
    for (const key of map.keys()) {
      map.delete(key);
      return;
    }
  }
}
