/** An application whose software is bound to this process: its binds, and the rate that they share. */
import type { BoundAccount, NewSmppBind, SmppAccount } from '@pahatid/db/queries/smpp-binds';
import type { ServerSession } from '@pahatid/smpp';
import { FloodBrake } from './flood-brake.ts';
import { TokenBucket } from './token-bucket.ts';

/** What a session of ours waits for: the deliver_sm of a delivery. */
export type DeliverToken = string;
export type Session = ServerSession<DeliverToken>;

export interface LiveBind {
  readonly bindId: string;
  readonly session: Session;
  readonly application: BoundApplication;
  readonly slot: NewSmppBind;
  /** submit_sm not answered yet. */
  open: number;
  /** submit_sm since the last report. */
  submits: number;
  lastStatus: number | null;
  lastStatusMs: number | null;
  /** As last reported. */
  reported: string;
}

export class BoundApplication {
  account: SmppAccount;
  readonly binds = new Set<LiveBind>();
  private readonly bucket: TokenBucket;
  private readonly brake = new FloodBrake();
  /** Binds of all processes. */
  private bindCount = 1;

  constructor(account: SmppAccount) {
    this.account = account;
    this.bucket = new TokenBucket(account.tps, performance.now());
  }

  /** Whether one more submit_sm is within the rate; beyond it none of it is kept. */
  takeSubmit(count = 1): boolean {
    return this.bucket.take(performance.now(), count);
  }

  /** How long what it submits waits for a commit that others begin, milliseconds. */
  mayWaitMs(): number {
    return this.brake.mayWaitMs(performance.now());
  }

  /** After a refusal for the rate: the session of a client that floods is not read for a moment. */
  slowDown({ session }: LiveBind): void {
    const restMs = this.brake.note(performance.now(), this.account.tps);
    if (restMs <= 0) return;
    session.hold(true);
    setTimeout(() => session.hold(false), restMs);
  }

  /** This process has the share of the rate that its binds are of all binds. */
  update(account: BoundAccount): void {
    this.account = account;
    this.bindCount = Math.max(account.bindCount, this.binds.size, 1);
    this.share();
  }

  share(): void {
    const part = this.binds.size / Math.max(this.bindCount, this.binds.size, 1);
    this.bucket.setRate(Math.max(1, this.account.tps * part), performance.now());
  }

  /** Binds that take deliver_sm and have room for one. */
  receivers(): LiveBind[] {
    return [...this.binds].filter(({ session }) => session.mode !== 'transmitter' && session.isOpen);
  }
}
