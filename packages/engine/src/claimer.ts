/** Looks for work and claims it: fairly over customers, codes first, no more than the links can use soon. */
import type { SmsType } from '@pahatid/contract';
import type { EngineContext } from './engine-context.ts';
import { FairChoice } from './fair-choice.ts';

/** Batches of one customer claimed in one turn. */
const CLAIM_TURN = 2;

export class Claimer {
  /** The last look ended for want of room. */
  mayHaveMore = false;
  private readonly context: EngineContext;
  private readonly fair = new FairChoice();
  private claiming = false;
  private again = false;

  constructor(context: EngineContext) {
    this.context = context;
  }

  async claim(): Promise<void> {
    const { events, life } = this.context;
    if (life.stopping || life.ended) return;
    if (this.claiming) {
      this.again = true;
      return;
    }
    this.claiming = true;
    try {
      do {
        this.again = false;
      } while ((await this.claimRound()) || this.again);
    } catch (error) {
      events.onError?.('claim', error);
    } finally {
      this.claiming = false;
    }
  }

  /** True when something was claimed and there may be more. */
  private async claimRound(): Promise<boolean> {
    const { clock, holdings, life, settings, store } = this.context;
    const suppliers = [...new Set([...this.roomy(1), ...this.roomy(2)])];
    this.mayHaveMore = suppliers.length === 0;
    if (life.stopping || this.mayHaveMore) return false;
    const waiting = await store.findWaiting(suppliers);
    let claimed = 0;
    for (const each of this.fair.order(waiting, (customerId, lane) => this.loadOf(customerId, lane))) {
      const supplierIds = this.roomy(each.lane);
      if (life.stopping || supplierIds.length === 0) {
        this.mayHaveMore = true;
        continue;
      }
      const leaseUntil = clock.now() + settings.leaseMs;
      const batches = await store.claim({
        ...each,
        supplierIds,
        limit: CLAIM_TURN,
        except: [...holdings.batches.keys()],
      });
      this.fair.served(each);
      for (const batch of batches) {
        const added = holdings.add(batch, leaseUntil);
        if (life.stopping) added?.close();
        this.context.consider();
      }
      claimed += batches.length;
    }
    return claimed > 0;
  }

  /** Supplier accounts that can use more of a lane soon. */
  private roomy(lane: SmsType): string[] {
    const senders = [...this.context.holdings.senders.values()];
    return senders.filter((each) => each.wantsMore(lane)).map((each) => each.link.supplierId);
  }

  private loadOf(customerId: string, lane: SmsType): number {
    let sum = 0;
    for (const { claimed, queued } of this.context.holdings.batches.values()) {
      if (claimed.customerId === customerId && claimed.lane === lane) sum += queued;
    }
    return sum;
  }
}
