import type { DataSm, DeliverSm, ServerSession } from '@pahatid/smpp';

/** Something for the customer: a receipt or a message. It is made when it is sent, and again when it is repeated. */
export type Delivery = { make(): DeliverSm | DataSm | Buffer };

export type DeliveryCounters = {
  queued: number;
  sent: number;
  acknowledged: number;
  /** Answered with a status that asks for another try. */
  retried: number;
  /** Answered with another status: given up. */
  refused: number;
  /** Sent again because the session ended, or nothing came, before the acknowledgement. */
  repeated: number;
};

/** ESME_RSYSERR, ESME_RMSGQFUL, ESME_RTHROTTLED, ESME_RX_T_APPN: the customer asks for another try. */
const TRY_AGAIN: ReadonlySet<number> = new Set([0x08, 0x14, 0x58, 0x64]);

/**
 * Deliveries waiting for the customer's binds. A delivery stays queued until it is acknowledged: those that a lost
 * session had not acknowledged go first on the next one.
 */
export class DeliverQueue {
  readonly counters: DeliveryCounters = { queued: 0, sent: 0, acknowledged: 0, retried: 0, refused: 0, repeated: 0 };
  private waiting: Delivery[] = [];
  private head = 0;
  private again: Delivery[] = [];
  private readonly binds: () => Iterable<ServerSession<Delivery>>;
  private readonly mayDeliver: () => boolean;

  constructor(binds: () => Iterable<ServerSession<Delivery>>, mayDeliver: () => boolean) {
    this.binds = binds;
    this.mayDeliver = mayDeliver;
  }

  get length(): number {
    return this.waiting.length - this.head + this.again.length;
  }

  add(delivery: Delivery): void {
    this.counters.queued++;
    this.waiting.push(delivery);
    this.pump();
  }

  /** Sends as much as the windows of the binds take. */
  pump(): void {
    if (this.length === 0 || !this.mayDeliver()) return;
    for (const session of this.binds()) {
      if (session.mode === 'transmitter') continue;
      for (let slots = session.writableSlots; slots > 0; slots--) {
        const delivery = this.take();
        if (delivery === undefined) return;
        this.counters.sent++;
        const made = delivery.make();
        if (Buffer.isBuffer(made)) session.sendEncoded(made, delivery);
        else session.send(made, delivery);
      }
    }
  }

  /** Returns true if the delivery must be retried, after a delay that the caller chooses, by `giveBack`. */
  onAnswer(status: number): boolean {
    if (TRY_AGAIN.has(status)) {
      this.counters.retried++;
      return true;
    }
    if (status === 0) this.counters.acknowledged++;
    else this.counters.refused++;
    return false;
  }

  onUnanswered(delivery: Delivery): void {
    this.counters.repeated++;
    this.again.push(delivery);
  }

  giveBack(delivery: Delivery): void {
    this.again.push(delivery);
    this.pump();
  }

  clear(): void {
    this.waiting = [];
    this.again = [];
    this.head = 0;
  }

  private take(): Delivery | undefined {
    const again = this.again.shift();
    if (again !== undefined) return again;
    const delivery = this.waiting[this.head];
    if (delivery === undefined) return undefined;
    this.head++;
    if (this.head > 4_096 && this.head * 2 > this.waiting.length) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
    return delivery;
  }
}
