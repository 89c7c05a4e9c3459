/**
 * A world for simulating the engine: a clock moved by hand, a store that commits or fails on command, a carrier with
 * random behaviour. The store keeps only committed data, so a crash is a new engine on the same store.
 */
import { ClientStatus, SendStatus, type SmsType } from '@pahatid/contract/enums';
import type { Clock, Timer } from './clock.ts';
import { mergeChange } from './merge-change.ts';
import type {
  CarrierBind,
  CarrierLink,
  CarrierReceipt,
  ClaimedBatch,
  ClaimOutcome,
  ClaimRequest,
  Flush,
  FlushOutcome,
  LinkHandler,
  LoadedMessage,
  RowState,
  SendStore,
  Submission,
} from './ports.ts';

export class WorldClock implements Clock {
  private time = 0;
  /** The last one is due first. */
  private readonly timers: { readonly at: number; run: (() => void) | null }[] = [];

  now(): number {
    return this.time;
  }

  wall(): number {
    return this.time;
  }

  setTimer(run: () => void, delayMs: number): Timer {
    const timer: (typeof this.timers)[number] = { at: this.time + Math.max(0, delayMs), run };
    let [low, high] = [0, this.timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timers[middle]!.at > timer.at) low = middle + 1;
      else high = middle;
    }
    // Before those due at the same time, which were added earlier and come first.
    this.timers.splice(low, 0, timer);
    return {
      cancel: () => {
        timer.run = null;
      },
    };
  }

  /** Everything that is due until then, in order; promises in between get their turn. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      while (this.timers.at(-1)?.run === null) this.timers.pop();
      const due = this.timers.at(-1);
      if (due === undefined || due.at > end) break;
      this.timers.pop();
      this.time = Math.max(this.time, due.at);
      due.run?.();
    }
    this.time = end;
  }
}

interface StoredRow {
  state: RowState;
  parts: number;
}

interface StoredBatch {
  claimed: ClaimedBatch;
  rows: StoredRow[];
  mark: number;
  notTaken: Set<number>;
  state: 'ready' | 'claimed' | 'done';
  /** Of the process that claimed it. */
  owner: number;
  /** By the clock of the world. */
  readonly validUntil: number;
}

const NOBODY = 0;

export class WorldStore implements SendStore {
  readonly batches = new Map<bigint, StoredBatch>();
  readonly routes = new Map<string, { batchId: bigint; position: number; part: number }>();
  waiting: CarrierReceipt[] = [];
  /** Batches of tasks that were paused. */
  readonly stopped = new Set<bigint>();
  /** Commits fail according to its result; `after`: although they took effect. */
  failing: () => 'before' | 'after' | null = () => null;
  /** How long a commit takes, by what is committed. */
  commitMs: (flush: Flush) => number = () => 3;
  /** How long a look for waiting work, and a claim, take. */
  lookMs = 0;
  private readonly clock: Clock;
  private processes = NOBODY;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  add(claimed: ClaimedBatch): void {
    const rows = claimed.messages.map(() => ({ state: { sendStatus: 0, clientStatus: 0 } as RowState, parts: 0 }));
    const validUntil = this.clock.now() + (claimed.validForMs ?? Number.POSITIVE_INFINITY);
    const untouched = { mark: 0, notTaken: new Set<number>(), state: 'ready', owner: NOBODY } as const;
    this.batches.set(claimed.batchId, { claimed, rows, validUntil, ...untouched });
  }

  async findWaiting() {
    await this.look();
    return [...this.batches.values()]
      .filter(({ state }) => state === 'ready')
      .map(({ claimed: { customerId, lane, supplierId } }) => ({ customerId, lane, supplierId }));
  }

  private async look(): Promise<void> {
    if (this.lookMs > 0) await new Promise<void>((resolve) => this.clock.setTimer(resolve, this.lookMs));
  }

  async claim({ turns, messages, except }: ClaimRequest, owner = NOBODY): Promise<ClaimOutcome> {
    await this.look();
    const batches: ClaimedBatch[] = [];
    let room = messages;
    for (const { customerId, lane, supplierId, batches: limit } of turns) {
      const ready = [...this.batches.values()].filter(
        ({ state, claimed }) =>
          state === 'ready' &&
          claimed.customerId === customerId &&
          claimed.supplierId === supplierId &&
          claimed.lane === lane &&
          !except.includes(claimed.batchId),
      );
      for (const batch of ready.slice(0, limit)) {
        if (room <= 0) break;
        room -= batch.claimed.messageCount;
        batches.push(this.claimOne(batch, owner));
      }
    }
    return { batches, parked: false };
  }

