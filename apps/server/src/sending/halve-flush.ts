/**
 * A flush that the database refuses for what stands in it would be refused for ever, and nothing is sent meanwhile. So it
 * is halved until the event that can't be stored stands alone, and that one is set aside: kept for staff, logged, counted.
 * All others are stored (decision 047).
 */
import { createHash } from 'node:crypto';
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { refusedDataCode } from '@pahatid/db';
import { insertSetAside, type SetAsideEvent } from '@pahatid/db/queries/set-aside';
import { maskMsisdn } from '@pahatid/domain';
import { type CarrierReceipt, type Change, type Flush, type FlushOutcome, namesPhone } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { setAsideEvents } from '../metrics/sending-metrics.ts';

/** Commits a part of a flush, with something else in the same transaction. */
export type CommitPart = (part: Flush, alongside?: (tx: PoolClient) => Promise<void>) => Promise<FlushOutcome>;

type Parts = 'changes' | 'receipts' | 'inbound';
/** What a flush says of one message, receipt or text. */
type FlushEvent = { readonly [P in Parts]: { readonly of: P; readonly said: Flush[P][number] } }[Parts];

const noEvents: Flush = { changes: [], marks: [], resent: [], receipts: [], matchedReceipts: [], inbound: [] };
const kinds = { changes: 'result', receipts: 'receipt', inbound: 'text' } as const;
/** Fewer digits are a short code. */
const phoneDigits = 9;

/**
 * Results first, as in one transaction: a receipt may be about one of them. Marks last: what lies below a mark and has no
 * result is in doubt, and a batch that has ended is looked at no more, so neither may be committed before its results.
 */
export async function commitInHalves(flush: Flush, commit: CommitPart, log: Logger): Promise<FlushOutcome> {
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
        await setAside(event, code, commit, log);
        if (event.of === 'changes') bad.push(event.said);
        return;
      }
    }
    const middle = Math.ceil(events.length / 2);
    await store(events.slice(0, middle));
    await store(events.slice(middle));
  };
  await store(eventsOf(flush));
  // What a result that was set aside had from an earlier receipt is said by that receipt again.
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

/** In one transaction with the doubt that takes the place of a result. Stored twice after a lost connection, it is one. */
async function setAside(event: FlushEvent, code: string, commit: CommitPart, log: Logger): Promise<void> {
  const row = rowOf(event, code);
  let isNew = false;
  const keep = async (tx: PoolClient): Promise<void> => {
    isNew = await insertSetAside(tx, row);
  };
  const doubt = event.of === 'changes' ? doubtOf(event.said) : noEvents;
  try {
    await commit(doubt, keep);
  } catch (refusal) {
    if (doubt === noEvents || refusedDataCode(refusal) === null) throw refusal;
    await commit(noEvents, keep);
  }
  if (!isNew) return;
  const { content: _, messageId, ...told } = row;
  log.error({ ...told, messageId: messageId === null ? null : String(messageId) }, 'event of a carrier set aside');
  setAsideEvents.inc({ kind: row.kind });
}

/** A message whose result can't be stored was handed over, and its outcome is not known. */
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
        ...{ kind, supplierId: batch.supplierId, messageId, errorCode, content },
        eventKey: `${kind}:${messageId}:${digest}`,
      };
    }
    case 'receipts': {
      const { supplierId, receiptId } = event.said;
      const content = jsonOf(event.said);
      return { kind, supplierId, messageId: null, errorCode, content, eventKey: `${kind}:${receiptId}` };
    }
    case 'inbound': {
      const { supplierId, inboundId } = event.said;
      const content = jsonOf(event.said);
      return { kind, supplierId, messageId: null, errorCode, content, eventKey: `${kind}:${inboundId}` };
    }
  }
}

/** JSON writes a NUL and half a surrogate pair as plain letters, so any text can be kept. */
const jsonOf = (said: object): string => JSON.stringify(said, hidePhones);

const hidePhones = (field: string, value: unknown): unknown => {
  if (!['msisdn', 'clientSid', 'destination'].includes(field) || typeof value !== 'string') return value;
  const digits = value.replaceAll(/\D/g, '');
  return field === 'msisdn' || digits.length >= phoneDigits ? maskMsisdn(digits) : value;
};
