/**
 * The sending side of one supplier account: which messages are granted next, and how granted messages are written,
 * within the windows of the binds and the pace of the account. Parts of one message are written consecutively on one
 * bind.
 */
import { SmsType } from '@pahatid/contract/enums';
import type { BatchProgress } from './batch-progress.ts';
import { GrantAhead, MOST_AHEAD, mostAhead } from './grant-ahead.ts';
import { LANES, LaneQueue } from './lane-queue.ts';
import { isUntouched, type Outgoing, type OutgoingBatch } from './outgoing.ts';
import { Pacer } from './pacer.ts';
import { PartSubmission } from './part-submission.ts';
import type { CarrierBind, CarrierLink } from './ports.ts';
import { ReadyLanes } from './ready-lanes.ts';
import { ReceiptIndex } from './receipt-index.ts';
import { Resting } from './resting.ts';

/** Segments granted to one customer before it is the next one's turn: as many as the pace lets go in this time. */
const RUN_MS = 10;
const RUN_AT_MOST = 25;
/**
 * Marketing has longer turns, because each customer in a flush costs the database as much as some messages do. They follow
 * what the account wrote lately: on a busy machine turns by its pace would keep most of a hundred customers waiting.
 */
const MARKETING_RUN_MS = 100;
const MARKETING_RUN_AT_MOST = 50;
/** Segments of codes of one account that may be granted between two flushes, beyond its windows. */
const HURRIED_AT_MOST = 16;
/** The share of what is granted ahead that is worth a commit. */
const WORTH = 0.5;
/** Messages claimed for one account, of all customers together: then only a customer with none queued there gets some. */
const QUEUED_AT_MOST = 6_000;
/** Messages waiting for numbers whose queues are full: up to this count they do not delay others. */
const DELAYED_AT_MOST = 30_000;

export type PumpResult =
  /** Nothing to write, or no free slot: an event will come. */
  | { state: 'waiting' }
  /** The pace allows the next segment then. */
  | { state: 'paced'; waitMs: number }
  /** The lease of this one's batch ran out: nothing is written before it was renewed. */
  | { state: 'leaseOver'; outgoing: Outgoing }
  /** This one is not begun, and the time of its batch is over: nothing is written before it is taken away. */
  | { state: 'overdue'; outgoing: Outgoing };

export class LinkSender {
  readonly link: CarrierLink;
  readonly pacer: Pacer;
  readonly book = new ReceiptIndex();
  /** Claimed batches by lane. */
  private readonly lanes: Readonly<Record<SmsType, LaneQueue>> = {
    1: new LaneQueue(),
    2: new LaneQueue(),
    3: new LaneQueue(),
  };
  private readonly ready = new ReadyLanes();
  private readonly ahead = new GrantAhead();
  /** Begun, with parts that were refused and are written again after a wait. */
  private readonly resting = new Resting();
  /** Messages with parts left, by the bind they go on. */
  private readonly current = new Map<string, Outgoing>();
  private turn = 0;
  private knownBinds = 0;
  private hadPace = false;
  private sentParts = 0;
  /** Of what may be granted ahead on all accounts together. */
  aheadShare = MOST_AHEAD;
  /** Parts granted and without an outcome: never more than all windows together and what is granted ahead. */
  private used = 0;
  /** Parts of codes granted since the last flush began, beyond the windows and what is ahead of them. */
  private hurried = 0;

  constructor(link: CarrierLink) {
    this.link = link;
    this.pacer = new Pacer(link.tps);
  }

  /** All windows together. */
  get capacity(): number {
    return this.link.binds.length * this.link.windowSize;
  }

  /** With one message at a time those of a batch leave in its order, through every refusal. */
  get keepsOrder(): boolean {
    return this.capacity === 1;
  }

  /** Returns true once after binds were added, or a pace was set where there was none: work may be wanted again. */
  noticeRoom(): boolean {
    const { knownBinds, hadPace } = this;
    this.knownBinds = this.link.binds.length;
    this.hadPace = this.link.tps > 0;
    return this.knownBinds > knownBinds || (this.hadPace && !hadPace);
  }

  /** Segments written since it began. */
  get sent(): number {
    return this.sentParts;
  }

  get isIdle(): boolean {
    return this.used === 0;
  }

