/**
 * Maintains one bind: connects, binds, and when the session ends for whatever reason reconnects, after 1 s, 2 s, 4 s …
 * 60 s (±20 %, so that a recovering carrier is not flooded). If the carrier refuses the account itself, frequent
 * attempts would only lock it: those wait the longest from the start.
 *
 *   connecting → bound → waiting → connecting …      → ended
 *
 * A carrier may keep its connections and accept everything without responding. A submit_sm that timed out keeps its
 * slot until the session responds to anything, so that at most one window is at risk; when all of it has timed out the
 * session is closed. The next one gets a single submit_sm at a time until it responds to one.
 */
import {
  type ClientHandler,
  type ConnectOptions,
  connectSession,
  type RequestPdu,
  type ResponsePdu,
  type Session,
  STATUS,
  statusName,
  systemClock,
  type Timer,
  type UnknownReason,
} from '@pahatid/smpp';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const JITTER = 0.2;
/** A session of this length was a good one, unless it never answered: the next wait is the shortest again. */
const GOOD_SESSION_MS = 10_000;
/** The account has as many binds as it may have, or must not bind at all. */
const ACCOUNT_REFUSALS: readonly number[] = [
  STATUS.ESME_RALYBND,
  STATUS.ESME_RBINDFAIL,
  STATUS.ESME_RINVPASWD,
  STATUS.ESME_RINVSYSID,
];

export type BindPhase = 'connecting' | 'bound' | 'waiting' | 'refused' | 'ended';

export interface BindEvents<Token> extends Omit<ClientHandler<Token>, 'onClose'> {
  /** Bound, or no longer. */
  onChange(keeper: BindKeeper<Token>): void;
  onWindow(): void;
  /** The carrier refuses the account: someone must look. */
  onRefused(keeper: BindKeeper<Token>, detail: string): void;
}

/** Gets the answer to a request other than submit_sm; null: there is none. */
export type OnAnswer = (answer: { status: number; pdu: ResponsePdu | undefined } | null) => void;

/** Such a request, in place of the token of a submit_sm. */
class Inquiry {
  readonly onAnswer: OnAnswer;

  constructor(onAnswer: OnAnswer) {
    this.onAnswer = onAnswer;
  }
}

let sessionCount = 0;

export class BindKeeper<Token> {
  readonly bindNo: number;
  session: Session<Token | Inquiry> | null = null;
  /** Another one with each session. */
  sessionId = '';
  phase: BindPhase = 'connecting';
  /** Unix milliseconds. */
  sinceMs = Date.now();
  /** Since when there is none, however often it has been tried; null while bound. Unix milliseconds. */
  lostMs: number | null = Date.now();
  lastError: string | null = null;
  /** When it is tried again, Unix milliseconds; null unless it waits. */
  retryMs: number | null = null;
  /** submit_sm written since the process started, by any writer. */
  submitted = 0;
  /** submit_sm timed out since the last response of this session. */
  private givenUp = 0;
  private hasAnswered = false;
  /** The previous session ended without responding, and this one has not responded so far. */
  private isSilent = false;
  /** Why this side ends the session. */
  private leaving: string | null = null;
  private readonly options: ConnectOptions;
  private readonly events: BindEvents<Token>;
  private waitMs = FIRST_WAIT_MS;
  private timer: Timer | null = null;
  /** The last attempt to bind; resolved once it has ended. */
  private attempt: Promise<void> = Promise.resolve();
  private readonly random: () => number;
  private readonly ending = new AbortController();

  /** `options.clock` also times the waits; `random`: from 0 to 1. */
  constructor(bindNo: number, options: ConnectOptions, events: BindEvents<Token>, random = Math.random) {
    this.bindNo = bindNo;
    this.random = random;
    this.options = options;
    this.events = events;
  }

  /** Bound, and not for receiving alone. */
  get canSubmit(): boolean {
    return this.session?.isOpen === true && this.options.mode !== 'receiver' && !this.ending.signal.aborted;
  }

  /** submit_sm that may follow now. */
  get freeSlots(): number {
    if (this.session === null || this.leaving !== null) return 0;
    const { writableSlots, outstanding } = this.session;
    if (this.isSilent) return Math.min(writableSlots, Math.max(0, 1 - outstanding - this.givenUp));
    return Math.max(0, writableSlots - this.givenUp);
  }

  /** Whether more than half of the window is free, so that another request delays no submit_sm. */
  get hasSpareSlot(): boolean {
    return this.canSubmit && this.freeSlots * 2 > (this.session?.window ?? 0);
  }

  /** Sends a request other than submit_sm; there must be a free slot. */
  inquire(pdu: RequestPdu, onAnswer: OnAnswer): void {
    this.session?.send(pdu, new Inquiry(onAnswer));
  }

  start(): void {
    this.attempt = this.connect();
  }

