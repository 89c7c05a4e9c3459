/**
 * The engine: claims batches, commits intent, writes to the carriers, collects responses and receipts, commits them.
 *
 * One flush is in progress at a time. It makes durable, in one transaction: the outcomes and receipts collected before
 * it, and the intent of what it grants. Only after it has committed are the granted messages written and the receipts
 * acknowledged. So a crash at any instant leaves in doubt at most the messages that were granted and whose outcome was
 * not yet committed, which never exceed the windows and what is granted ahead of them (`GrantAhead`).
 */
import { Claimer } from './claimer.ts';
import type { Clock, Timer } from './clock.ts';
import type { EngineContext } from './engine-context.ts';
import { defaultSettings, type EngineEvents, type EngineSettings } from './engine-settings.ts';
import { Flusher } from './flusher.ts';
import { Holdings } from './holdings.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { LinkListener } from './link-listener.ts';
import { LinkSender } from './link-sender.ts';
import { Pending } from './pending.ts';
import type { CarrierLink, SendStore } from './ports.ts';
import { Pumps } from './pumps.ts';
import { UnboundLinks } from './unbound-links.ts';

export interface AccountLoad {
  readonly queued: number;
  readonly sent: number;
  readonly ready: number;
  readonly ahead: number;
}

export class SendingEngine {
  private readonly context: EngineContext;
  private readonly flusher: Flusher;
  private readonly pumps: Pumps;
  private readonly claimer: Claimer;
  private readonly leases: LeaseKeeper;
  private readonly unbound: UnboundLinks;
  private readonly loops: Timer[] = [];
  private idleWaiters: (() => void)[] = [];
  /** Claims, renewals and the like that have not come back from the store. */
  private readonly works = new Set<Promise<void>>();

  constructor(store: SendStore, clock: Clock, events: EngineEvents = {}, settings: EngineSettings = defaultSettings) {
    const pending = new Pending(clock, settings);
    this.context = {
      store,
      clock,
      settings,
      events,
      pending,
      holdings: new Holdings(pending, (batchIds) => events.onLost?.(batchIds)),
      life: { stopping: false, ended: false },
      consider: () => this.flusher.consider(),
      wake: () => this.wake(),
    };
    this.flusher = new Flusher(this.context, () => this.onFlushed());
    this.pumps = new Pumps(this.context);
    this.claimer = new Claimer(this.context);
    this.leases = new LeaseKeeper(this.context);
    this.unbound = new UnboundLinks(this.context);
  }

  start(): void {
    const { renewEveryMs, stopEveryMs, claimEveryMs } = this.context.settings;
    this.repeat(renewEveryMs, async () => {
      await this.leases.renew();
      this.pumps.pumpAll();
    });
    this.repeat(stopEveryMs, async () => {
      this.unbound.checkAll();
      await this.leases.stopBatches();
    });
    this.repeat(claimEveryMs, () => this.claim());
  }

  addLink(link: CarrierLink): void {
    const sender = new LinkSender(link);
    this.context.holdings.senders.set(link.supplierId, sender);
    const pump = (each: LinkSender): void => {
      this.unbound.check(each);
      this.pumps.pump(each);
    };
    link.attach(new LinkListener(this.context, sender, pump));
    this.wake();
  }

  /** Grants nothing more on a link; open messages there complete normally. */
  closeLink(supplierId: string): void {
    const { holdings } = this.context;
    for (const batch of holdings.senders.get(supplierId)?.batches ?? []) holdings.close(batch);
    this.context.consider();
  }

  /** New work may be there. */
  wake(): void {
    this.run(this.claim());
  }

  /** Drops receipts whose message the store has found since: no response is awaited any more. */
  forgetReceipts(receipts: readonly { readonly supplierId: string; readonly receiptId: string }[]): void {
    const { senders } = this.context.holdings;
    for (const { supplierId, receiptId } of receipts) senders.get(supplierId)?.book.forgetWaiting(receiptId);
  }

  /** Batches that are ours as far as we know. */
  get batchIds(): bigint[] {
    return [...this.context.holdings.batches.keys()];
  }

  /**
   * What there is to send on one account: messages `queued`, segments `sent` since it was added, segments `ready`
   * (granted and not written), and how many segments may be granted `ahead` of the windows. After a crash no more than
   * the windows and `ahead` are in doubt.
   */
  loadOn(supplierId: string): AccountLoad {
    const sender = this.context.holdings.senders.get(supplierId);
    if (sender === undefined) return { queued: 0, sent: 0, ready: 0, ahead: 0 };
    return { queued: sender.queued(), sent: sender.sent, ready: sender.readyParts, ahead: sender.mostGranted };
  }

  /** Messages claimed here and without an outcome that is committed. */
  get underWay(): number {
    const { holdings, pending } = this.context;
    let sum = pending.changed;
    for (const batch of holdings.batches.values()) sum += batch.queued + batch.delayed;
    return sum;
  }

  /**
   * Claims and grants nothing more, waits for the responses to messages on the wire, and releases the rest. Returns
   * false if responses were still missing after `timeoutMs`.
   */
  async drain(timeoutMs: number): Promise<boolean> {
    const { holdings, life } = this.context;
    life.stopping = true;
    for (const batch of holdings.batches.values()) holdings.close(batch);
    return await this.whenIdle(timeoutMs);
  }

  /**
   * After the links were closed: commits what they said last, and ends. False when that was not done after `timeoutMs`.
   * Nothing is asked of the store once it has resolved.
   */
  async finish(timeoutMs: number): Promise<boolean> {
    const { life } = this.context;
    life.stopping = true;
    const isClean = await this.whenIdle(timeoutMs);
    life.ended = true;
    for (const timer of this.loops) timer.cancel();
    this.pumps.end();
    await Promise.all([this.flusher.end(), ...this.works]);
    return isClean;
  }

  private onFlushed(): void {
    this.pumps.pumpAll();
    this.context.consider();
    this.tellIdle();
    if (this.claimer.hasRoomAgain) this.wake();
  }

  private async claim(): Promise<void> {
    await this.claimer.claim();
    this.tellIdle();
  }

  private tellIdle(): void {
    if (this.isIdle) for (const resolve of this.idleWaiters.splice(0)) resolve();
  }

  private get isIdle(): boolean {
    const { holdings, pending } = this.context;
    return !this.flusher.isFlushing && !this.claimer.isClaiming && holdings.batches.size === 0 && pending.isEmpty;
  }

  private async whenIdle(timeoutMs: number): Promise<boolean> {
    if (this.isIdle) return true;
    this.context.consider();
    return await new Promise<boolean>((resolve) => {
      const timer = this.context.clock.setTimer(() => resolve(this.isIdle), timeoutMs);
      this.idleWaiters.push(() => {
        timer.cancel();
        resolve(true);
      });
    });
  }

  private repeat(everyMs: number, work: () => Promise<void>): void {
    const { clock, life } = this.context;
    const index = this.loops.length;
    const next = (): void => {
      if (life.ended) return;
      this.loops[index] = clock.setTimer(() => {
        this.run(work().finally(next));
      }, everyMs);
    };
    next();
  }

  private run(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.context.events.onError?.('engine', error))
      .then(() => {
        this.works.delete(done);
      });
    this.works.add(done);
  }
}
