/**
 * The only entry point for messages: a task's file, a test message, HTTP and SMPP all end here. Each recipient gets a
 * route and a price, and is checked against the customer's limits; messages of one supplier account and route form
 * batches of up to 1,000 consecutive ids. All of it happens in the caller's transaction: once it commits, no message is
 * lost; if it does not, none exists.
 */
import { ClientStatus, SendStatus, type SmsType } from '@pahatid/contract/enums';
import {
  FEW_ROWS,
  type FrozenPrices,
  insertBatches,
  insertMessages,
  type MessageIdSource,
  messageIdMs,
  moveRollups,
  moveTasks,
  type NewBatch,
  type NewMessage,
  noRollup,
  noTaskDelta,
  priceKey,
  type RollupDelta,
  type RollupKey,
  readValidFor,
  supersedeMessages,
  type TaskDelta,
  together,
  toMinute,
} from '@pahatid/db';
import { DealResult, getReceiptColumn, getValidForS, isTestCustomer } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { getTraces } from '../../traces/message-traces.ts';
import { type RoutingTable, testRoute } from '../route/routing-table.ts';
import { type LimitedMessage, LimitLedger } from './limit-ledger.ts';
import { giveLinkCodes, type LinksByCode } from './link-codes.ts';

/** Maximum messages per batch: one millisecond has 1,024 ids. */
const BATCH_SIZE = 1_000;

export interface AcceptDeps {
  ids: MessageIdSource;
  routing: RoutingTable;
}

export interface Recipient {
  msisdn: string;
  areaCode: string;
  /** Default: from the prefix table. */
  rangeHolder?: string | null;
  /** Default: the range holder. */
  carrier?: string | null;
  content: string;
  /** Segments. */
  pkgTotal: number;
  /** For messages without a task, which would have one. */
  templateId?: string | null;
  /**
   * The failed message that this one repeats: it is marked superseded and taken out of the task's counters here.
   */
  retryOf?: bigint;
  /** How customers' software submitted it by SMPP. */
  smpp?: string | null;
}

/** What the messages of one request have in common. */
export interface AcceptTerms {
  customerId: string;
  appId: string;
  /** 1 Verification code, 2 Notification, 3 Marketing: the lane as well. */
  smsType: number;
  /** The sender ID used. */
  clientSid: string;
  chargeType: 'SenderPays' | 'ReceiverPays';
  taskId: string | null;
  /** 0, or the number of the retry. */
  round: number;
  /** Not sent before this instant of the database's clock. */
  notBefore: Date | null;
  /** Until when they may be sent, of the database's clock; null: without end. */
  validUntil: Date | null;
  /** Prices fixed earlier, for a task confirmed at them; default: current prices. */
  prices?: FrozenPrices;
  /** Set if the messages end unsent, immediately and uncharged: recipients of a terminated task. */
  outcome?: Outcome;
}

export interface AcceptRequest extends Omit<AcceptTerms, 'validUntil'> {
  recipients: Iterable<Recipient>;
}

interface Outcome {
  sendStatus: number;
  clientStatus: number;
  dealResult: string;
}

/** A limit that the customer set on itself is reached. */
export class LimitError extends Error {
  override name = 'LimitError';
  readonly by: 'frequency' | 'volume';
  /** From now. */
  readonly retryAfterMs: number;

