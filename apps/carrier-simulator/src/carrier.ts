/**
 * One carrier at run time: who is bound, what becomes of a submit, which receipts are due. A submit passes these gates,
 * each able to end it: errors asked for, rate, window, the outcome's own refusal; what passes is accepted, journalled,
 * answered (or not, as the faults say) and reported on later.
 */
import {
  type BindAnswer,
  type BindRequest,
  type DataSm,
  makePdu,
  readUserData,
  type ServerRequest,
  type ServerSession,
  STATUS,
  type SubmitSm,
  type UserData,
} from '@pahatid/smpp';
import { type AcceptedMessage, buildReceipt, encodeReceipt } from './build-deliver.ts';
import { DeliverQueue, type Delivery } from './deliver-queue.ts';
import { changeFaults, type DisconnectHow, type Faults, NO_FAULTS } from './faults.ts';
import { encodeInboundMessage, type InboundMessage } from './inbound-message.ts';
import type { Journal } from './journal.ts';
import { textOf } from './journal-store.ts';
import { MessageCounts } from './message-counts.ts';
import { makeMessageId } from './message-ids.ts';
import { chooseOutcome, type MessageFault, type Outcome, overriddenOutcome } from './outcomes.ts';
import { type CarrierChange, type CarrierProfile, changeProfile } from './profiles.ts';
import { drawFrom, hashedChance, makeRandom } from './random.ts';
import { PeakRate, RateLimit } from './rate-limit.ts';
import { TimerWheel } from './timer-wheel.ts';

type Bind = { session: ServerSession<Delivery>; unanswered: number; closed: boolean };
type Submit = { pdu: SubmitSm | DataSm; bind: Bind; data: UserData };

/** What the response waits at least when its receipt goes first. */
const EARLY_RECEIPT_LEAD_MS = 50;
const REORDER_MS = 50;
const DELIVERY_RETRY_MS = 1_000;
const FROZEN_RETRY_MS = 50;
/** Twenty characters of UCS-2; a receipt quotes no more. */
const EXCERPT_OCTETS = 40;

export class Carrier {
  profile: CarrierProfile;
  faults: Faults = NO_FAULTS;
  readonly counts = new MessageCounts();
  readonly queue: DeliverQueue;
  private readonly index: number;
  private readonly journal: Journal;
  private readonly seed: number;
  private readonly random: () => number;
  private readonly wheel = new TimerWheel();
  private readonly rate = new RateLimit();
  private readonly peak = new PeakRate();
  private readonly binds = new Map<ServerSession<Delivery>, Bind>();
  private readonly refusals = new Map<number, number>();
  private received = 0;
  private scheduledReceipts = 0;
  private nextId: number;

  constructor(profile: CarrierProfile, index: number, seed: number, firstId: number, journal: Journal) {
    this.profile = profile;
    this.index = index;
    this.seed = seed + index;
    this.random = makeRandom(seed + index);
    this.nextId = firstId;
    this.journal = journal;
    this.queue = new DeliverQueue(
      () => this.binds.keys(),
      () => !this.faults.frozen && !this.faults.holdReceipts,
    );
  }

  get bindCount(): number {
    return this.binds.size;
  }

  async bind(request: BindRequest): Promise<BindAnswer<Delivery>> {
    const { faults } = this;
    if (faults.bindDelayMs > 0) await new Promise<void>((resolve) => this.wheel.after(faults.bindDelayMs, resolve));
    if (faults.bindStatus !== 0) return { accept: false, status: faults.bindStatus };
    if (request.pdu.password !== this.profile.password) return { accept: false, status: STATUS.ESME_RINVPASWD };
    if (this.binds.size >= this.profile.maxBinds) return { accept: false, status: STATUS.ESME_RBINDFAIL };
    return this.acceptBind();
  }

  setFaults(change: Record<string, unknown>): void {
    this.faults = changeFaults(this.faults, change);
    this.applyFaults();
  }

  clearFaults(): void {
    this.faults = NO_FAULTS;
    this.applyFaults();
  }

  change(change: CarrierChange): void {
    this.profile = changeProfile(this.profile, change);
  }

