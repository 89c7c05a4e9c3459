/**
 * The carrier of test mode (decision 146): an SMSC on a port of the loopback that this process alone can bind to, so that
 * messages of test keys take the same path as others on every installation. It holds nothing that must outlast it: after
 * a restart receipts that were due are asked for by query_sm, which ids answer.
 */
import { randomBytes } from 'node:crypto';
import {
  buildReceiptText,
  buildReceiptTlvs,
  type DeliverSm,
  formatAbsoluteTime,
  listenSmpp,
  MESSAGE_STATE,
  makePdu,
  type ServerRequest,
  type ServerSession,
  STATUS,
  type SubmitSm,
} from '@pahatid/smpp';
import { getTestOutcome, getTestReceipt, makeTestId, readTestId } from './test-outcomes.ts';

export interface TestCarrierTimes {
  /** From the response to the receipt, milliseconds. */
  readonly receiptMs: number;
  /** The same of the slow one. */
  readonly lateMs: number;
  /** From the receipt to the reply of the phone. */
  readonly replyMs: number;
}

const usualTimes: TestCarrierTimes = { receiptMs: 500, lateMs: 60_000, replyMs: 1_000 };

export interface TestCarrier {
  readonly port: number;
  readonly systemId: string;
  readonly password: string;
  stop(): Promise<void>;
}

const systemId = 'test';
const replyText = 'T';
const window = 50;
/** Messages that were put off and did not come again. */
const putOffAtMost = 10_000;
const receiptClass = 0x04;

export async function startTestCarrier(times: TestCarrierTimes = usualTimes): Promise<TestCarrier> {
  const carrier = new Smsc(times);
  const password = randomBytes(4).toString('hex');
  const server = await listenSmpp<DeliverSm>({
    host: '127.0.0.1',
    port: 0,
    system_id: systemId,
    onBind: ({ pdu }) => {
      if (pdu.system_id !== systemId || pdu.password !== password)
        return { accept: false, status: STATUS.ESME_RINVPASWD };
      let bound: ServerSession<DeliverSm> | null = null;
      return {
        accept: true,
        options: { window, inboundLimit: 1_000, inactivityTimeoutMs: 0 },
        onBound: (session) => {
          bound = session;
          carrier.open(session);
        },
        handler: {
          onRequest: (request, session) => carrier.take(request, session),
          onResponse: () => {},
          onUnknown: (delivery) => carrier.deliver(delivery),
          onWindow: () => carrier.pump(),
          onClose: () => {
            if (bound !== null) carrier.close(bound);
          },
        },
      };
    },
  });
  return {
    port: server.port,
    systemId,
    password,
    stop: async () => {
      carrier.stop();
      await server.close();
    },
  };
}

class Smsc {
  private readonly times: TestCarrierTimes;
  private readonly sessions = new Set<ServerSession<DeliverSm>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly putOff = new Set<string>();
  /** Of this process, in its ids. */
  private readonly name = randomBytes(4).toString('hex');
  private count = 0;
  private waiting: DeliverSm[] = [];

  constructor(times: TestCarrierTimes) {
    this.times = times;
  }

  open(session: ServerSession<DeliverSm>): void {
    this.sessions.add(session);
    this.pump();
  }

