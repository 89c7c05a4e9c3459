/** Writes ready messages as slots and pace allow: immediately on events, and by a timer for each paced account. */
import type { Timer } from './clock.ts';
import type { EngineContext } from './engine-context.ts';
import type { LinkSender } from './link-sender.ts';

/** A lease that ran out is looked at again. */
const LEASE_WAIT_MS = 100;

export class Pumps {
  private readonly context: EngineContext;
  private readonly timers = new Map<LinkSender, Timer & { at: number }>();

  constructor(context: EngineContext) {
    this.context = context;
  }

  pump(sender: LinkSender): void {
    const { clock, holdings, life } = this.context;
    if (life.ended) return;
    const wall = clock.wall();
    const now = clock.now();
    for (;;) {
      const result = sender.pump(now, (outgoing) => {
        outgoing.submittedMs = wall;
      });
      if (result.state === 'waiting') return;
      if (result.state === 'overdue') {
        const { batch } = result.outgoing;
        const own = holdings.batches.get(batch.claimed.batchId);
        if (holdings.isLeft(batch)) holdings.endLeft(sender, result.outgoing);
        // What another process has is ended there.
        else if (own === undefined || own !== batch) holdings.abandon(sender, result.outgoing);
        else {
          holdings.endBatch(own);
          this.context.consider();
        }
        continue;
      }
      // A lease that another has is not renewed: what waits for it would hold up all behind it.
      if (result.state === 'leaseOver' && result.outgoing.batch.lost) {
        holdings.abandon(sender, result.outgoing);
        continue;
      }
      this.pumpAfter(sender, now, result.state === 'paced' ? Math.max(1, result.waitMs) : LEASE_WAIT_MS);
      return;
    }
  }

  pumpAll(): void {
    for (const sender of this.context.holdings.senders.values()) this.pump(sender);
  }

  end(): void {
    for (const timer of this.timers.values()) timer.cancel();
  }

  private pumpAfter(sender: LinkSender, now: number, waitMs: number): void {
    const at = now + waitMs;
    const known = this.timers.get(sender);
    if (known !== undefined) {
      // After a raise of the pace the next segment is due sooner than was thought.
      if (known.at <= at + 1) return;
      known.cancel();
    }
    const timer = this.context.clock.setTimer(() => {
      this.timers.delete(sender);
      this.pump(sender);
      this.context.consider();
    }, waitMs);
    this.timers.set(sender, { at, cancel: () => timer.cancel() });
  }
}