  get batches(): BatchProgress[] {
    return LANES.flatMap((lane) => this.lanes[lane].batches);
  }

  /** Messages claimed and not granted, of this lane and those before it. */
  queued(lane: SmsType = SmsType.Marketing): number {
    let sum = 0;
    for (const each of LANES) if (each <= lane) sum += this.lanes[each].queued;
    return sum;
  }

  /** Whether there is room for batches of a lane at all. */
  hasSpace(lane: SmsType): boolean {
    return this.canSend && this.queued(lane) < QUEUED_AT_MOST && this.delayed < DELAYED_AT_MOST;
  }

  private get delayed(): number {
    let sum = 0;
    for (const { delayed } of this.batches) sum += delayed;
    return sum;
  }

  /**
   * Whether another batch of this customer would be useful soon: a customer with enough queued waits, and the queues of
   * others do not delay its turn.
   */
  wantsMoreOf(customerId: string, lane: SmsType): boolean {
    return this.hasSpace(lane) && this.lanes[lane].queuedOf(customerId) < this.enough;
  }

  /**
   * Whether a batch of this customer is wanted however much of others is queued: its turns come only once it has one, so
   * a slow account would serve those claimed first to their end before it served the next.
   */
  wantsFirstOf(customerId: string, lane: SmsType): boolean {
    return this.canSend && this.delayed < DELAYED_AT_MOST && this.lanes[lane].queuedOf(customerId) === 0;
  }

  private get canSend(): boolean {
    return this.capacity > 0 && this.link.tps > 0;
  }

  /** Messages in hand with which nothing is missing soon. */
  get enough(): number {
    return Math.min(QUEUED_AT_MOST, Math.max(2 * this.capacity, this.pacer.rate / 2));
  }

  add(batch: BatchProgress): void {
    this.lanes[batch.claimed.lane].add(batch);
  }

  remove(batch: BatchProgress): void {
    this.lanes[batch.claimed.lane].remove(batch);
  }

  /** Segments that are worth a commit: before they are written, another one is granted. */
  get worthwhile(): number {
    return Math.max(1, Math.floor(this.aheadLimit * WORTH));
  }

  /** How long a commit took. */
  noteCommit(tookMs: number): void {
    this.ahead.noteCommit(tookMs);
  }

  /**
   * Returns the segments that may be granted now to the lanes that have work; codes also have the space of ready
   * messages in lower lanes.
   */
  budget(now: number): number {
    for (const lane of LANES) {
      if (!this.lanes[lane].hasWork(now)) continue;
      const room = lane === SmsType.Verification ? this.ready.displaceable : 0;
      return Math.min(this.room + room, this.readyLimit - this.ready.partsUpTo(lane));
    }
    return 0;
  }

  private budgetOf(lane: SmsType): number {
    return Math.min(this.room, this.readyLimit - this.ready.partsUpTo(lane));
  }

  /** What the windows have room for, or what may be ready on top of full windows, whichever is more. */
  private get room(): number {
    if (this.capacity === 0) return 0;
    return Math.max(this.capacity - this.used, this.aheadLimit - this.readyParts);
  }

  /** Segments granted and not written. */
  get readyParts(): number {
    return this.ready.partsUpTo(SmsType.Marketing);
  }

  /** Segments that may be granted beyond the windows, by flushes and by what is committed during them. */
  get mostGranted(): number {
    return this.aheadLimit + this.hurryLimit;
  }

  /** Segments that a flush may grant beyond the windows. */
  get aheadLimit(): number {
    return Math.min(this.aheadShare, this.ahead.limit(this.pacer.rate, this.capacity));
  }

  /** Granted and not written, for each lane without those below it. */
  private get readyLimit(): number {
    return mostAhead(this.pacer.rate);
  }

  /** Something could be granted if there were room. */
  hasWork(now: number, lane?: SmsType): boolean {
    if (lane !== undefined) return this.lanes[lane].hasWork(now);
    return LANES.some((each) => this.lanes[each].hasWork(now));
  }

  nextDue(now: number): number | null {
    let due: number | null = null;
    for (const batch of this.batches) {
      const at = batch.nextDue(now);
      if (at !== null && (due === null || at < due)) due = at;
    }
    return due;
  }

