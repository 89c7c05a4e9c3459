/** Finds and claims work: fairly across customers, codes first, no more than the links can use soon. */
import { SmsType } from '@pahatid/contract/enums';
import type { EngineContext } from './engine-context.ts';
import { FairChoice } from './fair-choice.ts';
import type { LinkSender } from './link-sender.ts';
import type { Waiting } from './ports.ts';

/** Batches of one customer claimed in one turn: more than one if an account soon needs more than that. */
const CLAIM_TURN = 2;
const BATCH_MESSAGES = 1_000;
const LEFT_KNOWN = 100;

export class Claimer {
  /** Customers left waiting by the last check for lack of space; some of them are enough. */
  private left: Waiting[] = [];
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

  /** What it claims may still come. */
  get isClaiming(): boolean {
    return this.claiming;
  }

  /** Whether there is now space for some of those left waiting by the last check. */
  get hasRoomAgain(): boolean {
    return this.left.some(
      ({ customerId, lane }) => this.roomy((sender) => sender.wantsMoreOf(customerId, lane)).length > 0,
    );
  }

  /** True when something was claimed and there may be more. */
  private async claimRound(): Promise<boolean> {
    const { life, store } = this.context;
    const suppliers = this.roomy((sender) => sender.hasSpace(1));
    if (life.stopping || suppliers.length === 0) return false;
    const found = await store.findWaiting(suppliers);
    const waiting = this.fair.order(found, (customerId, lane) => this.loadOf(customerId, lane));
    this.left = [];
    let claimed = 0;
    for (const each of waiting) {
      claimed += await this.claimTurn(each);
      // A wake-up call may be for a code: that need not wait until all customers had their turn.
      if (life.stopping || (this.again && each.lane !== SmsType.Verification)) break;
    }
    return claimed > 0;
  }

  private async claimTurn(waiting: Waiting): Promise<number> {
    const { clock, holdings, life, settings, store } = this.context;
    const { customerId, lane } = waiting;
    let limit = 1;
    const supplierIds = this.roomy((sender) => {
      if (!sender.wantsMoreOf(customerId, lane)) return false;
      if (sender.enough >= BATCH_MESSAGES) limit = CLAIM_TURN;
      return true;
    });
    if (life.stopping || supplierIds.length === 0) {
      if (this.left.length < LEFT_KNOWN) this.left.push(waiting);
      return 0;
    }
    const leaseUntil = clock.now() + settings.leaseMs;
    const batches = await store.claim({ ...waiting, supplierIds, limit, except: [...holdings.batches.keys()] });
    this.fair.served(waiting);
    for (const batch of batches) {
      const added = holdings.add(batch, leaseUntil);
      if (life.stopping) added?.close();
      this.context.consider();
    }
    return batches.length;
  }

  private roomy(hasRoom: (sender: LinkSender) => boolean): string[] {
    const senders = [...this.context.holdings.senders.values()];
    return senders.filter(hasRoom).map((each) => each.link.supplierId);
  }

  private loadOf(customerId: string, lane: SmsType): number {
    let sum = 0;
    for (const { claimed, queued } of this.context.holdings.batches.values()) {
      if (claimed.customerId === customerId && claimed.lane === lane) sum += queued;
    }
    return sum;
  }
}
