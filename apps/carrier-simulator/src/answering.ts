/** How a carrier answers submits: after its latency, and with the errors that its faults configure. */
import { type DataSm, makePdu, type ServerSession, STATUS, type SubmitSm, type UserData } from '@pahatid/smpp';
import type { Delivery } from './deliver-queue.ts';
import type { Faults } from './faults.ts';
import { malformedOctets } from './malformed.ts';
import type { MessageFault } from './outcomes.ts';
import type { CarrierProfile } from './profiles.ts';
import { drawFrom, isZero } from './random.ts';
import type { TimerWheel } from './timer-wheel.ts';

export type Bind = {
  session: ServerSession<Delivery>;
  /** submit_sm and data_sm that have no response yet. */
  unanswered: number;
  /** Requests read since the last pause of a slow reader. */
  read: number;
  closed: boolean;
};
export type Submit = { pdu: SubmitSm | DataSm; bind: Bind; data: UserData };
/** Carrier state that the parts read for each message, because it may change at any time. */
export type CarrierState = { readonly profile: CarrierProfile; readonly faults: Faults };

/** Minimum delay of the response when its receipt is sent first. */
const EARLY_RECEIPT_LEAD_MS = 50;
const REORDER_MS = 50;
const FROZEN_RETRY_MS = 50;

export class Answering {
  private readonly carrier: CarrierState;
  private readonly wheel: TimerWheel;
  private readonly random: () => number;

  constructor(carrier: CarrierState, wheel: TimerWheel, random: () => number) {
    this.carrier = carrier;
    this.wheel = wheel;
    this.random = random;
  }

  refuse(submit: Submit, status: number): void {
    this.respondAfter(this.drawLatency(), submit, status, '');
  }

  nack(submit: Submit): void {
    this.release(submit);
    const { sequence_number } = submit.pdu;
    submit.bind.session.write(makePdu('generic_nack', { sequence_number, command_status: STATUS.ESME_RSYSERR }));
  }

  /** Responds to an accepted submit, unless the fault suppresses the response. */
  accept(submit: Submit, id: string, fault: MessageFault | undefined): void {
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
        this.respondAfter(latency + this.carrier.faults.lateResponseMs, submit, STATUS.ESME_ROK, id);
        return;
      case 'early_receipt':
        this.respondAfter(latency + EARLY_RECEIPT_LEAD_MS, submit, STATUS.ESME_ROK, id);
        return;
      default:
        this.respondAfter(latency, submit, STATUS.ESME_ROK, id);
    }
  }

  private drawLatency(): number {
    const { latency, reorder } = this.carrier.profile;
    const drawn = isZero(latency) ? 0 : drawFrom(latency, this.random());
    return reorder > 0 && this.random() < reorder ? drawn + this.random() * REORDER_MS : drawn;
  }

  private respondAfter(delayMs: number, submit: Submit, status: number, id: string): void {
    if (delayMs === 0) this.respond(submit, status, id);
    else this.later(delayMs, () => this.respond(submit, status, id));
  }

  private respond({ pdu, bind }: Submit, status: number, id: string): void {
    if (bind.closed) return;
    const { faults } = this.carrier;
    bind.unanswered--;
    if (faults.malformed > 0 && this.random() < faults.malformed) {
      bind.session.writeOctets(malformedOctets(faults.malformedName, this.random()));
    }
    const { sequence_number } = pdu;
    if (pdu.command === 'submit_sm') bind.session.respondSubmit(sequence_number, status, id);
    else bind.session.respond(sequence_number, status, { message_id: id });
    if (faults.duplicateResponse > 0 && this.random() < faults.duplicateResponse) {
      bind.session.write(makePdu(`${pdu.command}_resp`, { sequence_number, command_status: status, message_id: id }));
    }
  }

  /** The request gets no separate response. */
  private release({ pdu, bind }: Submit): void {
    bind.unanswered--;
    bind.session.discard(pdu.sequence_number);
  }

  /** A frozen carrier sends nothing, even if it is due. */
  private later(delayMs: number, run: () => void): void {
    this.wheel.after(delayMs, () => {
      if (this.carrier.faults.frozen) this.later(FROZEN_RETRY_MS, run);
      else run();
    });
  }
}