  private claimOne(batch: StoredBatch, owner: number): ClaimedBatch {
    batch.state = 'claimed';
    batch.owner = owner;
    const messages = batch.claimed.messages.filter(({ position }) => batch.rows[position]!.state.sendStatus === 0);
    const validForMs = batch.claimed.validForMs === null ? null : batch.validUntil - this.clock.now();
    return { ...batch.claimed, intentMark: batch.mark, validForMs, messages };
  }

  async renew(batchIds: readonly bigint[], owner = NOBODY): Promise<bigint[]> {
    return batchIds.filter((id) => this.isOwned(this.batches.get(id)!, owner));
  }

  private isOwned({ state, owner }: StoredBatch, by: number): boolean {
    return state === 'claimed' && owner === by;
  }

  async findStopped(): Promise<bigint[]> {
    return [...this.stopped];
  }

  async commit(flush: Flush, owner = NOBODY): Promise<FlushOutcome> {
    await new Promise<void>((resolve) => this.clock.setTimer(resolve, this.commitMs(flush)));
    const fails = this.failing();
    if (fails === 'before') throw new Error('the database is away');
    const outcome = this.write(flush, owner);
    if (fails === 'after') throw new Error('the connection was lost during COMMIT');
    return outcome;
  }

  /** The store as seen by one process; after `kill` none of its requests take effect, but those in progress may. */
  forProcess(): { store: SendStore; kill(): void } {
    this.processes += 1;
    const owner = this.processes;
    let isAlive = true;
    const never = new Promise<never>(() => {});
    const store: SendStore = {
      findWaiting: async () => (isAlive ? await this.findWaiting() : await never),
      claim: async (request) => (isAlive ? await this.claim(request, owner) : await never),
      renew: async (batchIds) => (isAlive ? await this.renew(batchIds, owner) : await never),
      findStopped: async () => (isAlive ? await this.findStopped() : await never),
      commit: async (flush) => (isAlive ? await this.commit(flush, owner) : await never),
    };
    return {
      store,
      kill: () => {
        isAlive = false;
      },
    };
  }

  /** After a crash, or of leases that ran out: what may be at the carrier and has no outcome is in doubt, the rest is ready again. */
  recover(): void {
    for (const batch of this.batches.values()) {
      if (batch.state !== 'claimed') continue;
      for (const position of this.doubtful(batch)) batch.rows[position]!.state = { sendStatus: 1, clientStatus: 0 };
      const left = batch.rows.some(({ state }) => state.sendStatus === 0);
      batch.state = left ? 'ready' : 'done';
    }
  }

  /** Below the mark, no outcome, not listed as not taken. */
  doubtful(batch: StoredBatch): number[] {
    return batch.rows.flatMap(({ state }, position) =>
      state.sendStatus === 0 && position < batch.mark && !batch.notTaken.has(position) ? [position] : [],
    );
  }

  get allDoubtful(): number {
    return [...this.batches.values()].reduce((sum, batch) => sum + this.doubtful(batch).length, 0);
  }

  /** Whether the message may be written: its intent is committed. */
  mayBeWritten(batchId: bigint, position: number): boolean {
    const batch = this.batches.get(batchId)!;
    return position < batch.mark && !batch.notTaken.has(position);
  }

  /** Whether a receipt may be acknowledged: its content is in its row, or it is stored as waiting. */
  hasReceipt(carrierMessageId: string, batchId: bigint, position: number, part: number): boolean {
    const row = this.batches.get(batchId)!.rows[position]!;
    return (
      (row.parts & (1 << (part - 1))) !== 0 || this.waiting.some(({ candidates }) => candidates[0] === carrierMessageId)
    );
  }

  private write(flush: Flush, owner: number): FlushOutcome {
    const lost: bigint[] = [];
    for (const change of flush.changes) {
      const row = this.batches.get(change.batch.batchId)!.rows[change.message.position]!;
      row.state = mergeChange(row.state, change.after);
      row.parts |= change.partsDelivered;
      this.complete(row, change.message);
      for (const { carrierMessageId, part } of change.routes) {
        this.routes.set(carrierMessageId, { batchId: change.batch.batchId, position: change.message.position, part });
      }
    }
    const waiting = flush.receipts.filter((receipt) => !this.receive(receipt));
    this.waiting.push(...waiting);
    this.waiting = this.waiting.filter((receipt) => !flush.matchedReceipts.includes(receipt));
    for (const { batch, mark, notTaken, end } of flush.marks) {
      const stored = this.batches.get(batch.batchId)!;
      if (!this.isOwned(stored, owner)) {
        lost.push(batch.batchId);
        continue;
      }
      stored.mark = mark;
      stored.notTaken = new Set(notTaken);
      if (end !== null) stored.state = end === 'done' ? 'done' : 'ready';
    }
    return { lost, waiting };
  }

