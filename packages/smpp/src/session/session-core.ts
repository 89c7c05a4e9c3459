/**
 * Common behaviour of both ends of a connection, SMPP 3.4 §2.2:
 *
 *   open ──bind answered──▶ bound ──stop() or peer's unbind──▶ unbinding ──▶ closed
 *
 * The window counts requests sent and neither answered nor timed out. Whatever ends the connection, every outstanding
 * token is reported (`onUnknown`) before `onClose`, and nothing is reported after it.
 */
import type { Socket } from 'node:net';
import { COMMAND_ID, commandName } from '../codec/commands.ts';
import type { Pdu, RequestName, RequestPdu, ResponseName, ResponsePdu } from '../codec/field-specs.ts';
import { makePdu } from '../codec/make-pdu.ts';
import { type Decoded, PduDecoder } from '../codec/pdu-decoder.ts';
import { STATUS } from '../codec/statuses.ts';
import { NO_TLVS } from '../codec/tlvs.ts';
import { type Clock, systemClock, type Timer } from './clock.ts';
import { InboundRequests } from './inbound-requests.ts';
import { Outbox } from './outbox.ts';
import { type ControlDone, PendingRequests } from './pending-requests.ts';
import type { ResponseBody } from './server-types.ts';
import { type SessionSettings, UNBOUND_PDU_OCTETS, withDefaults } from './session-settings.ts';
import { type Life, nextLifeStep, noteAsked, noteReceived, startLife } from './session-timers.ts';
import type { CloseReason, OutcomeHandler, SessionCounters, SessionOptions } from './session-types.ts';
import { Waiters } from './waiters.ts';

/** What the two ends do differently. */
export type SessionRole<Token> = {
  /** Undefined until bound. */
  handler: OutcomeHandler<Token> | undefined;
  /** Any request but unbind and enquire_link; it is open until `respond`. */
  onRequest(pdu: RequestPdu): void;
  /** Accepts a PDU with broken TLVs by its mandatory fields, rather than refusing it. */
  takesBrokenTlvs: boolean;
  onMalformed?(detail: string): void;
  onClose(reason: CloseReason, detail: string): void;
};

/** Time for the peer to close its half before the socket is destroyed. */
const LINGER_MS = 500;
/** For responses of the peer that its own unbind overtook, or that our requests crossed on the way. */
const UNBIND_CROSSING_MS = 1_000;
const NO_ANSWER: ReadonlySet<RequestName> = new Set(['alert_notification', 'outbind']);

export class SessionCore<Token> {
  readonly counters: SessionCounters = {
    pdusIn: 0,
    pdusOut: 0,
    unknownCommands: 0,
    malformed: 0,
    unexpectedResponses: 0,
    problems: 0,
  };
  readonly remoteAddress: string;
  readonly decoder: PduDecoder;
  readonly inbound = new InboundRequests();
  /** False makes the peer's enquire_link go unanswered (a simulator's fault). */
  answersEnquireLink = true;
  private readonly socket: Socket;
  private readonly role: SessionRole<Token>;
  private readonly clock: Clock;
  private readonly outbox: Outbox;
  private readonly pending: PendingRequests<Token>;
  private readonly life: Life;
  private readonly waiters: Waiters;
  private readonly done = Promise.withResolvers<void>();
  private settings: SessionSettings;
  private state: 'open' | 'stopping' | 'unbinding' | 'closed' = 'open';
  private timer: Timer | undefined = undefined;
  private timerDueAt = Number.POSITIVE_INFINITY;
  /** Reasons for which the stream is not read on. */
  private held = false;
  private congestedAt: number | undefined = undefined;
  /** Since when a PDU is incomplete. */
  private partialSince: number | undefined = undefined;
  private resumeScheduled = false;
  private slotsFreed = 0;

  constructor(
    socket: Socket,
    role: SessionRole<Token>,
    options: SessionOptions,
    strictTlvs: boolean,
    peer: { address: string; port: number } = toPeer(socket),
  ) {
    this.socket = socket;
    this.role = role;
    this.clock = options.clock ?? systemClock;
    this.settings = withDefaults(options);
    this.decoder = new PduDecoder({ maxPduOctets: UNBOUND_PDU_OCTETS, strictTlvs });
    this.pending = new PendingRequests<Token>();
    this.remoteAddress = `${peer.address}:${peer.port}`;
    this.life = startLife(this.clock.now());
    this.waiters = new Waiters(this.clock);
    this.outbox = new Outbox(socket, () => this.noteBuffered());
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.on('data', (chunk: Buffer) => this.onData(chunk));
    socket.on('drain', () => this.onDrain());
    socket.on('end', () => this.finish('peer_closed', 'the peer ended the connection'));
    socket.on('error', (error) => this.finish('socket_error', error.message));
    socket.on('close', () => this.finish('peer_closed', 'the connection is closed'));
    this.schedule();
  }

