/**
 * Bodies of events, in the form of Standard Webhooks: type, timestamp, data. They are built on sending, from the
 * message or text concerned, so that the queue holds no phone number; data that may have changed meanwhile is in the
 * event, so that every attempt has the same body.
 */
import type { ClientStatus, LiveEventType, SendStatus } from '@pahatid/contract';
import { type Db, messageIdMs } from '@pahatid/db';
import {
  type CallbackMessage,
  type CallbackText,
  type DueEvent,
  loadCallbackMessages,
  loadCallbackTexts,
} from '@pahatid/db/queries/callback-dispatch';
import type { MessageCallback } from '@pahatid/db/queries/message-extras';
import { getDealResult, isTestCustomer } from '@pahatid/domain';

export interface CallbackBody {
  readonly text: string;
  /** The address of the message alone; null: that of its application. */
  readonly own: MessageCallback | null;
}

/** Of a callback, or of a stream. */
type WrittenEvent = Omit<DueEvent, 'attempts' | 'dueMs' | 'type'> & { readonly type: DueEvent['type'] | LiveEventType };

/**
 * The body of each event, by its id. `appId`: the application of the address, which in test mode stands for the one that
 * its messages have.
 */
export async function writeBodies(
  db: Db,
  { appId }: { readonly appId: string | null },
  events: readonly WrittenEvent[],
): Promise<Map<string, CallbackBody>> {
  const bodies = new Map<string, CallbackBody>();
  for (const [customerId, own] of Map.groupBy(events, (event) => event.customerId))
    for (const [eventId, body] of await writeOwnBodies(db, customerId, appId, own)) bodies.set(eventId, body);
  return bodies;
}

/** Events of one customer. */
async function writeOwnBodies(
  db: Db,
  customerId: string,
  appId: string | null,
  events: readonly WrittenEvent[],
): Promise<Map<string, CallbackBody>> {
  const test = isTestCustomer(customerId);
  const of = (type: DueEvent['type']) => events.filter((event) => event.type === type);
  const messageIds = of('message.status').flatMap(({ messageId }) => messageId ?? []);
  const messages = messageIds.length === 0 ? [] : await loadCallbackMessages(db, customerId, messageIds);
  const inboundIds = of('message.inbound').flatMap(({ subjectId }) => subjectId ?? []);
  const texts = inboundIds.length === 0 ? [] : await loadCallbackTexts(db, customerId, inboundIds);
  const messageOf = new Map(messages.map((message) => [message.messageId, message]));
  const textOf = new Map(texts.map((text) => [text.inboundId, text]));
  return new Map(
    events.map((event) => {
      const data =
        event.type === 'message.status'
          ? statusData(event, messageOf.get(event.messageId ?? ''))
          : event.type === 'message.inbound'
            ? inboundData(event, textOf.get(event.subjectId ?? ''))
            : event.type === 'alert'
              ? { thresholdId: event.subjectId, ...event.facts }
              : event.facts;
      const named = test && 'appId' in data && data.appId !== null ? { ...data, appId } : data;
      const head = { type: event.type, timestamp: event.at.toISOString(), ...(test && { test }) };
      const text = JSON.stringify({ ...head, data: named });
      return [event.eventId, { text, own: ownOf(messageOf.get(event.messageId ?? '')) }];
    }),
  );
}

const ownOf = (message: CallbackMessage | undefined): MessageCallback | null =>
  message?.ownUrl == null ? null : { url: message.ownUrl, format: message.ownFormat ?? 'pahatid' };

interface StatusFacts {
  readonly clientStatus: ClientStatus;
  readonly sendStatus: SendStatus;
  readonly dealResult: string | null;
  readonly carrierCode: string | null;
  readonly submitTime: string | null;
  readonly receiptTime: string | null;
}

const iso = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString());

function statusData(
  { messageId, sequence, facts }: Pick<DueEvent, 'messageId' | 'sequence' | 'facts'>,
  message: CallbackMessage | undefined,
) {
  const known = facts as unknown as StatusFacts;
  return {
    messageId,
    sequence,
    appId: message?.appId ?? null,
    taskId: message?.taskId ?? null,
    smsType: message?.smsType ?? null,
    clientSid: message?.clientSid ?? null,
    mobileNumber: message?.msisdn || null,
    clientStatus: known.clientStatus,
    dealResult: getDealResult(known),
    carrierCode: known.carrierCode,
    pkgTotal: message?.pkgTotal ?? null,
    requestTime: new Date(messageIdMs(messageId ?? '0')).toISOString(),
    submitTime: iso(known.submitTime),
    receiptTime: iso(known.receiptTime),
  };
}

const inboundData = ({ subjectId }: Pick<DueEvent, 'subjectId'>, text: CallbackText | undefined) => ({
  inboundId: subjectId,
  appId: text?.appId ?? null,
  taskId: text?.taskId ?? null,
  messageId: text?.messageId ?? null,
  mobileNumber: text?.msisdn || null,
  destination: text?.destination ?? null,
  content: text?.content ?? null,
  isOptOut: text?.isOptOut ?? null,
  receiveTime: text?.receivedAt.toISOString() ?? null,
});
