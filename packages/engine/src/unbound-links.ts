/**
 * Hands back what was claimed for accounts without a bind here: another process may have one. Codes immediately, the
 * rest when no bind came back for a while, so that a short loss moves nothing. All of it immediately if the account must
 * not be used: it may have another route.
 */
import { SmsType } from '@pahatid/contract/enums';
import type { BatchProgress } from './batch-progress.ts';
import type { EngineContext } from './engine-context.ts';
import type { LinkSender } from './link-sender.ts';

export class UnboundLinks {
  private readonly context: EngineContext;
  /** Since when there is no bind, monotonic milliseconds. */
  private readonly since = new Map<LinkSender, number>();

  constructor(context: EngineContext) {
    this.context = context;
  }

  checkAll(): void {
    for (const sender of this.context.holdings.senders.values()) this.check(sender);
  }

  check(sender: LinkSender): void {
    const { binds, isBlocked } = sender.link;
    if (binds.length > 0 && !isBlocked) {
      this.since.delete(sender);
      return;
    }
    const { clock, holdings, settings } = this.context;
    const now = clock.now();
    const since = this.since.get(sender);
    if (since === undefined) {
      this.since.set(sender, now);
      // The response that ended the last session is still being counted.
      clock.setTimer(() => this.check(sender), 0);
      return;
    }
    const isLong = isBlocked || now - since >= settings.unboundMs;
    // Counts of refusals are lost with a batch: while binds come and go they must not begin again each time.
    const isDue = (batch: BatchProgress): boolean =>
      isLong || (batch.claimed.lane === SmsType.Verification && !batch.hasRefused);
    const due = sender.batches.filter((batch) => !batch.closing && isDue(batch));
    for (const batch of due) holdings.close(batch);
    if (due.length > 0) this.context.consider();
  }
}
