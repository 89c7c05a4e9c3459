/** What an engine has in hand: supplier accounts, and the batches claimed for them. */
import { DoubtPolicy } from '@pahatid/contract/enums';
import { DealResult } from '@pahatid/domain';
import { doubtMessage } from './answers.ts';
import { BatchProgress } from './batch-progress.ts';
import type { LinkSender } from './link-sender.ts';
import { BLOCKED, isUntouched, type Outgoing, type OutgoingBatch } from './outgoing.ts';
import type { Pending } from './pending.ts';
import type { ClaimedBatch } from './ports.ts';

export class Holdings {
  readonly senders = new Map<string, LinkSender>();
  readonly batches = new Map<bigint, BatchProgress>();
  /** Taken over by other processes, with ready messages that this one must still write. */
  readonly leaving = new Set<OutgoingBatch>();
  /** Batches whose marks are being stored. */
  readonly marked = new Set<BatchProgress>();
  /** Of lost batches, since they were last reported. */
  private unwritten = 0;
  private readonly pending: Pending;
  private readonly onLost: (batchIds: readonly bigint[]) => void;

  constructor(pending: Pending, onLost: (batchIds: readonly bigint[]) => void) {
    this.pending = pending;
    this.onLost = onLost;
  }

  /**
   * Batches that must not be claimed: those in hand, and those whose marks are being stored, because the mark of an
   * earlier claim must not be stored for a later one of this process.
   */
  get known(): bigint[] {
    return [...new Set([...this.batches.keys(), ...[...this.marked].map(({ claimed }) => claimed.batchId)])];
  }

  /** The message has its outcome. */
  settle(sender: LinkSender, outgoing: Outgoing): void {
    sender.forgetCurrent(outgoing);
    sender.free(outgoing.parts);
    outgoing.batch.settle();
    this.pending.touch(outgoing);
  }

  /** Nothing of the message is at the carrier: back to its batch, or written again if it is in doubt for others. */
  giveBack(sender: LinkSender, outgoing: Outgoing): void {
    sender.forgetCurrent(outgoing);
    sender.free(outgoing.parts);
    if (outgoing.acknowledge.length > 0) this.pending.touch(outgoing);
    if (this.isLeft(outgoing.batch)) {
      sender.readyAgain(outgoing);
      return;
    }
    outgoing.phase = 'queued';
    outgoing.batch.giveBack(outgoing);
    this.pending.note();
  }

  /**
   * Its outcome at the carrier is unknown: in doubt, or to be resent if the policy prefers a second copy to none; then
   * not before `notBefore`, monotonic milliseconds.
   */
  doubt(sender: LinkSender, outgoing: Outgoing, notBefore: number): void {
    const { batch, message } = outgoing;
    if (batch.claimed.doubtPolicy === DoubtPolicy.Resend && !batch.lost) {
      this.pending.addResent(batch.claimed, message);
      outgoing.requeue(notBefore);
      this.giveBack(sender, outgoing);
      return;
    }
    doubtMessage(outgoing);
    this.settle(sender, outgoing);
  }

  /** Without a bind the other parts of a started message can't be sent: it must not delay the release of the batch. */
  giveUpBegun(sender: LinkSender): void {
    if (sender.link.binds.length > 0) return;
    for (const outgoing of sender.takeBegun()) this.doubt(sender, outgoing, 0);
  }

  /** Returns messages that are ready and not started, of one batch or of all. */
  takeBackReady(sender: LinkSender, batch: BatchProgress | null): void {
    for (const outgoing of sender.takeBackReady(batch)) this.giveBack(sender, outgoing);
  }

  /** `now`: no later than the claim. */
  add(claimed: ClaimedBatch, leaseUntil: number, now: number): BatchProgress | null {
    const sender = this.senders.get(claimed.supplierId);
    if (sender === undefined) return null;
    const validUntil = claimed.validForMs === null ? Number.POSITIVE_INFINITY : now + claimed.validForMs;
    const batch = new BatchProgress(claimed, leaseUntil, validUntil);
    this.batches.set(claimed.batchId, batch);
    sender.add(batch);
    for (const outgoing of batch.blocked) this.endUnsent(outgoing, DealResult.OptedOut);
    this.pending.note();
    return batch;
  }

