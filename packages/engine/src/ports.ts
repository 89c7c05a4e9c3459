/**
 * What the engine needs of the world: a store that commits and a link to each supplier account. Everything durable is
 * behind `SendStore`, everything on the wire behind `CarrierLink`.
 */
import type { ChargeType, ClientStatus, DoubtPolicy, SendStatus, SmsType } from '@pahatid/contract';
import type { SubmitClass } from '@pahatid/domain';

/** Where a message is counted in the statistics; one object is shared by all messages with the same key. */
export interface RollupKey {
  readonly customerId: string;
  readonly minuteMs: number;
  readonly appId: string;
  readonly areaCode: string;
  readonly carrier: string;
  readonly clientSid: string;
  readonly smsType: number;
  readonly routeId: string;
}

export interface LoadedMessage {
  /** Place in its batch: message id less batch id. */
  readonly position: number;
  readonly msisdn: string;
  readonly content: string;
  /** Segments, as charged. */
  readonly pkgTotal: number;
  /** 1/10,000 PHP a segment. */
  readonly price: number;
  readonly chargeType: ChargeType;
  readonly key: RollupKey;
  /** Template it is also counted under; null if software sent it without a template, or a task did. */
  readonly templateId: string | null;
  /** The recipient refused to get messages of this customer: ends unsent. */
  readonly optedOut: boolean;
}

export interface ClaimedBatch {
  readonly batchId: bigint;
  readonly customerId: string;
  readonly taskId: string | null;
  readonly appId: string;
  readonly lane: SmsType;
  readonly supplierId: string;
  readonly messageCount: number;
  readonly intentMark: number;
  readonly doubtPolicy: DoubtPolicy;
  /** How long its messages may still be sent, milliseconds from the claim, 0 or less: no more; null: without end. */
  readonly validForMs: number | null;
  /** Those without an outcome, in order of position; below the mark they were not taken and are sent again. */
  readonly messages: readonly LoadedMessage[];
}

/** The two stages of a message as its row has them. */
export interface RowState {
  readonly sendStatus: SendStatus;
  readonly clientStatus: ClientStatus;
}

/** The carrier's id of a part. */
export interface PartRoute {
  /** As receipts are looked for. */
  readonly carrierMessageId: string;
  readonly part: number;
  /** As the carrier wrote it; only if the carrier may be asked about the part. */
  readonly issuedId?: string | undefined;
}

/** The new state of a row; written only if the row still matches `before`, else merged under a lock. */
export interface Change {
  readonly batch: ClaimedBatch;
  readonly message: LoadedMessage;
  readonly before: RowState;
  readonly after: RowState;
  readonly dealResult: string | null;
  readonly carrierCode: string | null;
  /** Unix milliseconds. */
  readonly submittedMs: number | null;
  readonly answeredMs: number | null;
  readonly reportMs: number | null;
  /** Delivered parts, as expected in the row, and as they must be stored: bit n - 1 for part n. */
  readonly partsBefore: number;
  readonly partsDelivered: number;
  /** The carrier's ids of parts, not stored before. */
  readonly routes: readonly PartRoute[];
}

export interface BatchMark {
  readonly batch: ClaimedBatch;
  /** Positions below it may be written to a socket once this is committed. */
  readonly mark: number;
  /** Positions below the mark that are not at the carrier. */
  readonly notTaken: readonly number[];
  /** `done`: every message has an outcome. `release`: the rest is returned untouched. */
  readonly end: 'done' | 'release' | null;
}

/** A receipt as a link read it. */
export interface CarrierReceipt {
  readonly supplierId: string;
  /** UUID made when it came: storing it twice leaves one. */
  readonly receiptId: string;
  /** Forms of the id to look for, the likeliest first; the first is stored. */
  readonly candidates: readonly string[];
  /** Digits of the phone. */
  readonly msisdn: string;
  readonly clientSid: string;
  /** The ID alone never identifies the message: the MSISDN must match, by the carrier's profile. */
  readonly needsPhone: boolean;
  readonly clientStatus: ClientStatus;
  readonly final: boolean;
  readonly dealResult: string;
  readonly carrierCode: string | null;
  /** Unix milliseconds of the event, as reported by the carrier; null if not reported. */
  readonly reportMs: number | null;
  readonly receivedMs: number;
  /** The carrier did not send it, but answered a query with this state. */
  readonly isQueried?: boolean;
}

/** Which part of a longer text. */
export interface InboundPart {
  readonly reference: number;
  /** References of 8 and of 16 bits are different spaces. */
  readonly referenceBits: 8 | 16;
  /** 2 or more. */
  readonly total: number;
  /** From 1. */
  readonly sequence: number;
}