  /** Returns ready messages of other lanes that give way to codes, if those find the windows full. */
  displace(now: number): Outgoing[] {
    if (!this.lanes[SmsType.Verification].hasWork(now)) return [];
    const wanted = Math.min(
      this.readyLimit - this.ready.partsOf(SmsType.Verification),
      this.queued(SmsType.Verification),
    );
    return this.ready.displace(wanted - Math.max(0, this.room));
  }

  /** Takes what may be sent once its intent is committed. */
  grant(now: number): Outgoing[] {
    this.pacer.setLimit(this.link.tps);
    this.ahead.noteSent(this.sentParts, now);
    const granted: Outgoing[] = [];
    for (const lane of LANES) {
      const queue = this.lanes[lane];
      const run = this.runOf(lane);
      while (this.budgetOf(lane) > 0) {
        const batch = queue.next(now, run);
        const outgoing = batch?.peek(now) ?? null;
        if (batch === null || outgoing === null) break;
        granted.push(this.grantOne(queue, batch, outgoing));
      }
    }
    return granted;
  }

  /** Segments of a turn. */
  private runOf(lane: SmsType): number {
    const run = Math.max(1, Math.min(RUN_AT_MOST, Math.floor((this.pacer.rate * RUN_MS) / 1_000)));
    if (lane !== SmsType.Marketing) return run;
    return Math.max(
      run,
      Math.min(MARKETING_RUN_AT_MOST, Math.floor((this.ahead.recentRate * MARKETING_RUN_MS) / 1_000)),
    );
  }

  /** Whether codes wait of whose batch nothing was granted yet, and may be granted without a flush. */
  mayHurry(now: number): boolean {
    return this.hurried < this.hurryLimit && this.lanes[SmsType.Verification].freshBatches(now).length > 0;
  }

  /**
   * Takes codes whose intent is committed without a flush: they wait neither for it nor for free windows, in which they
   * come first.
   */
  grantCodes(now: number): { batch: BatchProgress; outgoing: Outgoing }[] {
    const queue = this.lanes[SmsType.Verification];
    const granted: { batch: BatchProgress; outgoing: Outgoing }[] = [];
    for (const batch of queue.freshBatches(now)) {
      while (this.hurried < this.hurryLimit) {
        const outgoing = batch.peek(now);
        if (outgoing === null) break;
        granted.push({ batch, outgoing: this.grantOne(queue, batch, outgoing) });
        this.hurried += outgoing.parts;
      }
    }
    return granted;
  }

  private grantOne(queue: LaneQueue, batch: BatchProgress, outgoing: Outgoing): Outgoing {
    outgoing.parts = this.link.countParts(outgoing.message.content);
    batch.grant(outgoing);
    queue.took(batch.claimed.customerId, outgoing.parts);
    this.used += outgoing.parts;
    this.ready.expect(outgoing);
    return outgoing;
  }

  /** Segments of codes granted between two flushes, about. */
  private get hurryLimit(): number {
    return this.capacity === 0 ? 0 : Math.min(HURRIED_AT_MOST, mostAhead(this.pacer.rate));
  }

  /** A flush begins: codes granted before are among those that it counts. */
  beginFlush(): void {
    this.hurried = 0;
  }

  /** Its intent is committed. */
  makeReady(outgoing: Outgoing): void {
    outgoing.phase = 'ready';
    outgoing.attempt += 1;
    this.ready.add(outgoing);
  }

  /** Granted before and given back: it is written without another intent. */
  readyAgain(outgoing: Outgoing): void {
    this.used += outgoing.parts;
    outgoing.attempt += 1;
    this.resume(outgoing);
  }

  /** Granted and not to be written after all. */
  cancelGrant(outgoing: Outgoing): void {
    this.ready.cancel(outgoing);
  }