  /** Ends unsent what is not begun of batches whose time is over. */
  endOverdue(now: number): void {
    for (const batch of this.batches.values()) if (now >= batch.validUntil && !batch.lost) this.endBatch(batch);
  }

  /** What of it is begun is completed: a phone shows nothing of a text before it has all parts. */
  endBatch(batch: BatchProgress): void {
    const sender = this.senders.get(batch.claimed.supplierId);
    if (sender !== undefined) this.takeBackReady(sender, batch);
    for (const outgoing of batch.takeQueued()) this.endUnsent(outgoing, DealResult.NotSentInTime);
  }

  private endUnsent(outgoing: Outgoing, dealResult: DealResult): void {
    outgoing.request = BLOCKED;
    outgoing.dealResult = dealResult;
    outgoing.phase = 'settled';
    this.pending.touch(outgoing);
  }

  /** Grants nothing more of it; once nothing is open, the rest is released. */
  close(batch: BatchProgress): void {
    batch.close();
    const sender = this.senders.get(batch.claimed.supplierId);
    if (sender !== undefined) {
      this.takeBackReady(sender, batch);
      this.giveUpBegun(sender);
    }
    this.pending.note();
  }

  /**
   * Other processes own these: nothing more is stored for them except the outcomes of messages that are in doubt there.
   * Those that were granted here and are not at the carrier, ready or given back, are among them: under the policy to
   * hold no other process sends them, so they are written after all, if our lease would still be valid (the database's
   * clock was set ahead, this process was not away) and they are not stopped; under the policy to resend the other
   * process sends them.
   */
  lose(ids: readonly bigint[], now: number): void {
    const lost = ids.flatMap((id) => this.batches.get(id) ?? []);
    if (lost.length === 0) return;
    for (const batch of lost) {
      batch.lose();
      this.remove(batch);
      this.leaving.add(batch);
      const isHeld = batch.claimed.doubtPolicy === DoubtPolicy.Hold;
      if (!isHeld || batch.closing || now > batch.leaseUntil) this.leave(batch);
      this.readyUnsent(batch);
    }
    this.onLost(lost.map((batch) => batch.claimed.batchId));
  }

  /** Whether another process has the batch and this one still writes its messages that are in doubt there. */
  isLeft(batch: OutgoingBatch): boolean {
    return this.leaving.has(batch);
  }

  /** Makes ready what is in doubt for the process that has a batch, and is not at the carrier. */
  readyUnsent(batch: BatchProgress): void {
    if (!this.isLeft(batch)) return;
    const sender = this.senders.get(batch.claimed.supplierId)!;
    for (const outgoing of batch.takeUnsent()) sender.readyAgain(outgoing);
  }

  /** Writes no more of its ready messages. */
  leave(batch: OutgoingBatch): void {
    this.leaving.delete(batch);
    const sender = this.senders.get(batch.claimed.supplierId)!;
    for (const outgoing of sender.takeBackReady(batch)) this.abandon(sender, outgoing);
  }

  /**
   * Writes no more of it, because its batch belongs to another process. A started message is in doubt, unless the other
   * process resends it.
   */
  abandon(sender: LinkSender, outgoing: Outgoing): void {
    sender.forget(outgoing);
    const isResent = outgoing.batch.claimed.doubtPolicy === DoubtPolicy.Resend;
    if (isUntouched(outgoing) || isResent) {
      if (!isResent) this.unwritten += 1;
      outgoing.phase = 'queued';
      sender.free(outgoing.parts);
    } else this.doubt(sender, outgoing, 0);
  }

  /** How many messages were abandoned since the last call that no process will send. */
  takeUnwritten(): number {
    const { unwritten } = this;
    this.unwritten = 0;
    return unwritten;
  }

  /** Its time is over before it was begun: ends unsent, here and for the process that has its batch. */
  endLeft(sender: LinkSender, outgoing: Outgoing): void {
    sender.forget(outgoing);
    sender.free(outgoing.parts);
    this.endUnsent(outgoing, DealResult.NotSentInTime);
  }

  remove(batch: BatchProgress): void {
    this.batches.delete(batch.claimed.batchId);
    this.senders.get(batch.claimed.supplierId)?.remove(batch);
  }
}