  /** As a sweeper would: processes waiting receipts whose route exists now. */
  sweep(): void {
    this.waiting = this.waiting.filter((receipt) => !this.receive(receipt));
  }

  private receive(receipt: CarrierReceipt): boolean {
    const route = this.routes.get(receipt.candidates[0]!);
    if (route === undefined) return false;
    const batch = this.batches.get(route.batchId)!;
    const row = batch.rows[route.position]!;
    const message = batch.claimed.messages[route.position]!;
    if (receipt.clientStatus === ClientStatus.Delivered) row.parts |= 1 << (route.part - 1);
    else row.state = mergeChange(row.state, { sendStatus: SendStatus.Successful, clientStatus: receipt.clientStatus });
    this.complete(row, message);
    return true;
  }

  private complete(row: StoredRow, { pkgTotal }: LoadedMessage): void {
    const all = (1 << pkgTotal) - 1;
    if ((row.parts & all) !== all || row.state.sendStatus === SendStatus.Waiting) return;
    row.state = mergeChange(row.state, { sendStatus: SendStatus.Successful, clientStatus: ClientStatus.Delivered });
  }
}

/** The outcome of one submit. */
export type AnswerKind = 'ok' | 'early' | 'throttled' | 'queueFull' | 'temporary' | 'bindFatal' | 'refused' | 'silent';

const statuses: Record<AnswerKind, number> = {
  ok: 0,
  early: 0,
  silent: 0,
  throttled: 0x58,
  queueFull: 0x14,
  temporary: 0x08,
  bindFatal: 0x04,
  refused: 0x0b,
};

export interface WorldLinkOptions {
  supplierId?: string;
  clock: Clock;
  windowSize: number;
  tps: number;
  answerKind: (messageId: bigint, part: number) => AnswerKind;
  delay: () => number;
  /** Before a part is written. */
  check: (messageId: bigint, position: number, part: number) => void;
  /** When a part's receipt is acknowledged. */
  onAcknowledged?: (carrierMessageId: string, messageId: bigint, position: number, part: number) => void;
}

export class WorldLink implements CarrierLink {
  readonly supplierId: string;
  readonly statusClasses = {};
  isBlocked = false;
  tps: number;
  readonly windowSize: number;
  binds: CarrierBind[] = [];
  /** Copies of each part at the carrier. */
  readonly copies = new Map<string, number>();
  readonly refused = new Set<string>();
  /** Times at which parts left. */
  readonly times: number[] = [];
  acknowledged = 0;
  private handler: LinkHandler | null = null;
  private readonly open = new Map<string, Set<Submission>>();
  private ids = 0;
  private readonly clock: Clock;
  private readonly answerKind: WorldLinkOptions['answerKind'];
  private readonly delay: () => number;
  private readonly check: WorldLinkOptions['check'];
  private readonly onAcknowledged: WorldLinkOptions['onAcknowledged'];

  constructor(options: WorldLinkOptions) {
    this.supplierId = options.supplierId ?? 'supplier';
    this.clock = options.clock;
    this.windowSize = options.windowSize;
    this.tps = options.tps;
    this.answerKind = options.answerKind;
    this.delay = options.delay;
    this.check = options.check;
    this.onAcknowledged = options.onAcknowledged;
  }

  attach(handler: LinkHandler): void {
    this.handler = handler;
  }

  countParts(content: string): number {
    return Number(content);
  }

  bind(id: string): void {
    const open = new Set<Submission>();
    this.open.set(id, open);
    const link = this;
    this.binds.push({
      id,
      get freeSlots() {
        return link.open.has(id) ? link.windowSize - open.size : 0;
      },
      submit: (message, messageId, submission) => this.submit(id, message, messageId, submission),
      fail: () => {
        const isFirst = this.open.has(id);
        this.cut(id);
        return isFirst;
      },
    });
    this.handler?.onRoom();
  }

