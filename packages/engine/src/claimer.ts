/** Finds and claims work: fairly across customers, codes first, no more than the links can use soon. */
import { SmsType } from '@pahatid/contract/enums';
import type { EngineContext } from './engine-context.ts';
import { FairChoice, nameTurn } from './fair-choice.ts';
import type { ClaimedBatch, ClaimTurn, Waiting } from './ports.ts';

/** Batches of one customer claimed in one turn: more than one if an account soon needs more than that. */
const CLAIM_TURN = 2;
const BATCH_MESSAGES = 1_000;
/** Customers served by one claim, and the messages after which it ends: a code that comes meanwhile waits for it. */
const TURNS_AT_ONCE = 100;
const MESSAGES_AT_ONCE = 2_000;
const LEFT_KNOWN = 100;
/** Messages claimed and not granted, of all accounts, up to which each customer has a batch on each account. */
const SIDE_BY_SIDE = 60_000;

export class Claimer {
  /** Customers left waiting by the last check for lack of space; some of them are enough. */
  private left: Waiting[] = [];
  private readonly context: EngineContext;
  private readonly fair = new FairChoice();
  /** Messages claimed and not granted, of all accounts. */
  private queued = 0;
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
    return this.left.some((waiting) => this.roomFor(waiting) > 0);
  }

  /** True when something was claimed and there may be more. */
  private async claimRound(): Promise<boolean> {
    const { holdings, life, store } = this.context;
    const suppliers = [...holdings.senders.values()].filter((sender) => sender.hasSpace(SmsType.Verification));
    if (life.stopping || suppliers.length === 0) return false;
    const found = await store.findWaiting(suppliers.map(({ link }) => link.supplierId));
    const underWay = this.countUnderWay();
    this.queued = [...underWay.values()].reduce((sum, count) => sum + count, 0);
    let waiting = this.fair.order(found, underWay);
    this.left = [];
    let isMore = false;
    while (waiting.length > 0) {
      const lane = waiting[0]?.lane;
      const { turns, rest } = this.nextTurns(waiting);
      const { unserved, hasClaimed } = await this.claimTurns(turns);
      isMore ||= hasClaimed;
      waiting = [...unserved, ...rest];
      // A wake-up call may be for a code: that waits for one claim of each later lane, not for all customers' turns.
      if (life.stopping || (this.again && lane !== SmsType.Verification && waiting[0]?.lane === lane)) break;
    }
    return isMore;
  }

  /** The next turns of one lane that there is room for, up to `TURNS_AT_ONCE`; without room a customer is left waiting. */
  private nextTurns(waiting: readonly Waiting[]): { turns: ClaimTurn[]; rest: readonly Waiting[] } {
    const turns: ClaimTurn[] = [];
    for (const [index, each] of waiting.entries()) {
      if (turns.length === TURNS_AT_ONCE || each.lane !== waiting[0]?.lane)
        return { turns, rest: waiting.slice(index) };
      const batches = this.roomFor(each);
      if (batches > 0) turns.push({ ...each, batches });
      else if (this.left.length < LEFT_KNOWN) this.left.push(each);
    }
    return { turns, rest: [] };
  }

  /** `unserved`: turns for which the claim had no room left. */
  private async claimTurns(
    turns: readonly ClaimTurn[],
  ): Promise<{ unserved: readonly Waiting[]; hasClaimed: boolean }> {
    const { clock, holdings, life, settings, store } = this.context;
    if (life.stopping || turns.length === 0) return { unserved: [], hasClaimed: false };
    const now = clock.now();
    const leaseUntil = now + settings.leaseMs;
    const except = holdings.known;
    const { batches, parked } = await store.claim({ turns, messages: MESSAGES_AT_ONCE, except });
    for (const batch of batches) {
      this.queued += batch.messageCount;
      const added = holdings.add(batch, leaseUntil, now);
      if (life.stopping) added?.close();
    }
    this.context.consider();
    const served = countServed(turns, batches);
    for (const turn of turns.slice(0, served)) this.fair.served(turn);
    return { unserved: turns.slice(served), hasClaimed: parked || batches.length > 0 };
  }

  /** Batches that would be useful soon. */
  private roomFor({ customerId, lane, supplierId }: Waiting): number {
    const sender = this.context.holdings.senders.get(supplierId);
    if (sender === undefined) return 0;
    if (sender.wantsMoreOf(customerId, lane)) return sender.enough >= BATCH_MESSAGES ? CLAIM_TURN : 1;
    return this.queued < SIDE_BY_SIDE && sender.wantsFirstOf(customerId, lane) ? 1 : 0;
  }

  private countUnderWay(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { claimed, queued } of this.context.holdings.batches.values()) {
      const name = nameTurn(claimed);
      sums.set(name, (sums.get(name) ?? 0) + queued);
    }
    return sums;
  }
}

/** How many turns had their chance: all, unless the claim was full; then those up to the last that got something. */
function countServed(turns: readonly ClaimTurn[], batches: readonly ClaimedBatch[]): number {
  const messages = batches.reduce((sum, { messageCount }) => sum + messageCount, 0);
  if (messages < MESSAGES_AT_ONCE) return turns.length;
  const served = new Set(batches.map(nameTurn));
  return turns.findLastIndex((turn) => served.has(nameTurn(turn))) + 1;
}
