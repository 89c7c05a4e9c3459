/** One supplier account as the engine's link: its binds, its manner of writing, its receipts and inbound texts. */
import type { SupplierRow } from '@pahatid/db';
import type { SubmitClass } from '@pahatid/domain';
import type { CarrierBind, CarrierLink, LinkHandler, LoadedMessage, Submission } from '@pahatid/engine';
import { type BindMode, type DataSm, type DeliverSm, type Respond, STATUS } from '@pahatid/smpp';
import type { Logger } from 'pino';
import { type LinkProfile, readLinkProfile } from '../link-profile.ts';
import { readDeliver } from '../receipts/read-deliver.ts';
import { storedId } from '../receipts/receipt-ids.ts';
import { type BindEvents, BindKeeper } from './bind-keeper.ts';
import { BindRates } from './bind-rates.ts';
import { MessageEncoder } from './encode-message.ts';

/** This process's part of the account's pace. */
export interface LinkPace {
  /** Segments a second at this instant. */
  limit(): number;
  /** Called when binds open or close: a process without one needs no share. */
  onBinds(): void;
}

/** How long to wait for pending responses of a session that the carrier refuses to use. */
const OPEN_ANSWERS_MS = 5_000;

export class SupplierLink implements CarrierLink, BindEvents<Submission> {
  readonly supplierId: string;
  windowSize = 1;
  statusClasses: Readonly<Record<number, SubmitClass>> = {};
  binds: readonly CarrierBind[] = [];
  private readonly log: Logger;
  private readonly pace: LinkPace;
  private handler: LinkHandler | null = null;
  private profile: LinkProfile;
  private encoder: MessageEncoder;
  private keepers: BindKeeper<Submission>[] = [];
  private connection = '';
  private readonly rates = new BindRates();

  constructor(row: SupplierRow, password: string, pace: LinkPace, log: Logger) {
    this.supplierId = row.supplierId;
    this.pace = pace;
    this.log = log.child({ supplier: row.supplierAccount });
    this.profile = readLinkProfile(row.profile);
    this.encoder = new MessageEncoder(this.profile);
    this.configure(row, password);
  }

  get tps(): number {
    return this.pace.limit();
  }

  attach(handler: LinkHandler): void {
    this.handler = handler;
  }

  /** More may be written than before. */
  onRaise(): void {
    this.handler?.onRoom();
  }

  /** Applies a row; binds are reopened only if a connection setting changed. */
  configure(row: SupplierRow, password: string): void {
    this.windowSize = row.windowSize;
    this.profile = readLinkProfile(row.profile);
    this.encoder = new MessageEncoder(this.profile);
    this.statusClasses = this.profile.statusClasses;
    const { host, port, systemId, bindType, bindCount, windowSize, profile } = row;
    const connection = JSON.stringify([host, port, systemId, password, bindType, bindCount, windowSize, profile]);
    if (connection === this.connection) return;
    this.connection = connection;
    const old = this.keepers;
    this.keepers = this.makeKeepers(row, password);
    for (const keeper of this.keepers) keeper.start();
    void this.stopKeepers(old, this.profile.responseTimeoutMs);
  }

  countParts(content: string): number {
    return this.encoder.countParts(content);
  }

  /** How every bind is, for the screens; to be asked about once a second. */
  get bindStates() {
    return this.keepers.map((keeper) => ({
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

  async stop(graceMs: number): Promise<void> {
    const old = this.keepers;
    this.keepers = [];
    this.connection = '';
    await this.stopKeepers(old, graceMs);
  }

  // --- events of binds -------------------------------------------------------------------------------------------

  onResponse(submission: Submission, status: number, messageId: string | undefined): void {
    const id = messageId === undefined || messageId === '' ? null : storedId(messageId);
    this.handler?.onResponse(submission, status, id);
  }

  onUnknown(submission: Submission): void {
    this.handler?.onUnknown(submission);
  }

  onWindow(): void {
    this.handler?.onRoom();
  }

  onChange(keeper: BindKeeper<Submission>): void {
    if (keeper.phase === 'bound') this.log.info({ bind: keeper.bindNo }, 'carrier bind up');
    else if (keeper.phase === 'ended') this.log.info({ bind: keeper.bindNo }, 'carrier bind closed');
    else this.log.warn({ bind: keeper.bindNo, error: keeper.lastError }, 'carrier bind lost, reconnecting');
    this.listBinds();
    this.handler?.onRoom();
    this.pace.onBinds();
  }

  onRefused(keeper: BindKeeper<Submission>, detail: string): void {
    this.log.error({ bind: keeper.bindNo, detail }, 'carrier rejected the account, will retry');
  }

  onMalformed(detail: string): void {
    this.log.debug({ detail }, 'PDU with a malformed TLV');
  }

  onDeliver(pdu: DeliverSm | DataSm, respond: Respond): void {
    const delivered = readDeliver(pdu, this.supplierId, this.profile, Date.now());
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

  private makeKeepers(row: SupplierRow, password: string): BindKeeper<Submission>[] {
    const modes: BindMode[] = row.bindType === 'transceiver' ? ['transceiver'] : ['transmitter', 'receiver'];
    const keepers: BindKeeper<Submission>[] = [];
    for (let n = 0; n < row.bindCount; n++) {
      for (const mode of modes) {
        const options = {
          host: row.host,
          port: row.port,
          mode,
          system_id: row.systemId,
          password,
          system_type: this.profile.systemType,
          window: row.windowSize,
          responseTimeoutMs: this.profile.responseTimeoutMs,
          ...(this.profile.tls ? { tls: {} } : {}),
        };
        keepers.push(new BindKeeper(keepers.length + 1, options, this));
      }
    }
    return keepers;
  }

  private listBinds(): void {
    this.binds = this.keepers.flatMap((keeper) => (keeper.canSubmit ? [new SessionBind(keeper, this.encoder)] : []));
  }

  private async stopKeepers(keepers: readonly BindKeeper<Submission>[], graceMs: number): Promise<void> {
    this.listBinds();
    this.handler?.onRoom();
    await Promise.all(keepers.map((keeper) => keeper.stop(graceMs)));
  }
}

class SessionBind implements CarrierBind {
  readonly id: string;
  private readonly session: NonNullable<BindKeeper<Submission>['session']>;
  private readonly encoder: MessageEncoder;
  private readonly keeper: BindKeeper<Submission>;

  constructor(keeper: BindKeeper<Submission>, encoder: MessageEncoder) {
    this.keeper = keeper;
    this.session = keeper.session!;
    this.encoder = encoder;
    this.id = keeper.sessionId;
  }

  get freeSlots(): number {
    return this.keeper.session === this.session ? this.keeper.freeSlots : 0;
  }

  submit(message: LoadedMessage, messageId: bigint, submission: Submission): void {
    this.session.send(this.encoder.encode(message, messageId, submission.part), submission);
    this.keeper.submitted += 1;
  }

  fail(detail: string): boolean {
    return this.keeper.session === this.session && this.keeper.leave(detail, OPEN_ANSWERS_MS);
  }
}
