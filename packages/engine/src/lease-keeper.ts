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
    const { clock, holdings, store } = this.context;
    holdings.endOverdue(clock.now());
    for (const batch of [...holdings.leaving.values()]) if (clock.now() > batch.leaseUntil) holdings.leave(batch);
    if (holdings.batches.size + holdings.leaving.size === 0) return;
    for (const batchId of await store.findStopped([...holdings.leaving.keys()])) {
      const batch = holdings.batches.get(batchId);
      if (batch !== undefined && !batch.closing) holdings.close(batch);
      const left = holdings.leaving.get(batchId);
      if (left !== undefined) holdings.leave(left);
    }
    this.context.consider();
  }
}
