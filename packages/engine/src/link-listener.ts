/** Events of the link of one supplier account: responses, missing responses, receipts, texts, free slots. */
import { readSubmitStatus, type SubmitMeaning, statusCodeText } from '@pahatid/domain';
import { AccountRefusals } from './account-refusals.ts';
import { answerPart, isFullyDelivered, receivePart } from './answers.ts';
import type { EngineContext } from './engine-context.ts';
import type { LinkSender } from './link-sender.ts';
import type { Outgoing } from './outgoing.ts';
import { PartSubmission } from './part-submission.ts';
import type { CarrierReceipt, InboundText, LinkHandler, Submission } from './ports.ts';

export class LinkListener implements LinkHandler {
  private readonly context: EngineContext;
  private readonly sender: LinkSender;
  private readonly pump: (sender: LinkSender) => void;
  private readonly refusals = new AccountRefusals();

  constructor(context: EngineContext, sender: LinkSender, pump: (sender: LinkSender) => void) {
    this.context = context;
    this.sender = sender;
    this.pump = pump;
  }

  onResponse(submission: Submission, status: number, id: string | null, issuedId?: string): void {
    if (!(submission instanceof PartSubmission)) return;
    const { sender } = this;
    const { clock, settings, holdings, pending } = this.context;
    const { message: outgoing, part } = submission;
    const now = clock.now();
    const meaning = this.notePace(readSubmitStatus(status, sender.link.statusClasses), submission.sentAt);
    if (meaning.class === 'accepted' && id !== null) this.keepRoute(outgoing, id, part, issuedId);
    // A response to an earlier copy only shows where its receipts belong.
    if (submission.attempt !== outgoing.attempt || outgoing.phase === 'queued') return;
    const isCause =
      meaning.class === 'bindFatal' && submission.bind.fail(`submit_sm answered with status ${statusCodeText(status)}`);
    this.refusals.note(outgoing, meaning.class);
    const { isForAll } = this.refusals;
    const { firstRetryMs } = settings;
    const verdict = answerPart(outgoing, part, status, meaning, clock.wall(), now, firstRetryMs, isCause, isForAll);
    switch (verdict) {
      case 'settled':
        holdings.settle(sender, outgoing);
        break;
      case 'cleared':
        pending.touch(outgoing);
        break;
      case 'notTaken':
        holdings.giveBack(sender, outgoing);
        if (sender.keepsOrder && outgoing.notBefore <= now) holdings.takeBackReady(sender, null);
        break;
      case 'resume':
        sender.forgetCurrent(outgoing);
        // A batch that is handed back has no time for another wait.
        if (outgoing.batch.closing && outgoing.notBefore > now) holdings.doubt(sender, outgoing, now);
        else sender.resume(outgoing);
        break;
      case 'open':
        if (sender.isStranded(outgoing)) this.resume([outgoing]);
        break;
    }
    this.context.consider();
  }

  /** Begun on a bind that is no longer used: they continue on another one. */
  private resume(stranded: readonly Outgoing[]): void {
    const { sender } = this;
    for (const outgoing of stranded) sender.resume(outgoing);
    this.context.holdings.giveUpBegun(sender);
    if (stranded.length > 0) this.pump(sender);
  }

  /** Returns the meaning of the response after the pace was taken into account. */
  private notePace(meaning: SubmitMeaning, sentAt: number): SubmitMeaning {
    const { pacer } = this.sender;
    const now = this.context.clock.now();
    if (meaning.class === 'throttled') pacer.throttled(now, sentAt);
    else if (meaning.class !== 'queueFull') pacer.accepted(now);
    else if (pacer.queueFull(now, sentAt)) return { ...meaning, class: 'throttled' };
    return meaning;
  }

  onUnknown(submission: Submission): void {
    if (!(submission instanceof PartSubmission)) return;
    const { sender } = this;
    const { clock, holdings } = this.context;
    const { message: outgoing } = submission;
    if (submission.attempt !== outgoing.attempt || outgoing.phase !== 'sent') return;
    holdings.doubt(sender, outgoing, clock.now());
    this.context.consider();
  }

  onRoom(): void {
    const { sender } = this;
    this.resume(sender.takeStranded());
    if (sender.link.binds.length === 0) this.context.holdings.takeBackReady(sender, null);
    this.context.holdings.giveUpBegun(sender);
    this.pump(sender);
    this.context.consider();
    if (sender.noticeRoom()) this.context.wake();
  }

  onReceipt(receipt: CarrierReceipt, acknowledge: () => void): void {
    const { sender } = this;
    const { pending } = this.context;
    const found = sender.book.find(receipt);
    if (found === null || found.outgoing.phase === 'doubt') {
      // If a part was taken and the whole is in doubt, the store resolves it once it knows the part.
      if (found !== null) pending.touch(found.outgoing);
      else if (receipt.final) sender.book.keepWaiting(receipt);
      if (receipt.final) pending.addReceipt(receipt);
      pending.answer(acknowledge);
    } else {
      this.applyReceipt(found.outgoing, found.part, receipt);
      // A receipt without changes also waits for a flush: the one it repeats may not be committed yet.
      if (found.outgoing.phase === 'settled') pending.answer(acknowledge);
      else found.outgoing.acknowledge.push(acknowledge);
    }
    pending.note();
    this.context.consider();
  }

  onInbound(text: InboundText, acknowledge: () => void): void {
    this.context.pending.addInbound(text, acknowledge);
    this.context.consider();
  }

  /** From the carrier's id to the message, for receipts; those that came before it are applied now. */
  private keepRoute(outgoing: Outgoing, id: string, part: number, issuedId?: string): void {
    const { pending } = this.context;
    const { book } = this.sender;
    outgoing.routes.push({ carrierMessageId: id, part, issuedId });
    book.remember(id, outgoing, part);
    if (outgoing.phase === 'queued' || outgoing.phase === 'settled') pending.touch(outgoing);
    for (const receipt of book.takeWaiting(id, outgoing.message.msisdn)) {
      receivePart(outgoing, part, receipt);
      // Until all parts are answered the row does not change: so long the receipt is the store's to keep.
      outgoing.early.push(receipt);
    }
  }

  private applyReceipt(outgoing: Outgoing, part: number, receipt: CarrierReceipt): void {
    const changes = receivePart(outgoing, part, receipt);
    // Until the responses to all its parts have arrived, the row does not change.
    if (changes && outgoing.phase === 'settled') this.context.pending.touch(outgoing);
    if (isFullyDelivered(outgoing) && outgoing.phase === 'settled') this.sender.book.forget(outgoing);
  }
}