/** A text from a phone, or a part of one: the store joins those, because they come on any bind of any process. */
export interface InboundText {
  readonly supplierId: string;
  readonly inboundId: string;
  readonly msisdn: string;
  readonly destination: string;
  readonly content: string;
  readonly receivedMs: number;
  /** Null: it is whole. */
  readonly part: InboundPart | null;
}

/** All that one transaction makes durable. */
export interface Flush {
  readonly changes: readonly Change[];
  readonly marks: readonly BatchMark[];
  /** Sent a second time because the policy prefers two copies to none. */
  readonly resent: readonly { readonly batch: ClaimedBatch; readonly message: LoadedMessage }[];
  /** Match no message in memory: the store looks for their route, and keeps them waiting if there is none. */
  readonly receipts: readonly CarrierReceipt[];
  /** Receipts previously stored as waiting, whose message has been found since. */
  readonly matchedReceipts: readonly CarrierReceipt[];
  readonly inbound: readonly InboundText[];
}

export interface FlushOutcome {
  /** Batches that are not ours any more. */
  readonly lost: readonly bigint[];
  /** Those of `receipts` that match nothing yet. */
  readonly waiting: readonly CarrierReceipt[];
}

/** A customer that has something ready for a supplier account. */
export interface Waiting {
  readonly customerId: string;
  readonly lane: SmsType;
  readonly supplierId: string;
}

export interface ClaimTurn extends Waiting {
  /** Batches at most. */
  readonly batches: number;
}

export interface ClaimRequest {
  /** Served in this order. */
  readonly turns: readonly ClaimTurn[];
  /** Messages in all, after which the turns that are left get nothing. */
  readonly messages: number;
  /** Batches known here, which must not come a second time. */
  readonly except: readonly bigint[];
}

export interface ClaimOutcome {
  readonly batches: readonly ClaimedBatch[];
  /** Batches that may not be sent now were put away: behind them there may be some that may. */
  readonly parked: boolean;
}

export interface SendStore {
  findWaiting(supplierIds: readonly string[]): Promise<readonly Waiting[]>;
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  /** Renews the leases of these and returns which of them are still ours. */
  renew(batchIds: readonly bigint[]): Promise<readonly bigint[]>;
  /**
   * Returns which of our batches, and of `others`, must stop: paused, terminated, suspended, disabled, quiet hours
   * began, or a recipient of marketing opted out.
   */
  findStopped(others: readonly bigint[]): Promise<readonly bigint[]>;
  /**
   * One transaction. Idempotent as a whole: run again after a COMMIT with unknown outcome, it changes nothing twice.
   */
  commit(flush: Flush): Promise<FlushOutcome>;
}

/** One part handed to a bind; returned with its response. */
export interface Submission<Message = unknown> {
  readonly message: Message;
  /** From 1. */
  readonly part: number;
  /** Grows with each time the message is sent. */
  readonly attempt: number;
  /** Monotonic milliseconds. */
  readonly sentAt: number;
  /** How long the message may still be delivered; null: as long as the carrier tries. */
  readonly validForMs: number | null;
}

export interface CarrierBind {
  readonly id: string;
  /** submit_sm that may follow now. */
  readonly freeSlots: number;
  /** Writes one part; throws only if `freeSlots` is 0. */
  submit(outgoing: LoadedMessage, messageId: bigint, submission: Submission): void;
  /**
   * The peer reports that this session is unusable: nothing more is written to it, open responses are awaited briefly,
   * then it is closed and a new one is opened. Returns true the first time.
   */
  fail(detail: string): boolean;
}

export interface LinkHandler {
  /** `issuedId`: the id as the carrier wrote it, if the carrier may be asked about the part. */
  onResponse(submission: Submission, status: number, carrierMessageId: string | null, issuedId?: string): void;
  /** No response in time, or the session ended first. A late response may follow by `onResponse`. */
  onUnknown(submission: Submission): void;
  /** Slots became free, binds were added or removed, or the pace was raised. */
  onRoom(): void;
  /** `acknowledge` is called once the receipt is durable. */
  onReceipt(receipt: CarrierReceipt, acknowledge: () => void): void;
  /** `acknowledge` is called once the text, or the part of one, is durable. */
  onInbound(text: InboundText, acknowledge: () => void): void;
}

export interface CarrierLink {
  readonly supplierId: string;
  /** Segments a second that this process may submit at this instant; after a raise `onRoom` is called. */
  readonly tps: number;
  /** submit_sm unanswered on one bind. */
  readonly windowSize: number;
  /** Classes of this carrier's own statuses. */
  readonly statusClasses: Readonly<Record<number, SubmitClass>>;
  /** The account must not be used at present, by any sender: what is claimed for it goes back. */
  readonly isBlocked: boolean;
  /** Bound for submitting, open now. */
  readonly binds: readonly CarrierBind[];
  /** Parts this text takes on this link. */
  countParts(content: string): number;
  attach(handler: LinkHandler): void;
}