  /** Writes what may go now. */
  pump(now: number, onSent: (outgoing: Outgoing) => void): PumpResult {
    this.pacer.setLimit(this.link.tps);
    for (const outgoing of this.resting.takeDue(now)) this.ready.addFirst(outgoing);
    for (;;) {
      const bind = this.nextBind();
      if (bind === null) return this.waitForRested(now);
      const waitMs = this.pacer.waitMs(now);
      if (waitMs === Number.POSITIVE_INFINITY) return { state: 'waiting' };
      if (waitMs > 0) return { state: 'paced', waitMs };
      const outgoing = this.current.get(bind.id) ?? this.ready.first();
      if (outgoing === null) return this.waitForRested(now);
      if (now > outgoing.batch.leaseUntil) return { state: 'leaseOver', outgoing };
      if (now >= outgoing.batch.validUntil && isUntouched(outgoing)) return { state: 'overdue', outgoing };
      if (outgoing.phase === 'ready') {
        this.ready.takeFirst(outgoing);
        outgoing.phase = 'sent';
      }
      this.writePart(bind, outgoing, now);
      onSent(outgoing);
    }
  }

  private writePart(bind: CarrierBind, outgoing: Outgoing, now: number): void {
    const part = outgoing.takePart();
    outgoing.awaited += 1;
    this.sentParts += 1;
    this.pacer.take(now);
    if (outgoing.hasPartsLeft) this.current.set(bind.id, outgoing);
    else this.current.delete(bind.id);
    const messageId = outgoing.batch.claimed.batchId + BigInt(outgoing.message.position);
    bind.submit(outgoing.message, messageId, new PartSubmission(outgoing, part, now, bind));
  }

  /** A message with some parts taken continues before all others, on any bind, as soon as its wait is over. */
  resume(outgoing: Outgoing): void {
    outgoing.phase = 'ready';
    this.resting.add(outgoing);
  }

  /** Nothing can be written now; the next that rests may go then. */
  private waitForRested(now: number): PumpResult {
    const waitMs = this.resting.waitMs(now);
    return waitMs === null ? { state: 'waiting' } : { state: 'paced', waitMs };
  }

  /**
   * Returns messages in progress on binds that are no longer used and that have no unanswered parts; the others are
   * stranded when their responses have come.
   */
  takeStranded(): Outgoing[] {
    const alive = new Set(this.link.binds.map((bind) => bind.id));
    const left: Outgoing[] = [];
    for (const [bindId, outgoing] of this.current) {
      if (alive.has(bindId)) continue;
      this.current.delete(bindId);
      left.push(outgoing);
    }
    return left.filter((outgoing) => this.isStranded(outgoing));
  }

  /** Whether parts are left to be written, and no bind will write them. */
  isStranded(outgoing: Outgoing): boolean {
    if (outgoing.phase !== 'sent' || outgoing.awaited > 0 || !outgoing.hasPartsLeft) return false;
    return ![...this.current.values()].includes(outgoing);
  }

  /** Removes it from the ready or started messages, wherever it is. */
  forget(outgoing: Outgoing): void {
    this.ready.takeOut((each) => each === outgoing);
    this.resting.takeOut((each) => each === outgoing);
    this.forgetCurrent(outgoing);
  }

  /** Writes no more parts of this one. */
  forgetCurrent(outgoing: Outgoing): void {
    for (const [bindId, each] of this.current) if (each === outgoing) this.current.delete(bindId);
  }

  /** Removes and returns messages that are ready and not started, of one batch or of all. */
  takeBackReady(batch: OutgoingBatch | null): Outgoing[] {
    return this.ready.takeOut(
      (outgoing) => isUntouched(outgoing) && (batch === null ? !outgoing.batch.lost : outgoing.batch === batch),
    );
  }

  /** Removes and returns started messages waiting to continue, of batches that are released. */
  takeBegun(): Outgoing[] {
    const isLeft = (outgoing: Outgoing): boolean => !isUntouched(outgoing) && outgoing.batch.closing;
    return [...this.resting.takeOut(isLeft), ...this.ready.takeOut(isLeft)];
  }

  /**
   * The outcome of these parts is known. Their slots may be granted immediately: the flush that commits the next grant
   * commits this before it, in the same transaction.
   */
  free(parts: number): void {
    this.used -= parts;
  }

  /** A bind with a free slot and something to write on it, in turns. */
  private nextBind(): CarrierBind | null {
    const { binds } = this.link;
    const hasReady = this.ready.first() !== null;
    for (let i = 0; i < binds.length; i++) {
      const index = (this.turn + i) % binds.length;
      const bind = binds[index]!;
      if (bind.freeSlots > 0 && (hasReady || this.current.has(bind.id))) {
        this.turn = index + 1;
        return bind;
      }
    }
    return null;
  }
}
