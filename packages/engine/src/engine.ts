/**
 * The engine: claims batches, commits intent, writes to the carriers, gathers answers and receipts, commits them.
 *
 * One flush is under way at a time. It makes durable, in one transaction: the outcomes and receipts gathered before it,
 * and the intent of what it grants. Only when it has committed are the granted messages written and the receipts
 * acknowledged. So a crash at any instant leaves in doubt at most what was granted and whose outcome was not yet
 * committed, and that is never more than the windows hold.
 */
import { DoubtPolicy, type SmsType } from '@pahatid/contract';
import { readSubmitStatus } from '@pahatid/domain';
import { answerPart, doubtMessage, isFullyDelivered, optedOut, receivePart } from './answers.ts';
import { BatchProgress } from './batch-progress.ts';
import type { Clock, Timer } from './clock.ts';
import { FairChoice } from './fair-choice.ts';
import { flushAt } from './flush-policy.ts';
import { LinkSender, PartSubmission } from './link-sender.ts';
import { BLOCKED, type Outgoing } from './outgoing.ts';
import type {
  BatchMark,
  CarrierLink,
  CarrierReceipt,
  Change,
  ClaimedBatch,
  Flush,
  FlushOutcome,
  InboundText,
  LoadedMessage,
  SendStore,
  Submission,
} from './ports.ts';

export interface EngineSettings {
  /** A lease ends this long after it was last renewed. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /** How often tasks paused or ended, customers suspended and quiet hours are looked for. */
  readonly stopEveryMs: number;
  /** How often work is looked for where no wake-up call came. */
  readonly claimEveryMs: number;
  /** Wait before a message that was refused for a time is sent again; doubled each time. */
  readonly firstRetryMs: number;
}

export const defaultSettings: EngineSettings = {
  leaseMs: 10_000,
  renewEveryMs: 3_000,
  stopEveryMs: 1_000,
  claimEveryMs: 500,
  firstRetryMs: 1_000,
};

export interface EngineEvents {
  /** Counters of these tasks moved, by a flush that has committed. */
  onTasks?(taskIds: ReadonlySet<string>): void;
  /** A call to the store failed; it is tried again. */
  onError?(what: string, error: unknown): void;
  /** Batches that were not ours any more when we came to speak of them. */
  onLost?(batchIds: readonly bigint[]): void;
}

/** Batches of one customer claimed in one turn. */
const CLAIM_TURN = 2;
const RETRY_FIRST_MS = 50;
const RETRY_LONGEST_MS = 1_000;

interface Gathered {
  flush: Flush;
  acknowledge: (() => void)[];
  grants: { sender: LinkSender; outgoing: Outgoing }[];
}

export class SendingEngine {
  private readonly store: SendStore;
  private readonly clock: Clock;
  private readonly settings: EngineSettings;
  private readonly events: EngineEvents;
  private readonly senders = new Map<string, LinkSender>();
  private readonly batches = new Map<bigint, BatchProgress>();
  private readonly fair = new FairChoice();

  private readonly dirty = new Set<Outgoing>();
  private resent: { batch: ClaimedBatch; message: LoadedMessage }[] = [];
  private receipts = new Set<CarrierReceipt>();
  private matched: CarrierReceipt[] = [];
  private inbound: InboundText[] = [];
  private acknowledge: (() => void)[] = [];
  private pendingSince = 0;
  private grantableSince: number | null = null;

  private flushing = false;
  private flushTimer: Timer | null = null;
  private considering = false;
  private readonly pumpTimers = new Map<LinkSender, Timer & { at: number }>();
  private readonly loops: Timer[] = [];
  private claiming = false;
  private claimAgain = false;
  /** The last look ended for want of room. */
  private mayHaveMore = false;
  private stopping = false;
  private ended = false;
  private idleWaiters: (() => void)[] = [];

  constructor(store: SendStore, clock: Clock, events: EngineEvents = {}, settings: EngineSettings = defaultSettings) {
    this.store = store;
    this.clock = clock;
    this.events = events;
    this.settings = settings;
  }

