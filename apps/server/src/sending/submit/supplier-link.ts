/** One supplier account as the engine's link: its binds, its manner of writing, its receipts and inbound texts. */
import type { SupplierRow } from '@pahatid/db';
import type { OpenPart } from '@pahatid/db/queries/query-positions';
import { type BreakerState, readSubmitStatus, type SubmitClass } from '@pahatid/domain';
import type { CarrierBind, CarrierLink, CarrierReceipt, LinkHandler, LoadedMessage, Submission } from '@pahatid/engine';
import { type BindMode, type DataSm, type DeliverSm, type Respond, STATUS, type UnknownReason } from '@pahatid/smpp';
import type { Logger } from 'pino';
import { type LinkProfile, readLinkProfile } from '../link-profile.ts';
import { readArrivalMs } from '../receipts/arrival-time.ts';
import { readDeliver } from '../receipts/read-deliver.ts';
import { type QueryAnswer, readQueryAnswer } from '../receipts/read-query-answer.ts';
import { storedId } from '../receipts/receipt-ids.ts';
import { AnswerCounter } from './answer-counter.ts';
import { type BindEvents, BindKeeper } from './bind-keeper.ts';
import { BindRates } from './bind-rates.ts';
import { BindSlots } from './bind-slots.ts';
import { encodeQuery, MessageEncoder } from './encode-message.ts';

/** This process's part of the account: of its pace, and of its binds. */
export interface LinkShare {
  /** Segments a second at this instant. */
  limit(): number;
  /** Whether its binds are its own at this instant. */
  isHeld(): boolean;
  /** Called when binds open or close: a process without one needs no share of the pace. */
  onBinds(): void;
  /** The connections of a bind are closed: another process may have it. */
  onClosed(): void;
}

/** How long to wait for pending responses of a session that the carrier refuses to use. */
const OPEN_ANSWERS_MS = 5_000;
/** The sender that has leased this bind of the account asks for missing receipts: so one process does. */
const QUERYING_BIND = 1;

export class SupplierLink implements CarrierLink, BindEvents<Submission> {
  readonly supplierId: string;
  windowSize = 1;
  statusClasses: Readonly<Record<number, SubmitClass>> = {};
  breakerState: BreakerState = 'closed';
  readonly answers = new AnswerCounter();
  binds: readonly CarrierBind[] = [];
  private readonly log: Logger;
  private readonly share: LinkShare;
  private handler: LinkHandler | null = null;
  private profile: LinkProfile;
  private encoder: MessageEncoder;
  /** The binds that this process has leased. */
  readonly slots: BindSlots<Submission>;
  private row: SupplierRow;
  private password: string;
  private connection = '';
  private readonly rates = new BindRates();

  constructor(row: SupplierRow, password: string, share: LinkShare, log: Logger) {
    this.supplierId = row.supplierId;
    this.share = share;
    this.row = row;
    this.password = password;
    this.slots = new BindSlots<Submission>({
      make: (bindNo) => this.makeKeepers(bindNo),
      onChange: () => this.changeBinds(),
      onClosed: () => share.onClosed(),
      graceMs: () => this.profile.responseTimeoutMs,
    });
    this.log = log.child({ supplier: row.supplierAccount });
    this.profile = readLinkProfile(row.profile);
    this.encoder = new MessageEncoder(this.profile);
    this.configure(row, password);
  }

  get tps(): number {
    return this.isBlocked ? 0 : this.share.limit();
  }

  get isBlocked(): boolean {
    return this.breakerState === 'open';
  }

  attach(handler: LinkHandler): void {
    this.handler = handler;
  }

  /** More may be written than before. */
  onRaise(): void {
    this.handler?.onRoom();
  }

  /** Applies a row; binds are reopened only if a connection setting changed. Their number is a matter of leases. */
  configure(row: SupplierRow, password: string): void {
    this.windowSize = row.windowSize;
    this.profile = readLinkProfile(row.profile);
    this.encoder = new MessageEncoder(this.profile);
    this.statusClasses = this.profile.statusClasses;
    this.setBreaker(row.breakerState);
    const { host, port, systemId, bindType, windowSize, profile } = row;
    const connection = JSON.stringify([host, port, systemId, password, bindType, windowSize, profile]);
    if (connection === this.connection) return;
    this.connection = connection;
    this.row = row;
    this.password = password;
    this.slots.reopen();
  }

  countParts(content: string): number {
    return this.encoder.countParts(content);
  }

  /** How every bind is, for the screens; to be asked about once a second. */
  get bindStates() {
    return this.slots.keepers.map((keeper) => ({
      supplierId: this.supplierId,
      bindNo: keeper.bindNo,
      state: keeper.phase,
      sinceMs: keeper.sinceMs,
      lastError: keeper.lastError,
      windowUsed: keeper.session?.outstanding ?? 0,
      rate: this.rates.read(keeper, keeper.submitted),
      retryMs: keeper.retryMs,
      lostMs: keeper.lostMs,
    }));
  }

  // --- queries ---------------------------------------------------------------------------------------------------

  /** How long receipts are waited for, if this process is the one that may ask the carrier for missing ones; or null. */
  get queryDeadlineMs(): number | null {
    const { profile, slots, share } = this;
    const isOwn = share.isHeld() && slots.openBindNos.includes(QUERYING_BIND);
    return profile.query && isOwn && !this.isBlocked ? profile.receiptHours * 3_600_000 : null;
  }

  /** Queries that may be unanswered: each holds a slot, at a carrier that ignores them until they time out. */
  get queriesAtMost(): number {
    return Math.max(1, Math.floor((this.binds.length * this.windowSize) / 10));
  }