  /** Ends all its connections now. */
  disconnect(how: DisconnectHow): void {
    for (const { session } of this.binds.values()) endSession(session, how);
  }

  sendOctets(octets: Buffer): void {
    for (const { session } of this.binds.values()) session.writeOctets(octets);
  }

  /** A message from a phone, to whichever bind may receive. */
  sendInbound(message: InboundMessage): number {
    const parts = encodeInboundMessage(message);
    for (const octets of parts) this.queue.add({ isReceipt: false, encode: () => octets });
    return parts.length;
  }

  /** A receipt nobody asked for: of an unknown id, or a second opinion on a known one. */
  sendReceipt(receipt: { id: string; destination: string; source?: string; stat?: string; err?: string }): void {
    const message: AcceptedMessage = {
      id: receipt.id,
      source: receipt.source ?? '',
      sourceTon: 0,
      sourceNpi: 0,
      destination: receipt.destination,
      destinationTon: 1,
      destinationNpi: 1,
      submittedAt: Date.now(),
      excerpt: '',
    };
    this.enqueueReceipt(message, { stat: receipt.stat ?? 'DELIVRD', err: receipt.err ?? '000' });
  }

  counters() {
    const { queued, sent, acknowledged, retried, refused, repeated } = this.queue.counters;
    return {
      binds: this.binds.size,
      received: this.received,
      ...this.counts.totals(),
      refused: Object.fromEntries([...this.refusals].map(([status, n]) => [`0x${status.toString(16)}`, n])),
      peakPerSecond: this.peak.peak,
      receiptsScheduled: this.scheduledReceipts,
      deliveriesWaiting: this.queue.length,
      deliveries: { queued, sent, acknowledged, retried, refused, repeated },
    };
  }

  clearCounters(): void {
    this.counts.clear();
    this.peak.clear();
    this.refusals.clear();
    this.received = 0;
    Object.assign(this.queue.counters, { queued: 0, sent: 0, acknowledged: 0, retried: 0, refused: 0, repeated: 0 });
  }

  stop(): void {
    this.wheel.stop();
    this.queue.clear();
  }

  private acceptBind(): BindAnswer<Delivery> {
    let bind: Bind | undefined;
    return {
      accept: true,
      options: { window: this.profile.receiptWindow, inboundLimit: 10_000, inactivityTimeoutMs: 0 },
      onBound: (session) => {
        bind = { session, unanswered: 0, closed: false };
        this.binds.set(session, bind);
        this.applyFaults();
        this.queue.pump();
      },
      handler: {
        onRequest: (pdu, session) => {
          if (bind !== undefined) this.onRequest(pdu, session, bind);
        },
        onResponse: (delivery, status) => {
          if (this.queue.onAnswer(status)) this.wheel.after(DELIVERY_RETRY_MS, () => this.queue.giveBack(delivery));
        },
        onUnknown: (delivery) => this.queue.onUnanswered(delivery),
        onWindow: () => this.queue.pump(),
        onClose: () => {
          if (bind === undefined) return;
          bind.closed = true;
          this.binds.delete(bind.session);
          this.queue.pump();
        },
      },
    };
  }

  private applyFaults(): void {
    for (const { session } of this.binds.values()) {
      session.hold(this.faults.frozen);
      session.answersEnquireLink = !this.faults.ignoreEnquireLink;
    }
    this.queue.pump();
  }

  private onRequest(pdu: ServerRequest, session: ServerSession<Delivery>, bind: Bind): void {
    switch (pdu.command) {
      case 'submit_sm':
      case 'data_sm':
        bind.unanswered++;
        this.received++;
        this.submit({ pdu, bind, data: readUserData(pdu) });
        return;
      case 'query_sm':
        session.respond(pdu.sequence_number, STATUS.ESME_RQUERYFAIL);
        return;
      case 'cancel_sm':
        session.respond(pdu.sequence_number, STATUS.ESME_RCANCELFAIL);
        return;
      case 'replace_sm':
        session.respond(pdu.sequence_number, STATUS.ESME_RREPLACEFAIL);
        return;
      default:
        session.respond(pdu.sequence_number, STATUS.ESME_RINVCMDID);
    }
  }