  start(): void {
    this.repeat(this.settings.renewEveryMs, () => this.renew());
    this.repeat(this.settings.stopEveryMs, () => this.stopBatches());
    this.repeat(this.settings.claimEveryMs, () => this.claim());
  }

  addLink(link: CarrierLink): void {
    const sender = new LinkSender(link);
    this.senders.set(link.supplierId, sender);
    link.attach({
      onResponse: (submission, status, id) => this.onResponse(sender, submission, status, id),
      onUnknown: (submission) => this.onUnknown(sender, submission),
      onRoom: () => this.onRoom(sender),
      onReceipt: (receipt, acknowledge) => this.onReceipt(sender, receipt, acknowledge),
      onInbound: (text, acknowledge) => this.onInbound(text, acknowledge),
    });
    this.wake();
  }

  /** Grants nothing more on a link; what is open there comes to its end by itself. */
  closeLink(supplierId: string): void {
    const sender = this.senders.get(supplierId);
    if (sender === undefined) return;
    for (const batch of sender.batches) this.closeBatch(batch);
  }

  /** New work may be there. */
  wake(): void {
    this.run(this.claim());
  }

  /** Batches that are ours as far as we know. */
  get batchIds(): bigint[] {
    return [...this.batches.keys()];
  }

  /** What there is to send on one account, and how many segments were: for sharing its pace. */
  loadOn(supplierId: string): { queued: number; sent: number } {
    const sender = this.senders.get(supplierId);
    return { queued: sender?.queued() ?? 0, sent: sender?.sent ?? 0 };
  }

  /** Messages claimed here and without an outcome that is committed. */
  get underWay(): number {
    let sum = this.dirty.size;
    for (const batch of this.batches.values()) sum += batch.queued;
    return sum;
  }

  /**
   * Claims and grants nothing more, waits for the answers to what is on the wire, and hands the rest back. False when
   * answers were still missing after `timeoutMs`.
   */
  async drain(timeoutMs: number): Promise<boolean> {
    this.stopping = true;
    for (const batch of this.batches.values()) this.closeBatch(batch);
    return await this.whenIdle(timeoutMs);
  }

  /** After the links were closed: commits what they said last, and ends. */
  async finish(timeoutMs: number): Promise<boolean> {
    this.stopping = true;
    const isClean = await this.whenIdle(timeoutMs);
    this.ended = true;
    for (const timer of [...this.loops, ...this.pumpTimers.values()]) timer.cancel();
    this.flushTimer?.cancel();
    return isClean;
  }

  // --- what links tell -------------------------------------------------------------------------------------------

  private onResponse(sender: LinkSender, submission: Submission, status: number, id: string | null): void {
    if (!(submission instanceof PartSubmission)) return;
    const { message: outgoing, part } = submission;
    const now = this.clock.now();
    const meaning = readSubmitStatus(status, sender.link.statusClasses);
    if (meaning.class === 'throttled') sender.pacer.throttled(now, submission.sentAt);
    else sender.pacer.accepted(now);
    if (meaning.class === 'accepted' && id !== null) this.keepRoute(sender, outgoing, id, part);
    // An answer to a copy before the last one says where its receipts belong, and no more.
    if (submission.attempt !== outgoing.attempt || outgoing.phase === 'queued') return;
    if (meaning.class === 'bindFatal') submission.bind.fail(`submit_sm answered with status ${status}`);
    const { firstRetryMs } = this.settings;
    const verdict = answerPart(outgoing, part, status, meaning, this.clock.wall(), now, firstRetryMs);
    switch (verdict) {
      case 'settled':
        this.settle(sender, outgoing);
        break;
      case 'cleared':
        this.touch(outgoing);
        break;
      case 'notTaken':
        this.giveBack(sender, outgoing);
        break;
      case 'resume':
        sender.forgetCurrent(outgoing);
        sender.resume(outgoing);
        break;
      case 'open':
        break;
    }
    this.consider();
  }

