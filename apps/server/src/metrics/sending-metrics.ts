/**
 * Outcomes of messages, by lane and supplier account. Counted where rows change, after the commit, by the process that
 * made the change; so the sums over all processes equal those of the rows.
 *
 * The message path is hot: it adds to plain numbers here, which become metrics on request.
 */
import { SendStatus } from '@pahatid/contract/enums';
import { getReceiptColumn } from '@pahatid/domain';
import type { RowState } from '@pahatid/engine';
import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from './registry.ts';
import { supplierName } from './supplier-names.ts';

export const LANE_NAMES = ['verification', 'notification', 'marketing'] as const;
const OUTCOMES = ['submitted', 'failed', 'in_doubt', 'delivered', 'undelivered', 'unknown', 'resent'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const outcomeOfReceipt = { success: 'delivered', fail: 'undelivered', unknown: 'unknown' } as const;
const width = OUTCOMES.length;
const indexOf = Object.fromEntries(OUTCOMES.map((outcome, index) => [outcome, index])) as Record<Outcome, number>;

/** Counts of one transaction, or of a process: by supplier, then lane and outcome in one row of numbers. */
export class OutcomeCounts {
  private readonly bySupplier = new Map<string, number[]>();

  /** `lane`: 1 to 3. */
  add(supplierId: string, lane: number, outcome: Outcome, count = 1): void {
    let counts = this.bySupplier.get(supplierId);
    if (counts === undefined) {
      counts = new Array<number>(LANE_NAMES.length * width).fill(0);
      this.bySupplier.set(supplierId, counts);
    }
    const at = (lane - 1) * width + indexOf[outcome];
    counts[at] = (counts[at] ?? 0) + count;
  }

  /** Counts the change of one row. A later receipt that corrects an earlier one counts as well. */
  addChange(supplierId: string, lane: number, before: RowState, after: RowState): void {
    if (after.sendStatus !== before.sendStatus) {
      if (after.sendStatus === SendStatus.Successful) this.add(supplierId, lane, 'submitted');
      else if (after.sendStatus === SendStatus.Failed) this.add(supplierId, lane, 'failed');
      else if (after.sendStatus === SendStatus.Sending) this.add(supplierId, lane, 'in_doubt');
    }
    if (after.clientStatus === before.clientStatus || after.sendStatus !== SendStatus.Successful) return;
    const column = getReceiptColumn(after.clientStatus);
    if (column !== null) this.add(supplierId, lane, outcomeOfReceipt[column]);
  }

  addAll(others: OutcomeCounts): void {
    for (const [supplierId, lane, outcome, count] of others.entries()) this.add(supplierId, lane, outcome, count);
  }

  *entries(): Generator<[supplierId: string, lane: number, outcome: Outcome, count: number]> {
    for (const [supplierId, counts] of this.bySupplier) {
      for (const [at, count] of counts.entries()) {
        if (count > 0) yield [supplierId, Math.floor(at / width) + 1, OUTCOMES[at % width] as Outcome, count];
      }
    }
  }
}

/** Of this process, since it began. */
export const outcomeTotals = new OutcomeCounts();

new Counter({
  name: 'pahatid_messages_total',
  help: 'Messages by what became of them, counted when it was committed.',
  labelNames: ['lane', 'supplier', 'outcome'],
  registers: [registry],
  collect() {
    this.reset();
    for (const [supplierId, lane, outcome, count] of outcomeTotals.entries())
      this.inc({ lane: LANE_NAMES[lane - 1] ?? 'none', supplier: supplierName(supplierId), outcome }, count);
  },
});

const accepted = new Counter({
  name: 'pahatid_messages_accepted_total',
  help: 'Messages that are durable and wait for their sender, or whose task ended before.',
  labelNames: ['lane'],
  registers: [registry],
});

/** To be called after the commit. `lane`: 1 to 3. */
export const countAccepted = (lane: number, count: number): void =>
  accepted.inc({ lane: LANE_NAMES[lane - 1] ?? 'none' }, count);

export const flushDuration = new Histogram({
  name: 'pahatid_flush_duration_seconds',
  help: 'Time of one transaction that makes results, receipts and intent durable: the latency of a commit.',
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
});

export const flushMessages = new Histogram({
  name: 'pahatid_flush_messages',
  help: 'Messages whose row one flush changed.',
  buckets: [0, 1, 10, 50, 100, 250, 500, 1_000, 2_000, 5_000],
  registers: [registry],
});

export const flushFailures = new Counter({
  name: 'pahatid_flush_failures_total',
  help: 'Flushes that the database did not take; each is tried again until it does.',
  registers: [registry],
});

export const setAsideEvents = new Counter({
  name: 'pahatid_events_set_aside_total',
  help: 'Results, receipts and texts that no table could hold: kept by themselves, so that the others were stored.',
  labelNames: ['kind'],
  registers: [registry],
});

export const claimedBatches = new Counter({
  name: 'pahatid_batches_claimed_total',
  help: 'Batches that a sender took.',
  labelNames: ['lane'],
  registers: [registry],
});

export const claimDuration = new Histogram({
  name: 'pahatid_claim_duration_seconds',
  help: 'Time to claim batches of one customer and to load their messages.',
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  registers: [registry],
});

export const lostBatches = new Counter({
  name: 'pahatid_batches_lost_total',
  help: 'Batches that another sender took over while this one believed to own them.',
  registers: [registry],
});

export const recoveredBatches = new Counter({
  name: 'pahatid_batches_recovered_total',
  help: 'Batches of a dead sender that were taken back.',
  registers: [registry],
});

export const sendingRefused = new Gauge({
  name: 'pahatid_sending_refused',
  help: '1 while this process sends nothing because the database may lose what it commits.',
  registers: [registry],
});
