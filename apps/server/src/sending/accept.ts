/**
 * The one way into the product: a task's file, a test message, HTTP and SMPP all end here. Each recipient gets a route
 * and a price; messages of one supplier account and route make batches of up to 1,000 ids without a gap. All of it
 * happens in the caller's transaction: once it commits, no message is lost; if it does not, none exists.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract';
import {
  type FrozenPrices,
  insertBatches,
  insertMessages,
  type MessageIdSource,
  messageIdMs,
  minuteOf,
  moveRollups,
  moveTasks,
  type NewBatch,
  type NewMessage,
  noRollup,
  noTaskDelta,
  priceKey,
  type RollupDelta,
  type RollupKey,
  supersedeMessages,
  type TaskDelta,
} from '@pahatid/db';
import { receiptColumnOf } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { RoutingTable } from './routing-table.ts';

/** Messages of a batch, at most: ids of one millisecond are 1,024. */
export const BATCH_SIZE = 1_000;

export interface AcceptDeps {
  ids: MessageIdSource;
  routing: RoutingTable;
}

export interface Recipient {
  msisdn: string;
  areaCode: string;
  /** From the prefix table where not given. */
  rangeHolder?: string | null;
  /** The range holder where not given. */
  carrier?: string | null;
  content: string;
  /** Segments. */
  pkgTotal: number;
  /**
   * The failed message that this one repeats: it is marked superseded and taken out of the task's counters here.
   */
  retryOf?: bigint;
}

export interface AcceptRequest {
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
  recipients: Iterable<Recipient>;
  /** Prices fixed earlier, for a task that was confirmed at them; the present ones where they have none. */
  prices?: FrozenPrices;
  /** Given where the messages end unsent, at once and uncharged: recipients of a terminated task. */
  outcome?: { sendStatus: number; clientStatus: number; dealResult: string };
}

export interface Accepted {
  /** Messages. */
  accepted: number;
  segments: number;
  /** What they will cost if all are taken, 1/10,000 PHP. */
  estimatedCost: number;
  batches: { batchId: bigint; supplierId: string; routeId: string; messageCount: number }[];
  /** Of each recipient, in the order given. */
  messageIds: bigint[];
  firstId: bigint | null;
}

interface Draft {
  index: number;
  message: Omit<NewMessage, 'messageId'>;
}

/** Throws `NoRouteError` where a recipient has no route at all; then nothing was written. */
export const acceptMessages = async (tx: PoolClient, deps: AcceptDeps, request: AcceptRequest): Promise<Accepted> => {
  const drafts = [...draftMessages(deps.routing, request)];
  const batches: NewBatch[] = [];
  const messages: NewMessage[] = [];
  const messageIds = new Array<bigint>(drafts.length);
  const byRoute = Map.groupBy(drafts, ({ message }) => `${message.supplierId}${message.routeId}`);
  for (const group of byRoute.values()) {
    for (let start = 0; start < group.length; start += BATCH_SIZE) {
      const part = group.slice(start, start + BATCH_SIZE);
      const batchId = deps.ids.take(part.length);
      batches.push(newBatch(request, batchId, part));
      for (const [position, { index, message }] of part.entries()) {
        const messageId = batchId + BigInt(position);
        messageIds[index] = messageId;
        messages.push({ ...message, messageId });
      }
    }
  }
  if (messages.length > 0) {
    await insertMessages(tx, messages);
    await insertBatches(tx, batches, new Date());
    await moveRollups(tx, deps.ids.writer, countRollups(messages));
    await moveTaskCounters(tx, deps.ids.writer, request, messages);
  }
  return {
    accepted: messages.length,
    segments: messages.reduce((sum, message) => sum + message.pkgTotal, 0),
    estimatedCost: messages.reduce((sum, message) => sum + message.pkgTotal * message.price, 0),
    batches,
    messageIds,
    firstId: batches[0]?.batchId ?? null,
  };
};

