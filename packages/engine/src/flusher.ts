/**
 * Commits, one flush at a time: takes pending changes and grantable messages, makes both durable in one transaction,
 * and only then allows the granted messages to be written and the receipts to be acknowledged. Codes do not wait for a
 * flush, under way or not: their intent has a separate, small transaction.
 */
import { SmsType } from '@pahatid/contract/enums';
import type { BatchProgress } from './batch-progress.ts';
import type { Timer } from './clock.ts';
import type { EngineContext } from './engine-context.ts';
import { flushAt } from './flush-policy.ts';
import { MOST_AHEAD } from './grant-ahead.ts';
import type { LinkSender } from './link-sender.ts';
import type { Outgoing } from './outgoing.ts';
import type { BatchMark, Flush, FlushOutcome } from './ports.ts';

const RETRY_FIRST_MS = 50;
const RETRY_LONGEST_MS = 1_000;

const NOTHING = { changes: [], resent: [], receipts: [], matchedReceipts: [], inbound: [] } as const;

interface CommitOutcome extends FlushOutcome {
  /** It succeeded after attempts that failed, any of which may have taken effect. */
  readonly hasFailed: boolean;
}

interface Gathered {
  readonly flush: Flush;
  readonly acknowledge: readonly (() => void)[];
  readonly grants: readonly { sender: LinkSender; outgoing: Outgoing }[];
  /** Batches whose marks it stores. */
  readonly marked: readonly BatchProgress[];
}

export class Flusher {
  private readonly context: EngineContext;
  private readonly onFlushed: () => void;
  private grantableSince: number | null = null;
  private flushing = false;
  private lastFlush: Promise<void> = Promise.resolve();
  /** Intent of codes is being committed during a flush. */
  private hurrying = false;
  private lastHurry: Promise<void> = Promise.resolve();
  private considering = false;
  private timer: Timer | null = null;

  /** `onFlushed`: a flush has committed, and its granted messages are ready. */
  constructor(context: EngineContext, onFlushed: () => void) {
    this.context = context;
    this.onFlushed = onFlushed;
  }

  /** Whether a transaction is in progress. */
  get isFlushing(): boolean {
    return this.flushing || this.hurrying;
  }

  /** Looks once per turn of the event loop whether it is time to flush, however much happened in it. */
  consider(): void {
    const { clock, life } = this.context;
    if (this.considering || life.ended || (this.flushing && !this.mayHurry)) return;
    this.considering = true;
    clock.setTimer(() => {
      this.considering = false;
      if (life.ended) return;
      if (!this.flushing) this.decide();
      else this.hurryIfMay();
    }, 0);
  }

  private hurryIfMay(): void {
    if (this.mayHurry) this.lastHurry = this.hurry().catch((error: unknown) => this.onError(error));
  }

  private get mayHurry(): boolean {
    const { clock, holdings, life } = this.context;
    if (this.hurrying || life.stopping) return false;
    const now = clock.now();
    return [...holdings.senders.values()].some((sender) => sender.mayHurry(now));
  }

  private onError(error: unknown): void {
    this.context.events.onError?.('engine', error);
  }

  /** Resolves once no transaction is under way. */
  async end(): Promise<void> {
    this.timer?.cancel();
    await Promise.all([this.lastFlush, this.lastHurry]);
  }

  private decide(): void {
    const { clock, life } = this.context;
    // A flush counts what codes were granted before it, so theirs has ended: then it is looked again.
    if (this.hurrying) return;
    const now = clock.now();
    const at = this.nextFlush(now);
    this.timer?.cancel();
    this.timer = null;
    if (at !== null && at <= now) {
      this.lastFlush = this.flush().catch((error: unknown) => this.onError(error));
      return;
    }
    this.hurryIfMay();
    if (at === null) return;
    this.timer = clock.setTimer(() => {
      this.timer = null;
      if (!this.flushing && !life.ended) this.decide();
    }, at - now);
  }

  private nextFlush(now: number): number | null {
    const { holdings, pending, life } = this.context;
    let grantable = false;
    let ahead = false;
    let waits = false;
    let loaded = false;
    let room = 0;
    let worthwhile = 0;
    let due = Number.POSITIVE_INFINITY;
    const busy = [...holdings.senders.values()].filter((sender) => !sender.isIdle).length;
    for (const sender of holdings.senders.values()) {
      sender.aheadShare = Math.ceil(MOST_AHEAD / Math.max(1, busy));
      if (!sender.hasWork(now)) {
        due = Math.min(due, sender.nextDue(now) ?? due);
        continue;
      }
      loaded = true;
      const budget = sender.budget(now);
      worthwhile += sender.worthwhile;
      if (budget <= 0) continue;
      grantable = true;
      room += budget;
      ahead ||= sender.isIdle || sender.hasWork(now, SmsType.Notification);
      waits ||= sender.hasWork(now, SmsType.Verification) && !sender.mayHurry(now);
    }
    const urgent = waits || (grantable && busy === 0) || (room > 0 && room >= worthwhile);
    if (!grantable) this.grantableSince = null;
    else this.grantableSince ??= now;
    const view = {
      pending: pending.size,
      pendingSince: pending.since || now,
      grantableSince: this.grantableSince,
      ahead,
      urgent,
      loaded,
    };
    const at = Math.min(flushAt(view, now) ?? Number.POSITIVE_INFINITY, due);
    if (life.stopping && pending.size > 0) return now;
    return at === Number.POSITIVE_INFINITY ? null : at;
  }