  /** Stops writing, waits for pending responses at most `graceMs`, and rebinds. Returns true the first time. */
  leave(detail: string, graceMs: number): boolean {
    if (this.session === null || this.leaving !== null) return false;
    this.leaving = detail;
    void this.session.stop(graceMs);
    return true;
  }

  /** Graceful: waits for pending responses at most `graceMs`, unbinds, closes. */
  async stop(graceMs: number): Promise<void> {
    this.ending.abort();
    this.timer?.cancel();
    await this.attempt;
    await this.session?.stop(graceMs);
    this.turn('ended', null);
  }

  /** Closes the connection now, also during `stop`. */
  drop(): void {
    this.ending.abort();
    this.timer?.cancel();
    this.session?.close();
  }

  private async connect(): Promise<void> {
    if (this.ending.signal.aborted) return;
    this.turn('connecting', this.lastError);
    const { events } = this;
    const result = await connectSession<Token | Inquiry>(
      { ...this.options, signal: this.ending.signal },
      {
        onResponse: (token, status, id, late, pdu) => {
          // It says nothing about submit_sm: a carrier may answer queries and nothing else, or the reverse.
          if (token instanceof Inquiry) {
            if (!late) token.onAnswer({ status, pdu });
            return;
          }
          this.noteAnswer();
          events.onResponse(token, status, id, late, pdu);
        },
        onUnknown: (token, reason) => {
          if (token instanceof Inquiry) {
            token.onAnswer(null);
            return;
          }
          this.noteSilence(reason);
          events.onUnknown(token, reason);
        },
        onWindow: () => events.onWindow(),
        onDeliver: (pdu, respond) => events.onDeliver(pdu, respond),
        onMalformed: (detail) => events.onMalformed?.(detail),
        onClose: (reason, detail) => this.onClose(reason, detail),
      },
    );
    if (!result.bound) {
      const isRefused = result.status !== undefined && ACCOUNT_REFUSALS.includes(result.status);
      const detail =
        result.status === undefined
          ? `${result.reason}: ${result.detail}`
          : `bind refused: ${statusName(result.status)}`;
      if (isRefused) this.waitMs = LONGEST_WAIT_MS;
      this.retry(isRefused ? 'refused' : 'waiting', detail);
      if (isRefused) this.events.onRefused(this, detail);
      return;
    }
    if (!result.session.isOpen) return;
    this.session = result.session;
    this.givenUp = 0;
    this.hasAnswered = false;
    this.leaving = null;
    sessionCount += 1;
    this.sessionId = String(sessionCount);
    this.turn('bound', null);
    if (this.ending.signal.aborted) result.session.close('stopping');
    this.events.onChange(this);
  }

  private noteAnswer(): void {
    const hadFewer = this.givenUp > 0 || this.isSilent;
    this.givenUp = 0;
    this.hasAnswered = true;
    this.isSilent = false;
    // A late response frees no slot of the session, but those withheld here.
    if (hadFewer) queueMicrotask(() => this.events.onWindow());
  }

  /** Requests pending when the session ended count as well. */
  private noteSilence(reason: UnknownReason): void {
    this.givenUp += 1;
    const { session } = this;
    if (reason !== 'response_timeout' || session === null) return;
    if (!this.isSilent && this.givenUp < session.window) return;
    this.isSilent = true;
    this.leaving ??= 'response_timeout: no answer to a whole window';
    // The session still reports the other timeouts of the same moment.
    queueMicrotask(() => session.close());
  }

  private onClose(reason: string, detail: string): void {
    if (!this.hasAnswered && this.givenUp > 0) this.isSilent = true;
    const isLong = this.phase === 'bound' && Date.now() - this.sinceMs >= GOOD_SESSION_MS;
    const wasGood = isLong && (this.hasAnswered || !this.isSilent);
    this.session = null;
    if (wasGood) this.waitMs = FIRST_WAIT_MS;
    this.retry('waiting', this.leaving ?? `${reason}${detail === '' ? '' : `: ${detail}`}`);
    this.events.onChange(this);
  }

  private retry(phase: BindPhase, error: string): void {
    if (this.ending.signal.aborted) {
      this.turn('ended', error);
      return;
    }
    this.turn(phase, error);
    const wait = this.waitMs * (1 - JITTER + this.random() * 2 * JITTER);
    this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs * 2);
    this.timer?.cancel();
    this.retryMs = Date.now() + wait;
    this.timer = (this.options.clock ?? systemClock).setTimer(() => this.start(), wait);
  }

  private turn(phase: BindPhase, error: string | null): void {
    this.phase = phase;
    this.retryMs = null;
    this.sinceMs = Date.now();
    this.lostMs = phase === 'bound' ? null : (this.lostMs ?? this.sinceMs);
    this.lastError = error;
  }
}
