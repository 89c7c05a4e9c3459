/**
 * Queue metrics, read from the database. All machines report the same values, so dashboards take the maximum and don't
 * add. Read at most every few seconds, however often requested; if the database does not respond, there is no value
 * rather than an old one.
 */
import { type QueueFigures, readQueueFigures } from '@pahatid/db/queries/metrics';
import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import { registry } from './registry.ts';
import { LANE_NAMES } from './sending-metrics.ts';

const FRESH_MS = 5_000;

const makeReader = <Figures>(read: () => Promise<Figures>): (() => Promise<Figures | null>) => {
  let readAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<Figures | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - readAt >= FRESH_MS) {
      readAt = performance.now();
      latest = read().catch(() => null);
    }
    return latest;
  };
};

/** Adds the gauge to this process. Once a process. */
export function watchDatabaseRisks(listRisks: () => Promise<readonly { readonly kind: string }[]>): void {
  const read = makeReader(listRisks);
  new Gauge({
    name: 'pahatid_database_risk',
    help: '1 while the database may lose what it commits, or not commit.',
    labelNames: ['risk'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { kind } of (await read()) ?? []) this.set({ risk: kind }, 1);
    },
  });
}

/** Adds the gauges to this process. Once a process. */
export function watchQueue(pool: Pool): void {
  const read = makeReader(() => readQueueFigures(pool));
  const byLane = (name: string, help: string, pick: (lane: QueueFigures['lanes'][number]) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['lane'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const lane of (await read())?.lanes ?? [])
          this.set({ lane: LANE_NAMES[lane.lane - 1] ?? 'none' }, pick(lane));
      },
    });
  };
  const one = (name: string, help: string, pick: (figures: QueueFigures) => number): void => {
    new Gauge({
      name,
      help,
      // A gauge without labels reports 0 by default; one that was not read must report nothing.
      labelNames: [],
      registers: [registry],
      async collect() {
        const figures = await read();
        if (figures === null) this.remove();
        else this.set(pick(figures));
      },
    });
  };
  byLane('pahatid_queue_batches', 'Batches that wait for a sender.', (lane) => lane.readyBatches);
  byLane(
    'pahatid_queue_messages',
    'Messages in them, those with an outcome already included.',
    (lane) => lane.readyMessages,
  );
  byLane('pahatid_queue_parked_batches', 'Of them, batches that may not be sent now.', (lane) => lane.parkedBatches);
  byLane('pahatid_queue_claimed_batches', 'Batches that senders have taken.', (lane) => lane.claimedBatches);
  byLane(
    'pahatid_queue_age_seconds',
    'Age of the oldest batch that waits and may be sent: not of a paused task, not deferred.',
    (lane) => lane.oldestSeconds,
  );
  one('pahatid_in_doubt_open', 'Messages in doubt that nothing has resolved.', (figures) => figures.inDoubt);
  one('pahatid_in_doubt_age_seconds', 'Age of the oldest of them.', (figures) => figures.inDoubtSeconds);
  one('pahatid_receipts_unmatched', 'Receipts that match no message yet.', (figures) => figures.unmatchedReceipts);
  one('pahatid_receipts_unmatched_age_seconds', 'Age of the oldest of them.', (figures) => figures.unmatchedSeconds);
}