  private async flush(): Promise<void> {
    this.flushing = true;
    const { clock, holdings } = this.context;
    for (const sender of holdings.senders.values()) sender.beginFlush();
    const gathered = this.gather();
    const begunAt = clock.now();
    const outcome = await this.commit(gathered.flush);
    this.flushing = false;
    if (outcome === null) return;
    const tookMs = clock.now() - begunAt;
    if (!outcome.hasFailed && tookMs > 0) for (const sender of holdings.senders.values()) sender.noteCommit(tookMs);
    this.apply(gathered, outcome);
    this.onFlushed();
  }

  private async hurry(): Promise<void> {
    const { clock, holdings } = this.context;
    const now = clock.now();
    const granted = [...holdings.senders.values()].flatMap((sender) =>
      sender.grantCodes(now).map((each) => ({ ...each, sender })),
    );
    if (granted.length === 0) return;
    this.hurrying = true;
    const marked = [...new Set(granted.map(({ batch }) => batch))];
    const marks = marked.map((batch) => batch.takeMark(false)!);
    for (const batch of marked) holdings.marked.add(batch);
    const gathered = { flush: { ...NOTHING, marks }, acknowledge: [], grants: granted, marked };
    const outcome = await this.commit(gathered.flush);
    this.hurrying = false;
    if (outcome === null) return;
    this.apply(gathered, outcome);
    this.onFlushed();
  }

  private gather(): Gathered {
    const { clock, holdings, life, pending } = this.context;
    const now = clock.now();
    holdings.endOverdue(now);
    const grants: { sender: LinkSender; outgoing: Outgoing }[] = [];
    // A message with an outcome not yet taken by a flush is in doubt after a crash, and so is a granted one: never both
    // in one flush.
    for (const sender of life.stopping || pending.isLong ? [] : holdings.senders.values()) {
      for (const outgoing of sender.displace(now)) holdings.giveBack(sender, outgoing);
      for (const outgoing of sender.grant(now)) grants.push({ sender, outgoing });
    }
    const { said, acknowledge } = pending.take();
    const left = pending.batchesLeft;
    const marks: BatchMark[] = [];
    const marked: BatchProgress[] = [];
    for (const batch of holdings.batches.values()) {
      const mark = batch.takeMark(!left.has(batch.claimed.batchId));
      if (mark === null) continue;
      marks.push(mark);
      marked.push(batch);
      // Nothing more must be stored for it.
      if (mark.end !== null) holdings.remove(batch);
    }
    this.grantableSince = null;
    for (const batch of marked) holdings.marked.add(batch);
    return { flush: { ...said, marks }, acknowledge, grants, marked };
  }

  /** Until it succeeds: nothing is sent meanwhile, because intent can't be committed either. Null when we end first. */
  private async commit(flush: Flush): Promise<CommitOutcome | null> {
    const { clock, events, life, store } = this.context;
    let hasFailed = false;
    if (Object.values(flush).every((said: readonly unknown[]) => said.length === 0))
      return { lost: [], waiting: [], hasFailed };
    for (let waitMs = RETRY_FIRST_MS; !life.ended; waitMs = Math.min(RETRY_LONGEST_MS, waitMs * 2)) {
      try {
        return { ...(await store.commit(flush)), hasFailed };
      } catch (error) {
        hasFailed = true;
        events.onError?.('commit', error);
        await new Promise<void>((resolve) => {
          clock.setTimer(resolve, waitMs);
        });
      }
    }
    return null;
  }

  private apply({ flush, grants, acknowledge, marked }: Gathered, outcome: CommitOutcome): void {
    const { clock, holdings } = this.context;
    for (const batch of marked) holdings.marked.delete(batch);
    const now = clock.now();
    const lost = new Set(outcome.lost);
    for (const batch of marked) {
      // An attempt that failed may have taken effect before the batch was lost.
      if (lost.has(batch.claimed.batchId)) batch.noteStored(outcome.hasFailed ? null : false);
      else batch.noteStored(true);
    }
    holdings.lose(outcome.lost, now);
    for (const { sender, outgoing } of grants) {
      const { batch } = outgoing;
      // What was lost after its intent was stored is in doubt for the process that has the batch, and written.
      if (lost.has(batch.claimed.batchId) || (batch.lost && !holdings.isLeft(batch))) {
        sender.cancelGrant(outgoing);
        sender.free(outgoing.parts);
        batch.giveBack(outgoing);
      } else if (batch.closing || (sender.keepsOrder && batch.hasEarlier(outgoing, now))) {
        sender.cancelGrant(outgoing);
        holdings.giveBack(sender, outgoing);
      } else sender.makeReady(outgoing);
    }
    for (const batch of marked) holdings.readyUnsent(batch);
    const waiting = new Set(outcome.waiting);
    for (const receipt of flush.receipts) {
      if (!waiting.has(receipt)) holdings.senders.get(receipt.supplierId)?.book.stopWaiting(receipt);
    }
    for (const done of acknowledge) done();
    this.notifyTasks(flush);
  }

  private notifyTasks(flush: Flush): void {
    const { events } = this.context;
    if (events.onTasks === undefined) return;
    const taskIds = new Set<string>();
    for (const { batch } of flush.changes) if (batch.taskId !== null) taskIds.add(batch.taskId);
    for (const { batch } of flush.marks) if (batch.taskId !== null) taskIds.add(batch.taskId);
    if (taskIds.size > 0) events.onTasks(taskIds);
  }
}
