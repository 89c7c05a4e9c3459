/**
 * One carrier at run time: its binds, the outcome of each submit, the receipts that are due. A submit passes these
 * gates, each of which can end it: requested errors, rate, window, the outcome's own refusal. A submit that passes is
 * accepted, journalled, answered (or not, depending on the faults) and reported on later.
 */
import {
  type BindAnswer,
  type BindRequest,
  readUserData,
  type ServerRequest,
  type ServerSession,
  STATUS,
} from '@pahatid/smpp';
import { Answering, type Bind, type Submit } from './answering.ts';
import { DeliverQueue, type Delivery } from './deliver-queue.ts';
import { changeFaults, type DisconnectHow, type Faults, NO_FAULTS } from './faults.ts';
import { encodeInboundMessage, type InboundMessage } from './inbound-message.ts';
import type { Journal } from './journal.ts';
import { malformedOctets } from './malformed.ts';
import { MessageCounts } from './message-counts.ts';
import { makeMessageId } from './message-ids.ts';
import { chooseOutcome, type MessageFault, type Outcome, overriddenOutcome } from './outcomes.ts';
import { type CarrierChange, type CarrierProfile, changeProfile } from './profiles.ts';
import { Querying } from './querying.ts';
import { hashedChance, makeRandom } from './random.ts';
import { PeakRate, RateLimit } from './rate-limit.ts';
import { Reporting } from './reporting.ts';
import { TimerWheel } from './timer-wheel.ts';

const DELIVERY_RETRY_MS = 1_000;
/** A slow reader reads this interval's quota in one step, then pauses. */
const SLOW_SLICE_MS = 100;