  private submit(submit: Submit): void {
    const status = this.gateStatus(submit.bind);
    if (status !== STATUS.ESME_ROK) {
      this.refuse(submit, status);
      return;
    }
    const { destination_addr: destination } = submit.pdu;
    const outcome =
      overriddenOutcome(destination) ??
      chooseOutcome(this.profile.outcomes, hashedChance(this.seed, destination, this.counts.copiesTo(destination)));
    const fault = outcome.fault ?? this.drawFault();
    if (fault === 'generic_nack') this.nack(submit);
    else if (outcome.status !== STATUS.ESME_ROK) this.refuse(submit, outcome.status);
    else this.accept(submit, outcome, fault);
  }

  private gateStatus(bind: Bind): number {
    const { faults, profile } = this;
    for (const { status, rate } of faults.errors) if (this.random() < rate) return status;
    if (profile.window > 0 && bind.unanswered > profile.window) return STATUS.ESME_RTHROTTLED;
    return this.rate.take(profile.tps) ? STATUS.ESME_ROK : STATUS.ESME_RTHROTTLED;
  }

  private drawFault(): MessageFault | undefined {
    const { faults } = this;
    if (faults === NO_FAULTS) return undefined;
    if (this.random() < faults.genericNack) return 'generic_nack';
    if (this.random() < faults.lostResponse) return 'lost_response';
    if (this.random() < faults.lateResponse) return 'late_response';
    if (this.random() < faults.wrongSequence) return 'wrong_sequence';
    if (this.random() < faults.earlyReceipt) return 'early_receipt';
    if (this.random() < faults.duplicateReceipt) return 'duplicate_receipt';
    return this.random() < faults.lateReceipt ? 'late_receipt' : undefined;
  }