  /** Asks for the state of a part, in a slot of a window that submit_sm leave free; false if there is none. */
  queryPart(part: OpenPart, onState: (answer: QueryAnswer) => void): boolean {
    const keeper = this.slots.keepers
      .filter(({ hasSpareSlot }) => hasSpareSlot)
      .sort((a, b) => b.freeSlots - a.freeSlots)[0];
    if (keeper === undefined) return false;
    const { supplierId, profile } = this;
    keeper.inquire(encodeQuery(part, profile), (answer) =>
      onState(readQueryAnswer(answer, part, supplierId, profile, Date.now())),
    );
    return true;
  }

  /** Applies a state as a receipt of the carrier; `onDurable` is called once it is committed. */
  applyState(receipt: CarrierReceipt, onDurable: () => void): void {
    this.handler?.onReceipt(receipt, onDurable);
  }

  async stop(graceMs: number): Promise<void> {
    await this.slots.stop(graceMs);
  }

  // --- events of binds -------------------------------------------------------------------------------------------

  onResponse(submission: Submission, status: number, messageId: string | undefined): void {
    this.answers.answer(readSubmitStatus(status, this.statusClasses).class, performance.now() - submission.sentAt);
    const id = messageId === undefined || messageId === '' ? null : storedId(messageId);
    this.handler?.onResponse(submission, status, id, id === null || !this.profile.query ? undefined : messageId);
  }

  onUnknown(submission: Submission, reason: UnknownReason): void {
    if (reason === 'response_timeout') this.answers.timeOut();
    this.handler?.onUnknown(submission);
  }

  onWindow(): void {
    this.handler?.onRoom();
  }

  onChange(keeper: BindKeeper<Submission>): void {
    if (keeper.phase === 'bound') this.log.info({ bind: keeper.bindNo }, 'carrier bind up');
    else if (keeper.phase === 'ended') this.log.info({ bind: keeper.bindNo }, 'carrier bind closed');
    else this.log.warn({ bind: keeper.bindNo, error: keeper.lastError }, 'carrier bind lost, reconnecting');
    this.changeBinds();
    this.share.onBinds();
  }

  onRefused(keeper: BindKeeper<Submission>, detail: string): void {
    this.log.error({ bind: keeper.bindNo, detail }, 'carrier rejected the account, will retry');
  }

  onMalformed(detail: string): void {
    this.log.debug({ detail }, 'PDU with a malformed TLV');
  }

  onDeliver(pdu: DeliverSm | DataSm, respond: Respond): void {
    const delivered = readDeliver(pdu, this.supplierId, this.profile, readArrivalMs());
    switch (delivered.kind) {
      case 'receipt':
        if (!delivered.isKnownStat)
          this.log.warn({ receipt: delivered.receipt }, 'receipt with an unknown status, stored as unknown');
        this.handler?.onReceipt(delivered.receipt, () => respond(STATUS.ESME_ROK));
        break;
      case 'text':
        this.handler?.onInbound(delivered.text, () => respond(STATUS.ESME_ROK));
        break;
      case 'unreadable':
        this.log.warn('receipt without a message id, ignored');
        respond(STATUS.ESME_ROK);
        break;
    }
  }

  // --- binds -----------------------------------------------------------------------------------------------------

  /** Of a pair the transmitter has the odd number. */
  private makeKeepers(bindNo: number): BindKeeper<Submission>[] {
    const { row, profile } = this;
    const modes: BindMode[] = row.bindType === 'transceiver' ? ['transceiver'] : ['transmitter', 'receiver'];
    return modes.map((mode, index) => {
      const options = {
        host: row.host,
        port: row.port,
        mode,
        system_id: row.systemId,
        password: this.password,
        system_type: profile.systemType,
        window: row.windowSize,
        responseTimeoutMs: profile.responseTimeoutMs,
        ...(profile.tls ? { tls: {} } : {}),
      };
      return new BindKeeper((bindNo - 1) * modes.length + index + 1, options, this);
    });
  }

  private setBreaker(state: BreakerState): void {
    if (state === this.breakerState) return;
    this.breakerState = state;
    this.handler?.onRoom();
  }

  private changeBinds(): void {
    const { encoder, share, answers } = this;
    this.binds = this.slots.keepers.flatMap((keeper) =>
      keeper.canSubmit ? [new SessionBind(keeper, { encoder, share, answers })] : [],
    );
    this.handler?.onRoom();
  }
}

/** What its binds share. */
type LinkParts = { readonly encoder: MessageEncoder; readonly share: LinkShare; readonly answers: AnswerCounter };

class SessionBind implements CarrierBind {
  readonly id: string;
  private readonly session: NonNullable<BindKeeper<Submission>['session']>;
  private readonly keeper: BindKeeper<Submission>;
  private readonly link: LinkParts;

  constructor(keeper: BindKeeper<Submission>, link: LinkParts) {
    this.keeper = keeper;
    this.link = link;
    this.session = keeper.session!;
    this.id = keeper.sessionId;
  }

  get freeSlots(): number {
    return this.keeper.session === this.session && this.link.share.isHeld() ? this.keeper.freeSlots : 0;
  }

  submit(message: LoadedMessage, messageId: bigint, submission: Submission): void {
    this.session.send(this.link.encoder.encode(message, messageId, submission), submission);
    this.link.answers.submit();
    this.keeper.submitted += 1;
  }

  fail(detail: string): boolean {
    return this.keeper.session === this.session && this.keeper.leave(detail, OPEN_ANSWERS_MS);
  }
}