  get isOpen(): boolean {
    return this.state !== 'closed';
  }

  get window(): number {
    return this.settings.window;
  }

  get outstanding(): number {
    return this.pending.size;
  }

  get writableSlots(): number {
    if (this.state !== 'open' || this.congestedAt !== undefined || this.role.handler === undefined) return 0;
    return Math.max(0, this.settings.window - this.pending.size);
  }

  /** Sets other options from now on (a server knows them only once it knows the binding peer). */
  configure(options: SessionOptions): void {
    this.settings = withDefaults({ ...this.settings, ...options });
    this.schedule();
  }

  send(pdu: RequestPdu, token: Token): number {
    const sequence = this.takeSlot();
    pdu.sequence_number = sequence;
    this.outbox.write(pdu);
    this.track(sequence, responseTo(pdu.command), token, undefined);
    return sequence;
  }

  sendEncoded(encoded: Buffer, token: Token): number {
    const command = commandName(encoded.readUInt32BE(4));
    if (command === undefined) throw new Error('not an encoded request');
    const sequence = this.takeSlot();
    this.outbox.writeEncoded(encoded, sequence);
    this.track(sequence, responseTo(command as RequestName), token, undefined);
    return sequence;
  }

  /** A request of the session itself; outside the window. */
  sendControl(pdu: RequestPdu, done: ControlDone): void {
    pdu.sequence_number = this.pending.nextSequence();
    this.outbox.write(pdu);
    this.track(pdu.sequence_number, responseTo(pdu.command), undefined, done);
  }

  respond(sequence: number, status: number, body?: ResponseBody): boolean {
    const command = this.takeInbound(sequence);
    if (command === undefined) return false;
    if (!NO_ANSWER.has(command)) {
      this.write(makePdu(responseTo(command), { ...body, command_status: status, sequence_number: sequence }));
    }
    return true;
  }

  respondSubmit(sequence: number, status: number, messageId: string): boolean {
    if (this.takeInbound(sequence) === undefined) return false;
    this.write({
      command: 'submit_sm_resp',
      command_status: status,
      sequence_number: sequence,
      message_id: status === 0 ? messageId : undefined,
      tlvs: NO_TLVS,
    } as Pdu);
    return true;
  }

  discard(sequence: number): boolean {
    return this.takeInbound(sequence) !== undefined;
  }

  write(pdu: Pdu): void {
    if (this.state === 'closed') return;
    this.counters.pdusOut++;
    this.outbox.write(pdu);
  }

  writeOctets(octets: Buffer): void {
    if (this.state !== 'closed') this.outbox.writeOctets(octets);
  }

  /** Stops and resumes reading the stream, independently of other holds. */
  hold(held: boolean): void {
    this.held = held;
    if (held) this.socket.pause();
    else this.resumeSoon();
  }

  /** RST instead of FIN. */
  reset(): void {
    this.finish('stopped', 'reset by this side', true);
  }

  async stop(graceMs?: number): Promise<void> {
    if (this.state === 'open') {
      this.state = 'stopping';
      await this.waiters.until(() => this.pending.size === 0, graceMs ?? this.settings.responseTimeoutMs);
      await this.waiters.until(
        () => this.inbound.size === 0,
        Math.min(graceMs ?? Infinity, this.settings.unbindTimeoutMs),
      );
      if (this.isStopping()) {
        this.state = 'unbinding';
        const answered = this.clock.setTimer(() => this.finish('stopped', ''), this.settings.unbindTimeoutMs);
        this.sendControl(makePdu('unbind'), () => this.finish('stopped', ''));
        void this.done.promise.then(() => answered.cancel());
      }
    }
    await this.done.promise;
  }

  close(detail = 'closed by this side'): void {
    this.finish('stopped', detail);
  }

  finish(reason: CloseReason, detail: string, reset = false): void {
    if (this.state === 'closed') return;
    this.outbox.flush();
    this.state = 'closed';
    this.timer?.cancel();
    this.endSocket(reset);
    this.inbound.clear();
    for (const { token, control } of this.pending.takeAll()) {
      if (control !== undefined) control(undefined, undefined);
      else this.role.handler?.onUnknown(token as Token, 'session_closed');
    }
    this.role.onClose(reason, detail);
    this.waiters.releaseAll();
    this.done.resolve();
  }

