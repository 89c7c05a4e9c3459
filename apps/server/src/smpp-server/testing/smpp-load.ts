/** For benches: binds that submit, as fast as their window allows or at a steady rate, and what they were answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectSession, encodePdu, makePdu, type Session } from '@pahatid/smpp';
import { PASSWORD } from './smpp-process.ts';

export const WARM_UP_MS = 2_000;

export interface Tally {
  readonly fromMs: number;
  accepted: number;
  throttled: number;
  readonly latenciesMs: number[];
  /** Of those refused with ESME_RTHROTTLED. */
  readonly refusalsMs: number[];
}

export const newTally = (warmUpMs = WARM_UP_MS): Tally => ({
  fromMs: performance.now() + warmUpMs,
  accepted: 0,
  throttled: 0,
  latenciesMs: [],
  refusalsMs: [],
});

let number = 0;
const nextPdu = (source: string): Buffer => {
  number += 1;
  return encodePdu(
    makePdu('submit_sm', {
      source_addr: source,
      dest_addr_ton: 1,
      destination_addr: `63917${String(number % 10_000_000).padStart(7, '0')}`,
      registered_delivery: 1,
      short_message: Buffer.from(`Your order ${100_000 + (number % 900_000)} is ready.`),
    }),
  );
};

/** One bind that submits, as fast as its window allows or as `due` says. */
export class Load {
  tally: Tally = newTally();
  /** Instants at which submits are due; null: immediately. */
  due: (() => number) | null = null;
  private readonly source: string;
  private session!: Session<number>;
  private active = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(source: string) {
    this.source = source;
  }

  async bind(port: number, systemId: string): Promise<void> {
    const result = await connectSession<number>(
      { host: '127.0.0.1', port, mode: 'transceiver', system_id: systemId, password: PASSWORD, window: 100 },
      {
        onResponse: (dueMs, status) => this.note(dueMs, status),
        onUnknown: () => undefined,
        onWindow: () => this.fill(),
        onDeliver: (_pdu, respond) => void respond(),
        onClose: () => undefined,
      },
    );
    if (!result.bound) throw new Error(`bind: ${result.reason} ${String(result.status)}`);
    this.session = result.session;
  }

  start(tally: Tally, due: (() => number) | null): void {
    Object.assign(this, { tally, due, active: true });
    this.fill();
  }

  /** Submits so many as fast as the window allows, and waits for their responses. */
  async burst(count: number): Promise<Tally> {
    this.start(newTally(0), null);
    while (this.tally.accepted + this.tally.throttled < count) await sleep(1);
    await this.stop();
    return this.tally;
  }

  async stop(): Promise<void> {
    this.active = false;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    while (this.session.outstanding > 0) await sleep(5);
  }

  close(): void {
    this.session.close();
  }

  private note(dueMs: number, status: number): void {
    const now = performance.now();
    if (now < this.tally.fromMs) return;
    if (status === 0) {
      this.tally.accepted += 1;
      this.tally.latenciesMs.push(now - dueMs);
      return;
    }
    this.tally.throttled += 1;
    this.tally.refusalsMs.push(now - dueMs);
  }

  private pending: number | null = null;

  private fill(): void {
    if (!this.active || this.timer !== null) return;
    while (this.session.writableSlots > 0) {
      const now = performance.now();
      const dueMs = this.pending ?? this.due?.() ?? now;
      if (dueMs > now) {
        this.pending = dueMs;
        this.timer = setTimeout(() => {
          this.timer = null;
          this.fill();
        }, dueMs - now);
        return;
      }
      this.pending = null;
      this.session.sendEncoded(nextPdu(this.source), dueMs);
    }
  }
}

/** One clock for several binds: each due instant is of one of them. */
export const steady = (perSecond: number): (() => number) => {
  let next = performance.now();
  return () => {
    next += 1_000 / perSecond;
    return next;
  };
};

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

export async function bindAll(port: number, systemId: string, source: string, count: number): Promise<Load[]> {
  const loads = Array.from({ length: count }, () => new Load(source));
  for (const load of loads) await load.bind(port, systemId);
  return loads;
}