  close(session: ServerSession<DeliverSm>): void {
    this.sessions.delete(session);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  take(request: ServerRequest, session: ServerSession<DeliverSm>): void {
    if (request.command === 'submit_sm') this.submit(request, session);
    else if (request.command === 'query_sm') this.answerQuery(request.sequence_number, request.message_id, session);
    else session.respond(request.sequence_number, STATUS.ESME_RINVCMDID);
  }

  deliver(delivery: DeliverSm): void {
    this.waiting.push(delivery);
    this.pump();
  }

  pump(): void {
    for (const session of this.sessions)
      for (let slots = session.writableSlots; slots > 0 && this.waiting.length > 0; slots--) {
        const delivery = this.waiting.shift();
        if (delivery !== undefined) session.send(delivery, delivery);
      }
  }

  private submit(pdu: SubmitSm, session: ServerSession<DeliverSm>): void {
    const outcome = getTestOutcome(pdu.destination_addr);
    if (outcome === 'refused') {
      session.respondSubmit(pdu.sequence_number, STATUS.ESME_RINVDSTADR, '');
      return;
    }
    if (outcome === 'throttled' && !this.comesAgain(pdu)) {
      session.respondSubmit(pdu.sequence_number, STATUS.ESME_RTHROTTLED, '');
      return;
    }
    this.count += 1;
    const acceptedMs = Date.now();
    const id = makeTestId(outcome, acceptedMs, `${this.name}${this.count.toString(36)}`);
    session.respondSubmit(pdu.sequence_number, STATUS.ESME_ROK, id);
    const { receiptMs, lateMs, replyMs } = this.times;
    const afterMs = getTestReceipt(outcome).isLate ? lateMs : receiptMs;
    this.later(afterMs, () => this.deliver(toReceipt(pdu, id, acceptedMs)));
    // A long message has several parts, and its phone replies once.
    const isFirst = (pdu.esm_class & 0x40) === 0 || pdu.short_message[5] === 1;
    if (outcome === 'reply' && isFirst) this.later(afterMs + replyMs, () => this.deliver(toReply(pdu, id)));
  }

  private answerQuery(sequenceNumber: number, id: string, session: ServerSession<DeliverSm>): void {
    const known = readTestId(id);
    if (known === null) {
      session.respond(sequenceNumber, STATUS.ESME_RQUERYFAIL);
      return;
    }
    const { state, isLate } = getTestReceipt(known.outcome);
    const doneMs = known.acceptedMs + (isLate ? this.times.lateMs : this.times.receiptMs);
    const body =
      Date.now() < doneMs
        ? { message_state: MESSAGE_STATE.ENROUTE }
        : { message_state: state, error_code: 0, final_date: formatAbsoluteTime(new Date(doneMs), 0) };
    session.respond(sequenceNumber, STATUS.ESME_ROK, { message_id: id, ...body });
  }

  /** The sender sends the same octets again. */
  private comesAgain({ source_addr, short_message }: SubmitSm): boolean {
    const message = `${source_addr} ${short_message.toString('latin1')}`;
    if (this.putOff.delete(message)) return true;
    if (this.putOff.size >= putOffAtMost) this.putOff.clear();
    this.putOff.add(message);
    return false;
  }

  private later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, ms);
    timer.unref();
    this.timers.add(timer);
  }
}

const addressesOf = (pdu: SubmitSm) => ({
  source_addr_ton: pdu.dest_addr_ton,
  source_addr_npi: pdu.dest_addr_npi,
  source_addr: pdu.destination_addr,
  dest_addr_ton: pdu.source_addr_ton,
  dest_addr_npi: pdu.source_addr_npi,
});

function toReceipt(pdu: SubmitSm, id: string, acceptedMs: number): DeliverSm {
  const { stat, err } = getTestReceipt(getTestOutcome(pdu.destination_addr));
  const dates = { submittedAt: new Date(acceptedMs), doneAt: new Date() };
  const dlvrd = stat === 'DELIVRD' ? 1 : 0;
  const text = buildReceiptText({ id, sub: 1, dlvrd, ...dates, stat, err, text: '' }, { dateFormat: 'YYMMDDhhmmss' });
  return makePdu('deliver_sm', {
    ...addressesOf(pdu),
    destination_addr: pdu.source_addr,
    esm_class: receiptClass,
    short_message: Buffer.from(text, 'latin1'),
    tlvs: buildReceiptTlvs(id, stat, Number(err)),
  });
}

/** Sent to the id of the message: sender IDs are not of one customer alone. */
const toReply = (pdu: SubmitSm, id: string): DeliverSm =>
  makePdu('deliver_sm', {
    ...addressesOf(pdu),
    destination_addr: id,
    short_message: Buffer.from(replyText, 'latin1'),
  });