  private keepRoute(sender: LinkSender, outgoing: Outgoing, id: string, part: number): void {
    outgoing.routes.push({ carrierMessageId: id, part });
    sender.book.remember(id, outgoing, part);
    if (outgoing.phase === 'queued' || outgoing.phase === 'settled') this.touch(outgoing);
    for (const receipt of sender.book.takeWaiting(id, outgoing.message.msisdn)) {
      receivePart(outgoing, part, receipt);
      // Where a flush has taken it, the store keeps it waiting.
      if (!this.receipts.delete(receipt)) this.matched.push(receipt);
      this.notePending();
    }
  }

  private onUnknown(sender: LinkSender, submission: Submission): void {
    if (!(submission instanceof PartSubmission)) return;
    const { message: outgoing } = submission;
    if (submission.attempt !== outgoing.attempt || outgoing.phase !== 'sent') return;
    sender.forgetCurrent(outgoing);
    if (outgoing.batch.claimed.doubtPolicy === DoubtPolicy.Resend && !outgoing.batch.lost) {
      this.resent.push({ batch: outgoing.batch.claimed, message: outgoing.message });
      outgoing.requeue(this.clock.now());
      this.giveBack(sender, outgoing);
    } else {
      doubtMessage(outgoing);
      this.settle(sender, outgoing);
    }
    this.consider();
  }

  private onRoom(sender: LinkSender): void {
    for (const outgoing of sender.takeStranded()) sender.resume(outgoing);
    if (sender.link.binds.length === 0) this.takeBackReady(sender, null);
    this.pump(sender);
    this.consider();
    if (sender.noticeRoom()) this.wake();
  }

  private onReceipt(sender: LinkSender, receipt: CarrierReceipt, acknowledge: () => void): void {
    const found = sender.book.find(receipt);
    if (found === null || found.outgoing.phase === 'doubt') {
      // Where a part was taken and the whole is in doubt, the store resolves it, once it knows the part.
      if (found !== null) this.touch(found.outgoing);
      else if (receipt.final) sender.book.keepWaiting(receipt);
      if (receipt.final) this.receipts.add(receipt);
      this.acknowledge.push(acknowledge);
    } else {
      this.applyReceipt(sender, found.outgoing, found.part, receipt, found.carrierMessageId);
      // Also one that changes nothing waits for a flush: what it repeats may not be committed yet.
      if (found.outgoing.phase === 'settled') this.acknowledge.push(acknowledge);
      else found.outgoing.acknowledge.push(acknowledge);
    }
    this.notePending();
    this.consider();
  }

  private applyReceipt(
    sender: LinkSender,
    outgoing: Outgoing,
    part: number,
    receipt: CarrierReceipt,
    id: string,
  ): void {
    const changes = receivePart(outgoing, part, receipt);
    // Before the answers to all its parts are in, the row does not change.
    if (changes && outgoing.phase === 'settled') this.touch(outgoing);
    if (isFullyDelivered(outgoing) && outgoing.phase === 'settled') sender.book.forget(id);
  }

  private onInbound(text: InboundText, acknowledge: () => void): void {
    this.inbound.push(text);
    this.acknowledge.push(acknowledge);
    this.notePending();
    this.consider();
  }

  // --- messages --------------------------------------------------------------------------------------------------

  private settle(sender: LinkSender, outgoing: Outgoing): void {
    sender.forgetCurrent(outgoing);
    sender.free(outgoing.parts);
    outgoing.batch.settle();
    this.touch(outgoing);
  }

  private giveBack(sender: LinkSender, outgoing: Outgoing): void {
    sender.forgetCurrent(outgoing);
    sender.free(outgoing.parts);
    outgoing.phase = 'queued';
    outgoing.batch.giveBack(outgoing);
    if (outgoing.acknowledge.length > 0) this.touch(outgoing);
    this.notePending();
  }

  private touch(outgoing: Outgoing): void {
    this.dirty.add(outgoing);
    this.notePending();
  }

  private takeBackReady(sender: LinkSender, batch: BatchProgress | null): void {
    for (const outgoing of sender.takeBackReady(batch)) this.giveBack(sender, outgoing);
  }

  private closeBatch(batch: BatchProgress): void {
    batch.close();
    const sender = this.senders.get(batch.claimed.supplierId);
    if (sender !== undefined) this.takeBackReady(sender, batch);
    this.notePending();
    this.consider();
  }

