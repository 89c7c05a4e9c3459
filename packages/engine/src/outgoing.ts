/**
 * One message being sent. `queued` in its batch → `ready` (its intent is committed) → `sent` → `settled`; back to
 * `queued` if the carrier did not take it; `doubt` if no response arrived.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import type { SubmitClass } from '@pahatid/domain';
import type { CarrierReceipt, Change, ClaimedBatch, LoadedMessage, PartRoute, RowState } from './ports.ts';

export type Phase = 'queued' | 'ready' | 'sent' | 'settled' | 'doubt';

/** Batch data that a message needs. */
export interface OutgoingBatch {
  readonly claimed: ClaimedBatch;
  readonly leaseUntil: number;
  readonly validUntil: number;
  readonly closing: boolean;
  readonly lost: boolean;
  settle(): void;
  giveBack(outgoing: Outgoing): void;
  hasEarlier(outgoing: Outgoing, now: number): boolean;
}

/** A response by which a part was not taken. */
export interface Refusal {
  readonly part: number;
  readonly status: number;
  readonly class: SubmitClass;
  readonly dealResult: string;
}

export class Outgoing {
  readonly batch: OutgoingBatch;
  readonly message: LoadedMessage;
  phase: Phase = 'queued';
  /** Parts on this link; known once it is granted. */
  parts = 1;
  /** Next part to be written for the first time, from 1. */
  nextPart = 1;
  /** Parts that were not taken while others were: must be written again. */
  readonly again: number[] = [];
  /** What the carrier refused of this sending, the first first. */
  refused: Refusal[] = [];
  /** Parts written and not answered. */
  awaited = 0;
  accepted = 0;
  /** Incremented with each attempt from the start, so that a response to an earlier one is distinguishable. */
  attempt = 0;
  /** Sendings that ended in a temporary refusal of any of its parts. */
  tries = 0;
  /** Sessions that ended over it. */
  lostSessions = 0;
  /** Sendings refused while the account refused everything: those are no tries. */
  putOffs = 0;
  /** Sendings that were throttled. */
  throttles = 0;
  /** Sendings that met a full queue. */
  fullQueues = 0;
  /** Not sent again before this instant, monotonic milliseconds. */
  notBefore = 0;
  /** The row as it is, or will be when the flush in progress commits. */
  row: RowState = WAITING;
  /** State according to the responses to the request. */
  request: RowState = WAITING;
  /** State according to receipts. */
  receipt: ClientStatus | null = null;
  dealResult: string | null = null;
  carrierCode: string | null = null;
  /** When a part of it was last written. */
  submittedMs: number | null = null;
  answeredMs: number | null = null;
  reportMs: number | null = null;
  partsDelivered = 0;
  /** Those of them that the row has. */
  rowParts = 0;
  /** Receipts that are acknowledged once the next change is committed. */
  acknowledge: (() => void)[] = [];
  /** Receipts that came before their response: the store keeps them waiting until the next change is committed. */
  early: CarrierReceipt[] = [];
  /** Ids by which its receipts are looked for in memory. */
  readonly remembered: string[] = [];
  /** Ids of parts that no flush has taken yet. */
  routes: PartRoute[] = [];

  constructor(batch: OutgoingBatch, message: LoadedMessage) {
    this.batch = batch;
    this.message = message;
  }

  /** State that the row must have. */
  get wanted(): RowState {
    // A final receipt proves that the carrier has it, even if the response never arrived.
    if (this.receipt === null || this.request.sendStatus === SendStatus.Failed) return this.request;
    return { sendStatus: SendStatus.Successful, clientStatus: this.receipt };
  }

  /** Parts still to be written. */
  get hasPartsLeft(): boolean {
    return this.again.length > 0 || this.nextPart <= this.parts;
  }

  /** The next part to write; there is one. */
  takePart(): number {
    const part = this.again.shift();
    if (part !== undefined) return part;
    this.nextPart += 1;
    return this.nextPart - 1;
  }

  /** All that the next flush writes; the row counts as changed from here on. */
  takeChange(): Change {
    const after = this.wanted;
    const change: Change = {
      batch: this.batch.claimed,
      message: this.message,
      before: this.row,
      after,
      dealResult: this.dealResult,
      carrierCode: this.carrierCode,
      submittedMs: this.submittedMs,
      answeredMs: this.answeredMs,
      reportMs: this.reportMs,
      partsBefore: this.rowParts,
      partsDelivered: this.partsDelivered,
      routes: this.routes,
    };
    this.row = after;
    this.rowParts = this.partsDelivered;
    this.routes = [];
    return change;
  }

  /** Back to the start: nothing of it is at the carrier. */
  requeue(notBefore: number): void {
    this.phase = 'queued';
    this.nextPart = 1;
    this.again.length = 0;
    this.awaited = 0;
    this.accepted = 0;
    this.endSending(notBefore);
  }

  /** The refused parts must be written again; the others are at the carrier. */
  tryRest(notBefore: number): void {
    this.again.push(...this.refused.map(({ part }) => part));
    this.endSending(notBefore);
  }

  private endSending(notBefore: number): void {
    this.refused = [];
    this.notBefore = notBefore;
  }
}

/** Whether no part of it was ever written. */
export const isUntouched = (outgoing: Outgoing): boolean => outgoing.accepted === 0 && outgoing.nextPart === 1;

const WAITING: RowState = { sendStatus: SendStatus.Waiting, clientStatus: ClientStatus.Accepted };
export const IN_DOUBT: RowState = { sendStatus: SendStatus.Sending, clientStatus: ClientStatus.Accepted };
export const SUBMITTED: RowState = { sendStatus: SendStatus.Successful, clientStatus: ClientStatus.Submitted };
export const REFUSED: RowState = { sendStatus: SendStatus.Failed, clientStatus: ClientStatus.Rejected };
export const BLOCKED: RowState = { sendStatus: SendStatus.Failed, clientStatus: ClientStatus.Blocked };
