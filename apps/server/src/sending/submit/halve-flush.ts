/**
 * A flush that the database rejects because of its content would be rejected forever, and sending would stop. So it is
 * halved until the event that can't be stored is alone, and that one is set aside: stored for staff, logged, counted.
 * All others are stored (decision 047).
 */
import { createHash } from 'node:crypto';
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { refusedDataCode } from '@pahatid/db';
import { insertSetAside, type SetAsideEvent } from '@pahatid/db/queries/set-aside';
import { isOptOut, maskMsisdn } from '@pahatid/domain';
import { type CarrierReceipt, type Change, type Flush, type FlushOutcome, namesPhone } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { setAsideEvents } from '../../metrics/sending-metrics.ts';
import { storeOptOutAlone } from '../replies/inbound.ts';
import type { InboundOptions } from '../replies/reply-owner.ts';

/** Commits a part of a flush, with something else in the same transaction. */
export type CommitPart = (part: Flush, alongside?: (tx: PoolClient) => Promise<void>) => Promise<FlushOutcome>;

type Parts = 'changes' | 'receipts' | 'inbound';
/** A flush's event about one message, receipt or text. */
type FlushEvent = { readonly [P in Parts]: { readonly of: P; readonly said: Flush[P][number] } }[Parts];

const noEvents: Flush = { changes: [], marks: [], resent: [], receipts: [], matchedReceipts: [], inbound: [] };
const kinds = { changes: 'result', receipts: 'receipt', inbound: 'text' } as const;
/** Fewer digits are a short code. */
const phoneDigits = 9;

/**
 * Results first, as in one transaction: a receipt may be about one of them. Marks last: a message below a mark without
 * a result is in doubt, and an ended batch is not checked again, so neither may be committed before its results.
 */
export async function commitInHalves(flush: Flush, commit: CommitPart, options: InboundOptions): Promise<FlushOutcome> {
  const waiting: CarrierReceipt[] = [];
  const bad: Change[] = [];
  const store = async (events: readonly FlushEvent[]): Promise<void> => {
    if (events.length === 0) return;
    try {
      waiting.push(...(await commit(flushOf(events))).waiting);
      return;
    } catch (error) {
      const code = refusedDataCode(error);
      if (code === null) throw error;
      const [event] = events;
      if (events.length === 1 && event !== undefined) {
        await setAside(event, code, commit, options);
        if (event.of === 'changes') bad.push(event.said);
        return;
      }
    }
    const middle = Math.ceil(events.length / 2);
    await store(events.slice(0, middle));
    await store(events.slice(middle));
  };
  await store(eventsOf(flush));
  // A set-aside result's earlier receipt is processed again on its own.
  const isStored = (receipt: CarrierReceipt): boolean =>
    !bad.some(({ batch, message }) => batch.supplierId === receipt.supplierId && namesPhone(receipt, message.msisdn));
  const { marks, resent } = flush;
  const rest = { ...noEvents, marks, resent, matchedReceipts: flush.matchedReceipts.filter(isStored) };
  const { lost } = await commit(rest);
  return { lost, waiting };
}

const eventsOf = ({ changes, receipts, inbound }: Flush): FlushEvent[] => [
  ...changes.map((said) => ({ of: 'changes', said }) as const),
  ...receipts.map((said) => ({ of: 'receipts', said }) as const),
  ...inbound.map((said) => ({ of: 'inbound', said }) as const),
];

const flushOf = (events: readonly FlushEvent[]): Flush => ({
  ...noEvents,
  changes: events.flatMap((event) => (event.of === 'changes' ? [event.said] : [])),
  receipts: events.flatMap((event) => (event.of === 'receipts' ? [event.said] : [])),
  inbound: events.flatMap((event) => (event.of === 'inbound' ? [event.said] : [])),
});

/**
 * In one transaction with what takes the event's place: the doubt about a message whose result it is, the opt-out that a
 * text asks for. Stored twice after a lost connection, it is one.
 */
async function setAside(event: FlushEvent, code: string, commit: CommitPart, options: InboundOptions): Promise<void> {
  const row = rowOf(event, code);
  let isNew = false;
  const keep = async (tx: PoolClient, optedOut = false): Promise<void> => {
    isNew = await insertSetAside(tx, { ...row, optedOut });
  };
  const keepWithOptOut = async (tx: PoolClient): Promise<void> => {
    const optedOut = event.of === 'inbound' && row.isOptOut && (await storeOptOutAlone(tx, event.said, options));
    await keep(tx, optedOut);
  };
  const doubt = event.of === 'changes' ? doubtOf(event.said) : noEvents;
  try {
    await commit(doubt, keepWithOptOut);
  } catch (refusal) {
    if (refusedDataCode(refusal) === null) throw refusal;
    await commit(noEvents, keep);
  }
  if (!isNew) return;
  const { content: _, messageId, ...reported } = row;
  options.log.error(
    { ...reported, messageId: messageId === null ? null : String(messageId) },
    'carrier event set aside, cannot be stored',
  );
  setAsideEvents.inc({ kind: row.kind });
}

/** Returns the change of a message whose result can't be stored: it was submitted, with an unknown outcome. */
function doubtOf(change: Change): Flush {
  const wasWritten = change.after.clientStatus !== ClientStatus.Blocked;
  if (change.before.sendStatus !== SendStatus.Waiting || !wasWritten) return noEvents;
  const nothing = { dealResult: null, carrierCode: null, answeredMs: null, reportMs: null, routes: [] };
  const after = { sendStatus: SendStatus.Sending, clientStatus: ClientStatus.Accepted };
  return { ...noEvents, changes: [{ ...change, ...nothing, after, partsDelivered: change.partsBefore }] };
}

function rowOf(event: FlushEvent, errorCode: string): SetAsideEvent {
  const kind = kinds[event.of];
  switch (event.of) {
    case 'changes': {
      const { batch, message, ...said } = event.said;
      const messageId = batch.batchId + BigInt(message.position);
      const about = { messageId: String(messageId), customerId: batch.customerId, msisdn: message.msisdn };
      const content = jsonOf({ ...about, ...said });
      const digest = createHash('sha256').update(content).digest('hex');
      return {
        kind,
        supplierId: batch.supplierId,
        messageId,
        errorCode,
        content,
        eventKey: `${kind}:${messageId}:${digest}`,
        isOptOut: false,
        optedOut: false,
      };
    }
    case 'receipts': {
      const { supplierId, receiptId } = event.said;
      const content = jsonOf(event.said);
      const key = { eventKey: `${kind}:${receiptId}`, isOptOut: false, optedOut: false };
      return { kind, supplierId, messageId: null, errorCode, content, ...key };
    }
    case 'inbound': {
      const { supplierId, inboundId } = event.said;
      const content = jsonOf(event.said);
      const refuses = event.said.part === null && isOptOut(event.said.content.replaceAll('\0', ''));
      const key = { eventKey: `${kind}:${inboundId}`, isOptOut: refuses, optedOut: false };
      return { kind, supplierId, messageId: null, errorCode, content, ...key };
    }
  }
}

/** JSON escapes a NUL and half a surrogate pair as plain letters, so any text can be stored. */
const jsonOf = (said: object): string => JSON.stringify(said, hidePhones);

const hidePhones = (field: string, value: unknown): unknown => {
  if (!['msisdn', 'clientSid', 'destination'].includes(field) || typeof value !== 'string') return value;
  const digits = value.replaceAll(/\D/g, '');
  return field === 'msisdn' || digits.length >= phoneDigits ? maskMsisdn(digits) : value;
};