  private loseBatches(ids: readonly bigint[]): void {
    const lost = ids.flatMap((id) => this.batches.get(id) ?? []);
    if (lost.length === 0) return;
    for (const batch of lost) {
      batch.lose();
      this.removeBatch(batch);
      const sender = this.senders.get(batch.claimed.supplierId)!;
      for (const outgoing of sender.takeBackReady(batch)) {
        outgoing.phase = 'queued';
        sender.free(outgoing.parts);
      }
    }
    this.events.onLost?.(lost.map((batch) => batch.claimed.batchId));
  }

  private removeBatch(batch: BatchProgress): void {
    this.batches.delete(batch.claimed.batchId);
    this.senders.get(batch.claimed.supplierId)?.remove(batch);
  }

  // --- writing ---------------------------------------------------------------------------------------------------

  private pump(sender: LinkSender): void {
    if (this.ended) return;
    const wall = this.clock.wall();
    const result = sender.pump(this.clock.now(), (outgoing) => {
      outgoing.submittedMs ??= wall;
    });
    if (result.state === 'waiting') return;
    const waitMs = result.state === 'paced' ? Math.max(1, result.waitMs) : 100;
    const at = this.clock.now() + waitMs;
    const known = this.pumpTimers.get(sender);
    if (known !== undefined) {
      // After a raise of the pace the next segment is due sooner than was thought.
      if (known.at <= at + 1) return;
      known.cancel();
    }
    const timer = this.clock.setTimer(() => {
      this.pumpTimers.delete(sender);
      this.pump(sender);
      this.consider();
    }, waitMs);
    this.pumpTimers.set(sender, { at, cancel: () => timer.cancel() });
  }

  // --- committing ------------------------------------------------------------------------------------------------

  private notePending(): void {
    if (this.pendingSince === 0) this.pendingSince = this.clock.now();
  }

  /** Looks once per turn of the event loop whether it is time to flush, however much happened in it. */
  private consider(): void {
    if (this.considering || this.flushing || this.ended) return;
    this.considering = true;
    this.clock.setTimer(() => {
      this.considering = false;
      if (!this.flushing && !this.ended) this.decide();
    }, 0);
  }

  private decide(): void {
    const now = this.clock.now();
    const at = this.nextFlush(now);
    this.flushTimer?.cancel();
    this.flushTimer = null;
    if (at === null) return;
    if (at <= now) this.run(this.flush());
    else {
      this.flushTimer = this.clock.setTimer(() => {
        this.flushTimer = null;
        if (!this.flushing && !this.ended) this.decide();
      }, at - now);
    }
  }

  private nextFlush(now: number): number | null {
    let grantable = 0;
    let allowance = 0;
    let urgent = false;
    let loaded = false;
    let due = Number.POSITIVE_INFINITY;
    for (const sender of this.senders.values()) {
      if (!sender.hasWork(now)) {
        due = Math.min(due, sender.nextDue(now) ?? due);
        continue;
      }
      const { budget } = sender;
      if (budget <= 0) {
        loaded = true;
        continue;
      }
      grantable += budget;
      allowance += sender.allowance;
      urgent ||= sender.isIdle || sender.hasWork(now, 1);
    }
    if (grantable === 0) this.grantableSince = null;
    else this.grantableSince ??= now;
    const view = {
      pending: this.pending,
      pendingSince: this.pendingSince || now,
      grantable,
      grantableSince: this.grantableSince ?? now,
      allowance,
      urgent,
      loaded,
    };
    const at = Math.min(flushAt(view, now) ?? Number.POSITIVE_INFINITY, due);
    if (this.stopping && this.pending > 0) return now;
    return at === Number.POSITIVE_INFINITY ? null : at;
  }

  private get pending(): number {
    return (
      this.dirty.size +
      this.acknowledge.length +
      this.resent.length +
      this.matched.length +
      (this.pendingSince === 0 ? 0 : 1)
    );
  }

