import type { Outgoing } from './outgoing.ts';
import type { CarrierBind, Submission } from './ports.ts';

/** A part on the wire, with the bind it went to. */
export class PartSubmission implements Submission<Outgoing> {
  readonly message: Outgoing;
  readonly part: number;
  readonly attempt: number;
  readonly sentAt: number;
  readonly validForMs: number | null;
  readonly bind: CarrierBind;

  constructor(message: Outgoing, part: number, sentAt: number, bind: CarrierBind) {
    this.message = message;
    this.part = part;
    this.attempt = message.attempt;
    this.sentAt = sentAt;
    const { validUntil } = message.batch;
    this.validForMs = validUntil === Number.POSITIVE_INFINITY ? null : validUntil - sentAt;
    this.bind = bind;
  }
}
