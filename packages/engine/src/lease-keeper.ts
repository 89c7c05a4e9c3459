/** Keeps the claimed batches ours, and lets go of those that must stop. */
import type { EngineContext } from './engine-context.ts';

export class LeaseKeeper {
  private readonly context: EngineContext;

  constructor(context: EngineContext) {
    this.context = context;
  }

  async renew(): Promise<void> {
    const { clock, holdings, settings, store } = this.context;
    if (holdings.batches.size === 0) return;
    const known = [...holdings.batches.values()];
    const leaseUntil = clock.now() + settings.leaseMs;
    const held = new Set(await store.renew(known.map((batch) => batch.claimed.batchId)));
    const gone: bigint[] = [];
    for (const batch of known) {
      if (held.has(batch.claimed.batchId)) batch.leaseUntil = leaseUntil;
      else if (holdings.batches.has(batch.claimed.batchId)) gone.push(batch.claimed.batchId);
    }
    holdings.lose(gone, clock.now());
  }

  /** Tasks paused or ended, customers suspended, applications disabled, quiet hours begun. */
  async stopBatches(): Promise<void> {
    const { clock, events, holdings, store } = this.context;
    holdings.endOverdue(clock.now());
    for (const batch of [...holdings.leaving]) if (clock.now() > batch.leaseUntil) holdings.leave(batch);
    const unwritten = holdings.takeUnwritten();
    if (unwritten > 0) events.onUnwritten?.(unwritten);
    if (holdings.batches.size + holdings.leaving.size === 0) return;
    const left = new Set([...holdings.leaving].map(({ claimed }) => claimed.batchId));
    const stopped = new Set(await store.findStopped([...left]));
    for (const batchId of stopped) {
      const batch = holdings.batches.get(batchId);
      if (batch !== undefined && !batch.closing) holdings.close(batch);
    }
    for (const batch of [...holdings.leaving]) if (stopped.has(batch.claimed.batchId)) holdings.leave(batch);
    this.context.consider();
  }
}