  private endSocket(reset: boolean): void {
    const { socket } = this;
    if (reset) {
      socket.resetAndDestroy();
      return;
    }
    // What the peer still sends is read and dropped: unread octets would turn our FIN into an RST that eats our last PDUs.
    socket.resume();
    socket.end();
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(linger));
  }

  private onData(chunk: Buffer): void {
    if (this.state === 'closed') return;
    noteReceived(this.life, this.clock.now());
    this.decoder.push(chunk);
    this.readOn();
  }

  private readOn(): void {
    while (this.state !== 'closed') {
      if (this.held || this.congestedAt !== undefined || this.inbound.size >= this.settings.inboundLimit) {
        this.socket.pause();
        break;
      }
      const decoded = this.decoder.next();
      if (decoded === undefined) {
        this.notePartial();
        break;
      }
      this.partialSince = undefined;
      this.counters.pdusIn++;
      this.take(decoded);
    }
    this.announceSlots();
  }

  private notePartial(): void {
    if (this.decoder.pendingOctets === 0 || this.settings.pduTimeoutMs === 0) return;
    this.partialSince ??= this.clock.now();
    if (this.partialDueAt() < this.timerDueAt) this.schedule();
  }

  private partialDueAt(): number {
    return this.partialSince === undefined ? Number.POSITIVE_INFINITY : this.partialSince + this.settings.pduTimeoutMs;
  }

  private take(decoded: Decoded): void {
    switch (decoded.kind) {
      case 'pdu':
        if (decoded.problems.length > 0) this.counters.problems++;
        this.takePdu(decoded.pdu);
        return;
      case 'malformed':
        this.takeMalformed(decoded);
        return;
      case 'unknown_command':
        this.counters.unknownCommands++;
        if (decoded.command_id < 0x80000000) this.nack(STATUS.ESME_RINVCMDID, decoded.sequence_number);
        return;
      case 'broken':
        this.nack(STATUS.ESME_RINVCMDLEN, decoded.sequence_number);
        this.finish('broken_stream', `command_length ${decoded.command_length}`);
        return;
    }
  }

  private takePdu(pdu: Pdu): void {
    switch (pdu.command) {
      case 'enquire_link':
        if (this.answersEnquireLink) {
          this.write(makePdu('enquire_link_resp', { sequence_number: pdu.sequence_number }));
        }
        return;
      case 'enquire_link_resp':
        return;
      case 'unbind':
        this.onPeerUnbind(pdu.sequence_number);
        return;
      default:
        this.life.activeAt = this.life.heardAt;
        if (isResponse(pdu)) {
          this.settle(pdu.sequence_number, pdu.command, pdu.command_status, pdu);
        } else {
          this.inbound.add(pdu.sequence_number, pdu.command);
          this.role.onRequest(pdu);
        }
    }
  }

  private takeMalformed(decoded: Decoded & { kind: 'malformed' }): void {
    this.counters.malformed++;
    const { command, sequence_number } = decoded;
    if (isResponseName(command)) {
      this.settle(sequence_number, command, decoded.command_status, undefined);
      return;
    }
    if (decoded.mandatory !== undefined && this.role.takesBrokenTlvs) {
      this.role.onMalformed?.(decoded.detail);
      this.takePdu(decoded.mandatory);
      return;
    }
    if (NO_ANSWER.has(command)) return;
    this.write(makePdu(responseTo(command), { command_status: decoded.status, sequence_number }));
  }

  private settle(sequence: number, response: ResponseName, status: number, pdu: ResponsePdu | undefined): void {
    const found = this.pending.take(sequence, response);
    if (found === undefined) {
      this.counters.unexpectedResponses++;
      return;
    }
    const { request, late } = found;
    if (request.control !== undefined) {
      request.control(status, pdu);
      return;
    }
    if (!late) this.slotsFreed++;
    const messageId = pdu !== undefined && 'message_id' in pdu ? pdu.message_id : undefined;
    this.role.handler?.onResponse(request.token as Token, status, messageId, late, pdu);
    this.waiters.check();
  }

  private onPeerUnbind(sequence: number): void {
    // Also if both sides unbind at the same time: each responds to the other.
    this.state = 'unbinding';
    void this.waiters
      .until(() => this.inbound.size === 0, this.settings.unbindTimeoutMs)
      .then(() => this.waiters.until(() => this.pending.size === 0, UNBIND_CROSSING_MS))
      .then(() => {
        this.write(makePdu('unbind_resp', { sequence_number: sequence }));
        this.finish('peer_unbind', 'the peer sent unbind');
      });
  }

  private nack(status: number, sequence: number): void {
    this.write(makePdu('generic_nack', { command_status: status, sequence_number: sequence }));
  }

  private takeSlot(): number {
    if (this.writableSlots === 0) throw new Error('no free slot in the window');
    return this.pending.nextSequence();
  }

  private track(sequence: number, response: ResponseName, token: Token | undefined, control: ControlDone | undefined) {
    const now = this.clock.now();
    this.counters.pdusOut++;
    this.life.activeAt = now;
    const dueAt = now + this.settings.responseTimeoutMs;
    this.pending.add(sequence, { token, control, response, dueAt });
    if (dueAt < this.timerDueAt) this.schedule();
  }

  private takeInbound(sequence: number): RequestName | undefined {
    if (this.state === 'closed') return undefined;
    const command = this.inbound.take(sequence);
    if (this.socket.isPaused() && this.inbound.size < this.settings.inboundLimit) this.resumeSoon();
    this.waiters.check();
    return command;
  }

  /** In the next turn, so that a caller that responds to a thousand requests is not called back in between. */
  private resumeSoon(): void {
    if (this.resumeScheduled || this.held) return;
    this.resumeScheduled = true;
    setImmediate(() => {
      this.resumeScheduled = false;
      if (this.state === 'closed') return;
      this.socket.resume();
      this.readOn();
    });
  }

  private noteBuffered(): void {
    if (this.congestedAt !== undefined || this.socket.writableLength <= this.settings.maxBufferedOctets) return;
    this.congestedAt = this.clock.now();
    this.schedule();
  }

  private onDrain(): void {
    if (this.congestedAt === undefined) return;
    this.congestedAt = undefined;
    this.slotsFreed++;
    this.resumeSoon();
  }

  private announceSlots(): void {
    if (this.slotsFreed === 0 || this.writableSlots === 0) return;
    this.slotsFreed = 0;
    this.role.handler?.onWindow?.();
  }

  private isStopping(): boolean {
    return this.state === 'stopping';
  }

  /** Runs due work and sets the single timer to the next due time. */
  private schedule(): void {
    if (this.state === 'closed') return;
    const now = this.clock.now();
    this.giveUpDue(now);
    const slowAt =
      this.congestedAt === undefined ? Number.POSITIVE_INFINITY : this.congestedAt + this.settings.slowReaderTimeoutMs;
    if (now >= slowAt) {
      this.finish('slow_reader', `${this.socket.writableLength} octets unread`);
      return;
    }
    if (now >= this.partialDueAt()) {
      this.finish('pdu_timeout', `${this.decoder.pendingOctets} octets of a PDU`);
      return;
    }
    const step = nextLifeStep(this.life, this.settings, now);
    if (step.do === 'close') {
      this.finish(step.reason, '');
      return;
    }
    let lifeDueAt = now + this.settings.enquireLinkTimeoutMs;
    if (step.do === 'enquire') {
      noteAsked(this.life, now);
      this.write(makePdu('enquire_link', { sequence_number: this.pending.nextSequence() }));
    } else {
      lifeDueAt = step.dueAt;
    }
    this.timerDueAt = Math.min(lifeDueAt, slowAt, this.partialDueAt(), this.pending.dueAt());
    this.timer?.cancel();
    this.timer = this.clock.setTimer(() => this.schedule(), Math.max(1, this.timerDueAt - now));
  }

  private giveUpDue(now: number): void {
    for (const { token, control } of this.pending.takeDue(now)) {
      if (control !== undefined) {
        control(undefined, undefined);
      } else {
        this.slotsFreed++;
        this.role.handler?.onUnknown(token as Token, 'response_timeout');
      }
    }
    this.waiters.check();
    this.announceSlots();
  }
}

const toPeer = (socket: Socket) => ({ address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 });

function responseTo(command: RequestName): ResponseName {
  return NO_ANSWER.has(command) ? 'generic_nack' : (`${command}_resp` as ResponseName);
}

function isResponseName(command: Pdu['command']): command is ResponseName {
  return COMMAND_ID[command] >= 0x80000000;
}

function isResponse(pdu: Pdu): pdu is ResponsePdu {
  return isResponseName(pdu.command);
}