  private async flush(): Promise<void> {
    this.flushing = true;
    const gathered = this.gather();
    const outcome = await this.commit(gathered.flush);
    this.flushing = false;
    if (outcome === null) return;
    this.apply(gathered, outcome);
    for (const sender of this.senders.values()) this.pump(sender);
    this.consider();
    if (this.isIdle) for (const resolve of this.idleWaiters.splice(0)) resolve();
    if (this.mayHaveMore) this.wake();
  }

  private gather(): Gathered {
    const now = this.clock.now();
    const grants: Gathered['grants'] = [];
    for (const sender of this.senders.values()) {
      if (!this.stopping) for (const outgoing of sender.grant(now)) grants.push({ sender, outgoing });
    }
    const changes: Change[] = [];
    for (const outgoing of this.dirty) {
      changes.push(outgoing.takeChange());
      this.acknowledge.push(...outgoing.acknowledge.splice(0));
    }
    this.dirty.clear();
    const marks: BatchMark[] = [];
    for (const batch of this.batches.values()) {
      const mark = batch.takeMark();
      if (mark === null) continue;
      marks.push(mark);
      // Nothing more is to be said about it.
      if (mark.end !== null) this.removeBatch(batch);
    }
    const { resent, matched, inbound, acknowledge } = this;
    const receipts = [...this.receipts];
    this.resent = [];
    this.receipts.clear();
    this.matched = [];
    this.inbound = [];
    this.acknowledge = [];
    this.pendingSince = 0;
    this.grantableSince = null;
    return {
      flush: { changes, marks, resent, receipts, matchedReceipts: matched, inbound },
      acknowledge,
      grants,
    };
  }

  /** Until it succeeds: nothing is sent meanwhile, because intent can't be committed either. Null when we end first. */
  private async commit(flush: Flush): Promise<FlushOutcome | null> {
    const isEmpty =
      flush.changes.length === 0 &&
      flush.marks.length === 0 &&
      flush.resent.length === 0 &&
      flush.receipts.length === 0 &&
      flush.matchedReceipts.length === 0 &&
      flush.inbound.length === 0;
    if (isEmpty) return { lost: [], waiting: [] };
    for (let waitMs = RETRY_FIRST_MS; !this.ended; waitMs = Math.min(RETRY_LONGEST_MS, waitMs * 2)) {
      try {
        return await this.store.commit(flush);
      } catch (error) {
        this.events.onError?.('commit', error);
        await this.sleep(waitMs);
      }
    }
    return null;
  }

  private apply(gathered: Gathered, outcome: FlushOutcome): void {
    const { flush, grants, acknowledge } = gathered;
    this.loseBatches(outcome.lost);
    for (const { sender, outgoing } of grants) {
      if (outgoing.batch.lost) {
        sender.cancelGrant(outgoing);
        sender.free(outgoing.parts);
      } else if (outgoing.batch.closing) {
        sender.cancelGrant(outgoing);
        this.giveBack(sender, outgoing);
      } else sender.makeReady(outgoing);
    }
    const waiting = new Set(outcome.waiting);
    for (const receipt of flush.receipts) {
      if (!waiting.has(receipt)) this.senders.get(receipt.supplierId)?.book.stopWaiting(receipt);
    }
    for (const done of acknowledge) done();
    this.tellTasks(flush);
  }

  private tellTasks(flush: Flush): void {
    if (this.events.onTasks === undefined) return;
    const taskIds = new Set<string>();
    for (const { batch } of flush.changes) if (batch.taskId !== null) taskIds.add(batch.taskId);
    for (const { batch } of flush.marks) if (batch.taskId !== null) taskIds.add(batch.taskId);
    if (taskIds.size > 0) this.events.onTasks(taskIds);
  }

  // --- claiming --------------------------------------------------------------------------------------------------

  private async claim(): Promise<void> {
    if (this.stopping || this.ended) return;
    if (this.claiming) {
      this.claimAgain = true;
      return;
    }
    this.claiming = true;
    try {
      do {
        this.claimAgain = false;
      } while ((await this.claimRound()) || this.claimAgain);
    } catch (error) {
      this.events.onError?.('claim', error);
    } finally {
      this.claiming = false;
    }
  }

