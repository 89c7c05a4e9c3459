/** How a carrier answers query_sm: with the final states of the newest messages that it accepted. */
import { formatAbsoluteTime, MESSAGE_STATE, type PduOf, type ServerSession, STATUS, stateOfStat } from '@pahatid/smpp';
import type { CarrierState } from './answering.ts';
import type { Delivery } from './deliver-queue.ts';
import type { Outcome } from './outcomes.ts';

const REMEMBERED = 20_000;
/** Philippine time: carriers write their own. */
const OFFSET_MINUTES = 480;

type Remembered = { readonly source: string; readonly outcome: Outcome; readonly acceptedAt: number };

export class Querying {
  /** query_sm read so far. */
  asked = 0;
  private readonly carrier: CarrierState;
  private readonly random: () => number;
  private readonly messages = new Map<string, Remembered>();

  constructor(carrier: CarrierState, random: () => number) {
    this.carrier = carrier;
    this.random = random;
  }

  remember(id: string, source: string, outcome: Outcome): void {
    this.messages.set(id, { source, outcome, acceptedAt: Date.now() });
    if (this.messages.size <= REMEMBERED) return;
    for (const oldest of this.messages.keys()) {
      this.messages.delete(oldest);
      return;
    }
  }

  answer(pdu: PduOf<'query_sm'>, session: ServerSession<Delivery>): void {
    const { faults } = this.carrier;
    this.asked++;
    if (faults.lostQuery > 0 && this.random() < faults.lostQuery) {
      session.discard(pdu.sequence_number);
      return;
    }
    const message = this.messages.get(pdu.message_id);
    const status = faults.queryStatus || statusOf(message, pdu.source_addr);
    if (message === undefined || status !== STATUS.ESME_ROK) session.respond(pdu.sequence_number, status);
    else
      session.respond(pdu.sequence_number, STATUS.ESME_ROK, { message_id: pdu.message_id, ...this.stateOf(message) });
  }

  private stateOf({ outcome, acceptedAt }: Remembered) {
    const report = outcome.receipts.at(-1);
    const state = report === undefined ? MESSAGE_STATE.ENROUTE : stateOfStat(report.stat);
    const message_state = this.carrier.faults.queryState || state;
    if (message_state === MESSAGE_STATE.ENROUTE) return { message_state };
    const error_code = Number.parseInt(report?.err ?? '0', 10) & 0xff;
    return { message_state, error_code, final_date: formatAbsoluteTime(new Date(acceptedAt), OFFSET_MINUTES) };
  }
}

/** The source address must be that of the message (SMPP 3.4 §4.8.1). */
function statusOf(message: Remembered | undefined, source: string): number {
  if (message === undefined) return STATUS.ESME_RINVMSGID;
  return message.source === source ? STATUS.ESME_ROK : STATUS.ESME_RQUERYFAIL;
}