export class Carrier {
  profile: CarrierProfile;
  faults: Faults = NO_FAULTS;
  readonly counts = new MessageCounts();
  readonly queue: DeliverQueue;
  private readonly answering: Answering;
  private readonly reporting: Reporting;
  private readonly querying: Querying;
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
  private mostBinds = 0;
  private refusedBinds = 0;
  private faultsSince = 0;
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
    this.answering = new Answering(this, this.wheel, this.random);
    this.reporting = new Reporting(this, this.wheel, this.queue, this.random);
    this.querying = new Querying(this, this.random);
  }

  get bindCount(): number {
    return this.binds.size;
  }

  async bind(request: BindRequest): Promise<BindAnswer<Delivery>> {
    const { faults } = this;
    if (faults.bindDelayMs > 0) await new Promise<void>((resolve) => this.wheel.after(faults.bindDelayMs, resolve));
    const status = this.bindStatus(request);
    if (status === STATUS.ESME_ROK) return this.acceptBind();
    this.refusedBinds++;
    return { accept: false, status };
  }

  private bindStatus(request: BindRequest): number {
    if (this.faults.bindStatus !== 0) return this.faults.bindStatus;
    if (request.pdu.password !== this.profile.password) return STATUS.ESME_RINVPASWD;
    return this.binds.size >= this.profile.maxBinds ? STATUS.ESME_RBINDFAIL : STATUS.ESME_ROK;
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
    for (const octets of parts) this.queue.add({ make: () => octets });
    return parts.length;
  }

  /** A malformed PDU to every bind, by its name. */
  sendMalformed(name: string): void {
    this.sendOctets(malformedOctets(name, this.random()));
  }

  /** Sends an unsolicited receipt: for an unknown id, or a second one for a known id. */
  sendReceipt(receipt: { id: string; destination: string; source?: string; stat?: string; err?: string }): void {
    const { id, destination, source = '', stat = 'DELIVRD', err = '000' } = receipt;
    const addresses = { source, sourceTon: 0, sourceNpi: 0, destination, destinationTon: 1, destinationNpi: 1 };
    this.reporting.send({ id, ...addresses, submittedAt: Date.now(), excerpt: '' }, { stat, err });
  }

  counters() {
    const { queued, sent, acknowledged, retried, refused, repeated } = this.queue.counters;
    return {
      binds: this.binds.size,
      mostBinds: this.mostBinds,
      refusedBinds: this.refusedBinds,
      received: this.received,
      queried: this.querying.asked,
      ...this.counts.totals(),
      refused: Object.fromEntries([...this.refusals].map(([status, n]) => [`0x${status.toString(16)}`, n])),
      peakPerSecond: this.peak.peak,
      receiptsScheduled: this.reporting.scheduled,
      deliveriesWaiting: this.queue.length,
      deliveries: { queued, sent, acknowledged, retried, refused, repeated },
    };
  }

  clearCounters(): void {
    this.counts.clear();
    this.peak.clear();
    this.refusals.clear();
    this.received = 0;
    this.querying.asked = 0;
    this.mostBinds = this.binds.size;
    this.refusedBinds = 0;
    Object.assign(this.queue.counters, { queued: 0, sent: 0, acknowledged: 0, retried: 0, refused: 0, repeated: 0 });
  }

  stop(): void {
    // A frozen peer could not unbind.
    this.clearFaults();
    this.wheel.stop();
    this.queue.clear();
  }

  private acceptBind(): BindAnswer<Delivery> {
    let bind: Bind | undefined;
    return {
      accept: true,
      options: { window: this.profile.receiptWindow, inboundLimit: 10_000, inactivityTimeoutMs: 0 },
      onBound: (session) => {
        bind = { session, unanswered: 0, read: 0, closed: false };
        this.binds.set(session, bind);
        this.mostBinds = Math.max(this.mostBinds, this.binds.size);
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
    this.faultsSince = performance.now();
    for (const { session } of this.binds.values()) {
      session.hold(this.faults.frozen);
      session.answersEnquireLink = !this.faults.ignoreEnquireLink;
    }
    this.queue.pump();
  }

  private onRequest(pdu: ServerRequest, session: ServerSession<Delivery>, bind: Bind): void {
    if (this.faults.slowReader > 0) this.readSlowly(bind);
    switch (pdu.command) {
      case 'submit_sm':
      case 'data_sm':
        bind.unanswered++;
        this.received++;
        this.submit({ pdu, bind, data: readUserData(pdu) });
        return;
      case 'query_sm':
        this.querying.answer(pdu, session);
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

  private readSlowly(bind: Bind): void {
    const { slowReader } = this.faults;
    const atOnce = Math.max(1, Math.round((slowReader * SLOW_SLICE_MS) / 1_000));
    if (++bind.read < atOnce) return;
    bind.read = 0;
    bind.session.hold(true);
    this.wheel.after((atOnce * 1_000) / slowReader, () => {
      if (!bind.closed) bind.session.hold(this.faults.frozen);
    });
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
    if (faults.burstForMs > 0 && this.isInBurst()) return faults.burstStatus;
    if (profile.window > 0 && bind.unanswered > profile.window) return STATUS.ESME_RTHROTTLED;
    if (profile.queueLimit > 0 && this.queue.length + this.reporting.scheduled >= profile.queueLimit) {
      return STATUS.ESME_RMSGQFUL;
    }
    return this.rate.take(profile.tps) ? STATUS.ESME_ROK : STATUS.ESME_RTHROTTLED;
  }

  /** Bursts are counted from the moment they were switched on. */
  private isInBurst(): boolean {
    const { burstEveryMs, burstForMs } = this.faults;
    return (performance.now() - this.faultsSince) % Math.max(burstEveryMs, burstForMs) < burstForMs;
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
    this.record(submit, status, '');
    this.answering.refuse(submit, status);
  }

  private nack(submit: Submit): void {
    this.record(submit, STATUS.ESME_RSYSERR, '');
    this.answering.nack(submit);
  }

  private accept(submit: Submit, outcome: Outcome, fault: MessageFault | undefined): void {
    const { pdu, data } = submit;
    const id = makeMessageId(this.profile.idFormat, this.nextId++, this.seed);
    this.peak.add();
    this.counts.add(pdu.source_addr, pdu.destination_addr, data.octets, data.concatenation);
    this.record(submit, STATUS.ESME_ROK, id);
    this.querying.remember(id, pdu.source_addr, outcome);
    this.reporting.report(submit, id, outcome, fault);
    if (this.faults.disconnect > 0 && this.random() < this.faults.disconnect) {
      endSession(submit.bind.session, this.faults.disconnectHow);
      return;
    }
    this.answering.accept(submit, id, fault);
  }

  private record({ pdu, data }: Submit, status: number, id: string): void {
    this.journal.append({ index: this.index, alphabet: this.profile.defaultAlphabet }, pdu, data, status, id);
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