  /** The connection is lost: unanswered submits have an unknown outcome. */
  cut(id: string): void {
    const open = this.open.get(id);
    if (open === undefined) return;
    this.open.delete(id);
    this.binds = this.binds.filter((bind) => bind.id !== id);
    for (const submission of open) this.handler?.onUnknown(submission);
    this.handler?.onRoom();
  }

  /** Nothing more is written on it; pending responses still arrive. */
  retire(id: string): void {
    this.binds = this.binds.filter((bind) => bind.id !== id);
    this.handler?.onRoom();
  }

  /** The process that used it has ended. */
  detach(): void {
    this.handler = null;
    this.open.clear();
    this.binds = [];
  }

  private submit(bindId: string, message: LoadedMessage, messageId: bigint, submission: Submission): void {
    this.check(messageId, message.position, submission.part);
    this.times.push(this.clock.now());
    const open = this.open.get(bindId)!;
    open.add(submission);
    const name = `${messageId}/${submission.part}`;
    const answerKind = this.answerKind(messageId, submission.part);
    const taken = answerKind === 'ok' || answerKind === 'early' || answerKind === 'silent';
    this.ids += 1;
    const id = `c${this.ids}`;
    if (taken) {
      this.copies.set(name, (this.copies.get(name) ?? 0) + 1);
      const receiptAfter = answerKind === 'early' ? 0 : this.delay() + this.delay();
      const sent = { messageId, part: submission.part };
      this.clock.setTimer(() => this.deliverReceipt(id, message, sent), receiptAfter);
    }
    if (answerKind === 'refused') this.refused.add(String(messageId));
    const status = statuses[answerKind];
    if (answerKind === 'silent') return;
    this.clock.setTimer(() => {
      // Responses of a closed connection never arrive.
      if (this.open.get(bindId) !== open || !open.delete(submission)) return;
      this.handler?.onResponse(submission, status, taken ? id : null);
      this.handler?.onRoom();
    }, this.delay() + 1);
  }

  private deliverReceipt(id: string, message: LoadedMessage, sent: { messageId: bigint; part: number }): void {
    if (this.handler === null) {
      // Unacknowledged: it is delivered again to the next process that binds.
      this.clock.setTimer(() => this.deliverReceipt(id, message, sent), 50);
      return;
    }
    let isAcknowledged = false;
    const receipt: CarrierReceipt = {
      supplierId: this.supplierId,
      receiptId: `r${id}`,
      candidates: [id],
      msisdn: message.msisdn,
      clientSid: 'S',
      needsPhone: false,
      clientStatus: ClientStatus.Delivered,
      final: true,
      dealResult: 'DELIVERED',
      carrierCode: null,
      reportMs: null,
      receivedMs: this.clock.wall(),
    };
    const { handler } = this;
    handler.onReceipt(receipt, () => {
      if (this.handler !== handler || isAcknowledged) return;
      isAcknowledged = true;
      this.acknowledged += 1;
      this.onAcknowledged?.(id, sent.messageId, message.position, sent.part);
    });
    // As a carrier does: an unanswered receipt is delivered again, by then perhaps to another process.
    const again = (): void => {
      if (isAcknowledged) return;
      if (this.handler === handler) this.clock.setTimer(again, 200);
      else this.deliverReceipt(id, message, sent);
    };
    this.clock.setTimer(again, 200);
  }
}

/** A batch of messages that are all of so many parts. */
export const makeWorldBatch = (spec: {
  batchId: bigint;
  customerId: string;
  lane: SmsType;
  count: number;
  parts: number;
  validForMs?: number;
  supplierId?: string;
}): ClaimedBatch => {
  const { batchId, customerId, lane, count, parts, validForMs = null, supplierId = 'supplier' } = spec;
  const names = { appId: 'app', areaCode: 'PH', carrier: 'Globe', clientSid: 'S', routeId: 'route' };
  const key = { ...names, customerId, minuteMs: 0, smsType: lane };
  const messages = Array.from(
    { length: count },
    (_, position): LoadedMessage => ({
      position,
      msisdn: `63917${batchId + BigInt(position)}`,
      content: String(parts),
      pkgTotal: parts,
      price: 1,
      chargeType: 'SenderPays',
      key,
      templateId: null,
      optedOut: false,
    }),
  );
  const owner = { batchId, customerId, taskId: null, appId: 'app', lane, supplierId };
  return { ...owner, messageCount: count, intentMark: 0, doubtPolicy: 'hold', validForMs, messages };
};