  /** True when something was claimed and there may be more. */
  private async claimRound(): Promise<boolean> {
    const roomy = (lane: SmsType): string[] =>
      [...this.senders.values()].filter((each) => each.wantsMore(lane)).map((each) => each.link.supplierId);
    const suppliers = [...new Set([...roomy(1), ...roomy(2)])];
    this.mayHaveMore = suppliers.length === 0;
    if (this.stopping || this.mayHaveMore) return false;
    const waiting = await this.store.findWaiting(suppliers);
    let claimed = 0;
    for (const each of this.fair.order(waiting, (customerId, lane) => this.loadOf(customerId, lane))) {
      const supplierIds = roomy(each.lane);
      if (this.stopping || supplierIds.length === 0) {
        this.mayHaveMore = true;
        continue;
      }
      const leaseUntil = this.clock.now() + this.settings.leaseMs;
      const batches = await this.store.claim({
        ...each,
        supplierIds,
        limit: CLAIM_TURN,
        except: [...this.batches.keys()],
      });
      this.fair.served(each);
      for (const batch of batches) this.addBatch(batch, leaseUntil);
      claimed += batches.length;
    }
    return claimed > 0;
  }

  private addBatch(claimed: ClaimedBatch, leaseUntil: number): void {
    const sender = this.senders.get(claimed.supplierId);
    if (sender === undefined) return;
    const batch = new BatchProgress(claimed, leaseUntil);
    this.batches.set(claimed.batchId, batch);
    sender.add(batch);
    for (const outgoing of batch.blocked) {
      outgoing.request = BLOCKED;
      outgoing.dealResult = optedOut;
      outgoing.phase = 'settled';
      this.touch(outgoing);
    }
    if (this.stopping) batch.close();
    this.notePending();
    this.consider();
  }

  private loadOf(customerId: string, lane: SmsType): number {
    let sum = 0;
    for (const { claimed, queued } of this.batches.values()) {
      if (claimed.customerId === customerId && claimed.lane === lane) sum += queued;
    }
    return sum;
  }

  // --- leases ----------------------------------------------------------------------------------------------------

  private async renew(): Promise<void> {
    if (this.batches.size === 0) return;
    const known = [...this.batches.values()];
    const leaseUntil = this.clock.now() + this.settings.leaseMs;
    const held = new Set(await this.store.renew(known.map((batch) => batch.claimed.batchId)));
    const gone: bigint[] = [];
    for (const batch of known) {
      if (held.has(batch.claimed.batchId)) batch.leaseUntil = leaseUntil;
      else if (this.batches.has(batch.claimed.batchId)) gone.push(batch.claimed.batchId);
    }
    this.loseBatches(gone);
    for (const sender of this.senders.values()) this.pump(sender);
  }

  private async stopBatches(): Promise<void> {
    if (this.batches.size === 0) return;
    for (const batchId of await this.store.findStopped()) {
      const batch = this.batches.get(batchId);
      if (batch !== undefined && !batch.closing) this.closeBatch(batch);
    }
  }

  // --- odds ------------------------------------------------------------------------------------------------------

  private get isIdle(): boolean {
    return !this.flushing && this.batches.size === 0 && this.pending === 0 && this.receipts.size === 0;
  }

  private async whenIdle(timeoutMs: number): Promise<boolean> {
    if (this.isIdle) return true;
    this.consider();
    return await new Promise<boolean>((resolve) => {
      const timer = this.clock.setTimer(() => resolve(this.isIdle), timeoutMs);
      this.idleWaiters.push(() => {
        timer.cancel();
        resolve(true);
      });
    });
  }

  private repeat(everyMs: number, work: () => Promise<void>): void {
    const index = this.loops.length;
    const next = (): void => {
      if (this.ended) return;
      this.loops[index] = this.clock.setTimer(() => {
        this.run(work().finally(next));
      }, everyMs);
    };
    next();
  }

  private run(work: Promise<void>): void {
    work.catch((error: unknown) => this.events.onError?.('engine', error));
  }

  private async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.clock.setTimer(resolve, ms);
    });
  }
}
