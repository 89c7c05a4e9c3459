/** Outcomes of accepted messages, reported by receipts when they are due. */
import type { DataSm, DeliverSm } from '@pahatid/smpp';
import type { CarrierState, Submit } from './answering.ts';
import { type AcceptedMessage, makeReceipt, type Report } from './build-deliver.ts';
import type { DeliverQueue, Delivery } from './deliver-queue.ts';
import { textOf } from './journal-store.ts';
import type { MessageFault, Outcome } from './outcomes.ts';
import { drawFrom } from './random.ts';
import type { TimerWheel } from './timer-wheel.ts';

/** Twenty characters of UCS-2; a receipt quotes no more. */
const EXCERPT_OCTETS = 40;
/** Between two receipts on one message. */
const LEAST_GAP_MS = 20;

export class Reporting {
  /** Receipts that are due later. */
  scheduled = 0;
  private readonly carrier: CarrierState;
  private readonly wheel: TimerWheel;
  private readonly queue: DeliverQueue;
  private readonly random: () => number;

  constructor(carrier: CarrierState, wheel: TimerWheel, queue: DeliverQueue, random: () => number) {
    this.carrier = carrier;
    this.wheel = wheel;
    this.queue = queue;
    this.random = random;
  }

  report({ pdu, data }: Submit, id: string, outcome: Outcome, fault: MessageFault | undefined): void {
    const { faults, profile } = this.carrier;
    if (faults.lostReceipt > 0 && this.random() < faults.lostReceipt) return;
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
      excerpt: textOf(data.octets.subarray(0, EXCERPT_OCTETS), pdu.data_coding, profile.defaultAlphabet),
    };
    const late = fault === 'late_receipt' ? faults.lateReceiptMs : 0;
    let delay = fault === 'early_receipt' ? 0 : late + drawFrom(profile.receiptDelay, this.random());
    for (const report of reports) {
      this.sendAfter(delay, message, report);
      if (fault === 'duplicate_receipt') this.sendAfter(delay, message, report);
      delay += Math.max(LEAST_GAP_MS, drawFrom(profile.receiptDelay, this.random()));
    }
  }

  /** A receipt that is due now. */
  send(message: AcceptedMessage, report: Report): void {
    this.queue.add(new ReceiptDelivery(this.carrier, message, report));
  }

  private sendAfter(delayMs: number, message: AcceptedMessage, report: Report): void {
    if (delayMs === 0) {
      this.send(message, report);
      return;
    }
    this.scheduled++;
    this.wheel.after(delayMs, () => {
      this.scheduled--;
      this.send(message, report);
    });
  }
}

class ReceiptDelivery implements Delivery {
  private readonly carrier: CarrierState;
  private readonly message: AcceptedMessage;
  private readonly report: Report;

  constructor(carrier: CarrierState, message: AcceptedMessage, report: Report) {
    this.carrier = carrier;
    this.message = message;
    this.report = report;
  }

  make(): DeliverSm | DataSm | Buffer {
    return makeReceipt(this.carrier.profile, this.message, this.report, Date.now());
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