  constructor(by: 'frequency' | 'volume', retryAfterMs: number) {
    super(`a limit of the customer is reached: ${by}`);
    this.by = by;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The application may not send to the country of a number. */
export class CountryError extends Error {
  override name = 'CountryError';
  readonly areaCode: string;

  constructor(areaCode: string) {
    super(`a country is not open: ${areaCode}`);
    this.areaCode = areaCode;
  }
}

/** A message with its route and price, and no id yet. */
export type Draft = Omit<NewMessage, 'messageId'>;

export interface Accepted {
  /** Messages. */
  accepted: number;
  segments: number;
  /** What they will cost if all are taken, 1/10,000 PHP. */
  estimatedCost: number;
  batches: NewBatch[];
  /** Of each recipient, in the order given. */
  messageIds: bigint[];
  firstId: bigint | null;
}

const blockedFor = (dealResult: DealResult): Outcome => ({
  sendStatus: SendStatus.Failed,
  clientStatus: ClientStatus.Blocked,
  dealResult,
});

/**
 * Accepts all recipients of a request. A task's recipients that already had as many messages as the customer's limits
 * allow end unsent, with that reason, as do those in a country that was closed for the application since the task's
 * check; if a volume is used up, those of a task are held until its next period. Throws `LimitError` for a message
 * without a task, or one that fits into no period, `CountryError` for a message without a task to a country that is not
 * open, and `NoRouteError` if a recipient has no route at all; after any of them nothing may be committed.
 */
export const acceptMessages = async (tx: PoolClient, deps: AcceptDeps, request: AcceptRequest): Promise<Accepted> => {
  const beganMs = Date.now();
  const drafts: Draft[] = [];
  for (const recipient of request.recipients) {
    const draft = draftMessage(deps.routing, request, recipient);
    if (request.outcome === undefined && !deps.routing.mayReach(draft, draft.areaCode, draft.carrier)) {
      if (draft.taskId === null) throw new CountryError(draft.areaCode);
      Object.assign(draft, blockedFor(DealResult.CountryNotOpen));
    }
    drafts.push(draft);
  }
  const limited = drafts.filter((draft) => !isFinal(draft));
  const held = limited.length > 0 ? await holdAgainstLimits(tx, limited) : new Map<Draft, number>();
  const { nowMs, validFor } = await readValidFor(tx, request.appId);
  const validForS = getValidForS(request.smsType as SmsType, validFor);
  const sets = [...Map.groupBy(drafts, (draft) => held.get(draft) ?? null)].map(([heldUntil, of]) => {
    const notBefore = laterOf(request.notBefore, heldUntil);
    return { terms: { ...request, notBefore, validUntil: toValidUntil(nowMs, validForS, notBefore) }, drafts: of };
  });
  const { batches, messageIds } = await writeDrafts(tx, deps, sets);
  const idOf = new Map(sets.flatMap((set, which) => set.drafts.map((draft, i) => [draft, messageIds[which]![i]!])));
  const { smsType } = request;
  getTraces()?.accepted(
    messageIds.flat().map((messageId) => ({ messageId, smsType })),
    'task',
    beganMs,
  );
  return {
    accepted: drafts.length,
    segments: drafts.reduce((sum, draft) => sum + draft.pkgTotal, 0),
    estimatedCost: drafts.reduce((sum, draft) => sum + getCost(draft), 0),
    batches,
    messageIds: drafts.map((draft) => idOf.get(draft)!),
    firstId: batches[0]?.batchId ?? null,
  };
};

/** The life of a message begins when it may be sent. */
export const toValidUntil = (nowMs: number, validForS: number | null, notBefore: Date | null = null): Date | null =>
  validForS === null ? null : new Date(Math.max(nowMs, notBefore?.getTime() ?? nowMs) + validForS * 1_000);

const laterOf = (at: Date | null, unixMs: number | null): Date | null =>
  unixMs === null || (at !== null && at.getTime() >= unixMs) ? at : new Date(unixMs);

/** Returns the cost of a message if it is accepted, 1/10,000 PHP. */
export const getCost = (draft: Draft): number => draft.pkgTotal * draft.price;

export const toLimitedMessage = (draft: Draft): LimitedMessage => ({ ...draft, cost: getCost(draft) });

/** Returns the time until which drafts are held; drafts of recipients at their limit are changed to blocked ones. */
async function holdAgainstLimits(tx: PoolClient, drafts: Draft[]): Promise<Map<Draft, number>> {
  const held = new Map<Draft, number>();
  const book = await LimitLedger.load(tx, drafts.map(toLimitedMessage), { lock: true });
  for (const draft of drafts) {
    const verdict = book.take(toLimitedMessage(draft), { mayWait: draft.taskId !== null });
    if (verdict.allowed) {
      if (verdict.notBeforeMs !== null) held.set(draft, verdict.notBeforeMs);
      continue;
    }
    if (verdict.by === 'volume' || draft.taskId === null) throw new LimitError(verdict.by, verdict.retryAfterMs);
    Object.assign(draft, blockedFor(DealResult.TooFrequent));
  }
  await book.write(tx);
  return held;
}

/** Throws `NoRouteError` if not even a default route exists. */
export function draftMessage(
  routing: RoutingTable,
  terms: Omit<AcceptTerms, 'validUntil'>,
  recipient: Recipient,
): Draft {
  const { areaCode, msisdn } = recipient;
  const rangeHolder = recipient.rangeHolder === undefined ? routing.rangeHolder(msisdn) : recipient.rangeHolder;
  const carrier = recipient.carrier === undefined ? rangeHolder : recipient.carrier;
  const route = isTestCustomer(terms.customerId) ? testRoute : routing.route(areaCode, carrier, terms.smsType, msisdn);
  return {
    customerId: terms.customerId,
    taskId: terms.taskId,
    templateId: recipient.templateId ?? null,
    appId: terms.appId,
    smsType: terms.smsType,
    msisdn,
    areaCode,
    rangeHolder,
    carrier,
    clientSid: terms.clientSid,
    content: recipient.content,
    pkgTotal: recipient.pkgTotal,
    chargeType: terms.chargeType,
    price:
      terms.prices?.[priceKey(areaCode, carrier)] ?? routing.price(areaCode, carrier, terms.smsType, terms.customerId),
    routeId: route.routeId,
    supplierId: route.supplierId,
    retryOf: recipient.retryOf ?? null,
    sendStatus: terms.outcome?.sendStatus ?? SendStatus.Waiting,
    clientStatus: terms.outcome?.clientStatus ?? ClientStatus.Accepted,
    dealResult: terms.outcome?.dealResult ?? null,
    smpp: recipient.smpp ?? null,
  };
}

/** Drafts that form separate batches. */
export interface DraftSet {
  readonly terms: Pick<
    AcceptTerms,
    'customerId' | 'appId' | 'smsType' | 'taskId' | 'round' | 'notBefore' | 'validUntil'
  >;
  readonly drafts: readonly Draft[];
}

/**
 * Writes drafts with all that follows from them; ids are answered by set, in the order of its drafts. `links`: the short
 * links of their texts, if they were read before.
 */
export const writeDrafts = async (
  tx: PoolClient,
  deps: Pick<AcceptDeps, 'ids'>,
  sets: readonly DraftSet[],
  links?: LinksByCode,
): Promise<{ batches: NewBatch[]; messageIds: bigint[][] }> => {
  const batches: NewBatch[] = [];
  const messages: NewMessage[] = [];
  const messageIds = sets.map(({ drafts }) => new Array<bigint>(drafts.length));
  for (const [which, { terms, drafts }] of sets.entries()) {
    const indexed = drafts.map((draft, index) => ({ draft, index }));
    for (const group of Map.groupBy(indexed, ({ draft }) => `${draft.supplierId}${draft.routeId}`).values()) {
      for (let start = 0; start < group.length; start += BATCH_SIZE) {
        const part = group.slice(start, start + BATCH_SIZE);
        const batchId = deps.ids.take(part.length);
        batches.push(
          newBatch(
            terms,
            batchId,
            part.map(({ draft }) => draft),
          ),
        );
        for (const [position, { draft, index }] of part.entries()) {
          const messageId = batchId + BigInt(position);
          messageIds[which]![index] = messageId;
          messages.push({ ...draft, messageId });
        }
      }
    }
  }
  if (messages.length > 0) {
    const { writer } = deps.ids;
    const writes = [
      ...(await giveLinkCodes(tx, messages, links)),
      () => insertMessages(tx, messages),
      () => insertBatches(tx, batches, new Date()),
      () => moveRollups(tx, writer, countRollups(messages)),
      ...sets.map((set) => () => moveTaskCounters(tx, writer, set.terms, set.drafts)),
    ];
    if (messages.length <= FEW_ROWS) await together(tx, writes);
    else for (const write of writes) await write();
  }
  return { batches, messageIds };
};

const isFinal = (draft: Draft): boolean => draft.sendStatus === SendStatus.Failed;

function newBatch(terms: DraftSet['terms'], batchId: bigint, part: readonly Draft[]): NewBatch {
  const { supplierId, routeId } = part[0]!;
  const failedCount = part.filter(isFinal).length;
  return {
    batchId,
    customerId: terms.customerId,
    taskId: terms.taskId,
    appId: terms.appId,
    lane: terms.smsType,
    supplierId,
    routeId,
    messageCount: part.length,
    round: terms.round,
    notBefore: terms.notBefore,
    validUntil: terms.validUntil,
    done: failedCount === part.length,
    failedCount,
    // A task's messages are covered by its reservation.
    cost: terms.taskId === null ? part.reduce((sum, draft) => sum + getCost(draft), 0) : 0,
  };
}

function countRollups(messages: readonly NewMessage[]): Map<RollupKey, RollupDelta> {
  const keys = new Map<string, RollupKey>();
  const moves = new Map<RollupKey, RollupDelta>();
  for (const message of messages) {
    const minuteMs = toMinute(messageIdMs(message.messageId));
    const { customerId, appId, areaCode, clientSid, routeId, smsType } = message;
    const carrier = message.carrier ?? '';
    const name = `${minuteMs}|${customerId}|${appId}|${areaCode}|${carrier}|${clientSid}|${smsType}|${routeId}`;
    let key = keys.get(name);
    if (key === undefined) {
      key = { customerId, minuteMs, appId, areaCode, carrier, clientSid, smsType, routeId };
      keys.set(name, key);
      moves.set(key, noRollup());
    }
    const move = moves.get(key)!;
    move.reqTotal += 1;
    if (message.sendStatus !== SendStatus.Failed) continue;
    move.reqFail += 1;
    if (message.clientStatus === ClientStatus.Blocked) move.reqBlocked += 1;
  }
  return moves;
}

/** Messages that are final from the start count immediately; those they repeat stop counting. */
async function moveTaskCounters(
  tx: PoolClient,
  writer: number,
  terms: DraftSet['terms'],
  drafts: readonly Draft[],
): Promise<void> {
  const delta = noTaskDelta();
  const repeated = drafts.flatMap(({ retryOf }) => (retryOf === null ? [] : [retryOf]));
  if (repeated.length > 0) {
    const marked = await supersedeMessages(tx, terms.customerId, repeated);
    for (const old of marked) forget(delta, old);
  }
  if (terms.taskId === null) return;
  delta.failed += drafts.filter(isFinal).length;
  if (Object.values(delta).every((value) => value === 0)) return;
  await moveTasks(tx, writer, new Map([[terms.taskId, { customerId: terms.customerId, delta }]]));
}

function forget(delta: TaskDelta, old: { sendStatus: number; clientStatus: number }): void {
  if (old.sendStatus === SendStatus.Failed) delta.failed -= 1;
  if (old.sendStatus === SendStatus.Sending) delta.unconfirmed -= 1;
  if (old.sendStatus !== SendStatus.Successful) return;
  delta.success -= 1;
  const column = getReceiptColumn(old.clientStatus as ClientStatus);
  if (column === 'success') delta.delivered -= 1;
  if (column === 'fail') delta.undelivered -= 1;
  if (column === 'unknown') delta.unknown -= 1;
}