function* draftMessages(routing: RoutingTable, request: AcceptRequest): Generator<Draft> {
  let index = 0;
  for (const recipient of request.recipients) {
    const rangeHolder =
      recipient.rangeHolder === undefined ? routing.rangeHolder(recipient.msisdn) : recipient.rangeHolder;
    const carrier = recipient.carrier === undefined ? rangeHolder : recipient.carrier;
    const { areaCode, msisdn } = recipient;
    const route = routing.route(areaCode, carrier, request.smsType, msisdn);
    yield {
      index,
      message: {
        customerId: request.customerId,
        taskId: request.taskId,
        appId: request.appId,
        smsType: request.smsType,
        msisdn,
        areaCode,
        rangeHolder,
        carrier,
        clientSid: request.clientSid,
        content: recipient.content,
        pkgTotal: recipient.pkgTotal,
        chargeType: request.chargeType,
        price:
          request.prices?.[priceKey(areaCode, carrier)] ??
          routing.price(areaCode, carrier, request.smsType, request.customerId),
        routeId: route.routeId,
        supplierId: route.supplierId,
        retryOf: recipient.retryOf ?? null,
        sendStatus: request.outcome?.sendStatus ?? SendStatus.Waiting,
        clientStatus: request.outcome?.clientStatus ?? ClientStatus.Accepted,
        dealResult: request.outcome?.dealResult ?? null,
      },
    };
    index += 1;
  }
}

function newBatch(request: AcceptRequest, batchId: bigint, part: readonly Draft[]): NewBatch {
  const { supplierId, routeId } = part[0]!.message;
  return {
    batchId,
    customerId: request.customerId,
    taskId: request.taskId,
    appId: request.appId,
    lane: request.smsType,
    supplierId,
    routeId,
    messageCount: part.length,
    round: request.round,
    notBefore: request.notBefore,
    done: request.outcome !== undefined,
  };
}

function countRollups(messages: readonly NewMessage[]): Map<RollupKey, RollupDelta> {
  const keys = new Map<string, RollupKey>();
  const moves = new Map<RollupKey, RollupDelta>();
  for (const message of messages) {
    const minuteMs = minuteOf(messageIdMs(message.messageId));
    const { areaCode, routeId } = message;
    const carrier = message.carrier ?? '';
    const name = `${minuteMs}|${areaCode}|${carrier}|${routeId}`;
    let key = keys.get(name);
    if (key === undefined) {
      const { customerId, appId, clientSid, smsType } = message;
      key = { customerId, minuteMs, appId, areaCode, carrier, clientSid, smsType, routeId };
      keys.set(name, key);
      moves.set(key, noRollup());
    }
    const move = moves.get(key)!;
    move.reqTotal += 1;
    if (message.sendStatus === SendStatus.Failed) move.reqFail += 1;
  }
  return moves;
}

/** Messages final from the start count at once; those they repeat stop counting. */
async function moveTaskCounters(
  tx: PoolClient,
  writer: number,
  request: AcceptRequest,
  messages: readonly NewMessage[],
): Promise<void> {
  const delta = noTaskDelta();
  const repeated = messages.flatMap(({ retryOf }) => (retryOf === null ? [] : [retryOf]));
  if (repeated.length > 0) {
    const marked = await supersedeMessages(tx, request.customerId, repeated);
    for (const old of marked) forget(delta, old);
  }
  if (request.taskId === null) return;
  delta.failed += messages.filter(({ sendStatus }) => sendStatus === SendStatus.Failed).length;
  if (Object.values(delta).every((value) => value === 0)) return;
  await moveTasks(tx, writer, new Map([[request.taskId, { customerId: request.customerId, delta }]]));
}

function forget(delta: TaskDelta, old: { sendStatus: number; clientStatus: number }): void {
  if (old.sendStatus === SendStatus.Failed) delta.failed -= 1;
  if (old.sendStatus === SendStatus.Sending) delta.unconfirmed -= 1;
  if (old.sendStatus !== SendStatus.Successful) return;
  delta.success -= 1;
  const column = receiptColumnOf(old.clientStatus as ClientStatus);
  if (column === 'success') delta.delivered -= 1;
  if (column === 'fail') delta.undelivered -= 1;
  if (column === 'unknown') delta.unknown -= 1;
}