  private refuse(submit: Submit, status: number): void {
    this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1);
    this.journal.append(this.index, submit.pdu, submit.data.octets, submit.data.concatenation, status, '');
    this.respondAfter(this.drawLatency(), submit, status, '');
  }

  private nack(submit: Submit): void {
    const { pdu, bind, data } = submit;
    this.journal.append(this.index, pdu, data.octets, data.concatenation, STATUS.ESME_RSYSERR, '');
    this.release(submit);
    const { sequence_number } = pdu;
    bind.session.write(makePdu('generic_nack', { sequence_number, command_status: STATUS.ESME_RSYSERR }));
  }

  private accept(submit: Submit, outcome: Outcome, fault: MessageFault | undefined): void {
    const { pdu, data } = submit;
    const id = makeMessageId(this.profile.idFormat, this.nextId++, this.seed);
    this.peak.add();
    this.counts.add(pdu.source_addr, pdu.destination_addr, data.octets, data.concatenation);
    this.journal.append(this.index, pdu, data.octets, data.concatenation, STATUS.ESME_ROK, id);
    this.report(submit, id, outcome, fault);
    if (this.faults.disconnect > 0 && this.random() < this.faults.disconnect) {
      endSession(submit.bind.session, this.faults.disconnectHow);
      return;
    }
    this.answer(submit, id, fault);
  }

  private answer(submit: Submit, id: string, fault: MessageFault | undefined): void {
    const latency = this.drawLatency();
    switch (fault) {
      case 'lost_response':
        this.release(submit);
        return;
      case 'wrong_sequence': {
        this.release(submit);
        // Far from every number in use.
        const sequence_number = (submit.pdu.sequence_number + 1_000_003) & 0x7fffffff;
        submit.bind.session.write(makePdu('submit_sm_resp', { sequence_number, message_id: id }));
        return;
      }
      case 'late_response':
        this.respondAfter(latency + this.faults.lateResponseMs, submit, STATUS.ESME_ROK, id);
        return;
      case 'early_receipt':
        this.respondAfter(latency + EARLY_RECEIPT_LEAD_MS, submit, STATUS.ESME_ROK, id);
        return;
      default:
        this.respondAfter(latency, submit, STATUS.ESME_ROK, id);
    }
  }

  private drawLatency(): number {
    const { latency, reorder } = this.profile;
    const drawn = latency.toMs === 0 ? 0 : drawFrom(latency, this.random());
    return reorder > 0 && this.random() < reorder ? drawn + this.random() * REORDER_MS : drawn;
  }

  private respondAfter(delayMs: number, submit: Submit, status: number, id: string): void {
    if (delayMs === 0) this.respond(submit, status, id);
    else this.later(delayMs, () => this.respond(submit, status, id));
  }

  private respond({ pdu, bind }: Submit, status: number, id: string): void {
    if (bind.closed) return;
    bind.unanswered--;
    const { sequence_number } = pdu;
    if (pdu.command === 'submit_sm') bind.session.respondSubmit(sequence_number, status, id);
    else bind.session.respond(sequence_number, status, { message_id: id });
    if (this.faults.duplicateResponse > 0 && this.random() < this.faults.duplicateResponse) {
      bind.session.write(makePdu(`${pdu.command}_resp`, { sequence_number, command_status: status, message_id: id }));
    }
  }

  /** The request will get no response of its own. */
  private release({ pdu, bind }: Submit): void {
    bind.unanswered--;
    bind.session.discard(pdu.sequence_number);
  }

  private report({ pdu, data }: Submit, id: string, outcome: Outcome, fault: MessageFault | undefined): void {
    if (this.faults.lostReceipt > 0 && this.random() < this.faults.lostReceipt) return;
    const reports = outcome.receipts.filter(({ stat }) => isWanted(pdu.registered_delivery, stat));
    if (reports.length === 0) return;
    const message: AcceptedMessage = {
      id,
      source: pdu.source_addr,
      sourceTon: pdu.source_addr_ton,
      sourceNpi: pdu.source_addr_npi,
      destination: pdu.destination_addr,
      destinationTon: pdu.dest_addr_ton,
      destinationNpi: pdu.dest_addr_npi,
      submittedAt: Date.now(),
      excerpt: textOf(data.octets.subarray(0, EXCERPT_OCTETS), pdu.data_coding),
    };
    const late = fault === 'late_receipt' ? this.faults.lateReceiptMs : 0;
    let delay = fault === 'early_receipt' ? 0 : late + drawFrom(this.profile.receiptDelay, this.random());
    for (const report of reports) {
      this.reportAfter(delay, message, report);
      if (fault === 'duplicate_receipt') this.reportAfter(delay, message, report);
      delay += Math.max(20, drawFrom(this.profile.receiptDelay, this.random()));
    }
  }

  private reportAfter(delayMs: number, message: AcceptedMessage, report: { stat: string; err: string }): void {
    if (delayMs === 0) {
      this.enqueueReceipt(message, report);
      return;
    }
    this.scheduledReceipts++;
    this.wheel.after(delayMs, () => {
      this.scheduledReceipts--;
      this.enqueueReceipt(message, report);
    });
  }

  private enqueueReceipt(message: AcceptedMessage, report: { stat: string; err: string }): void {
    this.queue.add({
      isReceipt: true,
      encode: () => encodeReceipt(this.profile, buildReceipt(this.profile, message, report, Date.now())),
    });
  }

  private later(delayMs: number, run: () => void): void {
    this.wheel.after(delayMs, () => {
      if (this.faults.frozen) this.later(FROZEN_RETRY_MS, run);
      else run();
    });
  }
}

/** registered_delivery, SMPP 3.4 §5.2.17: 1 every final receipt, 2 failures; bit 4 asks for the intermediate ones. */
function isWanted(registeredDelivery: number, stat: string): boolean {
  if (stat === 'ENROUTE' && (registeredDelivery & 0x10) !== 0) return true;
  switch (registeredDelivery & 3) {
    case 1:
      return true;
    case 2:
      return stat !== 'DELIVRD';
    default:
      return false;
  }
}

function endSession(session: ServerSession<Delivery>, how: DisconnectHow): void {
  switch (how) {
    case 'unbind':
      void session.stop(0);
      return;
    case 'reset':
      session.reset();
      return;
    case 'close':
      session.close();
      return;
  }
}
