import type { DataSm, DeliverSm, RequestPdu, ResponsePdu } from '../codec/field-specs.ts';
import type { Clock } from './clock.ts';

/**
 * Why a request will get no response in time: the outcome at the peer is unknown, it may or may not have been taken.
 */
export type UnknownReason = 'response_timeout' | 'session_closed';

export type CloseReason =
  /** `stop()` or `close()` of this side. */
  | 'stopped'
  /** The peer sent unbind, or ended or reset the connection. */
  | 'peer_unbind'
  | 'peer_closed'
  | 'socket_error'
  /** enquire_link stayed unanswered as often as allowed. */
  | 'enquire_link_timeout'
  /** Nothing but enquire_link for `inactivityTimeoutMs`. */
  | 'inactivity_timeout'
  /** No bind within `bindTimeoutMs` (server), or no response to it (client). */
  | 'bind_timeout'
  /** A command_length that cannot be right. */
  | 'broken_stream'
  /** The peer read nothing for `slowReaderTimeoutMs` while more than `maxBufferedOctets` waited. */
  | 'slow_reader'
  /** A PDU was begun and not completed within `pduTimeoutMs`. */
  | 'pdu_timeout';

/**
 * Responds to an inbound request, immediately or later. Returns false if the session has ended: the peer will send it
 * again.
 */
export type Respond = (status?: number) => boolean;

/** Outcomes that a session reports for the requests this side sent. `token` is the value passed to `send`. */
export type OutcomeHandler<Token> = {
  /**
   * The peer answered. `late` is true when `onUnknown` had already been called for this token: the slot in the window
   * had been given back then. A generic_nack settles its request with its status. `messageId` is undefined when the
   * response has no body; `pdu` is undefined when the body was malformed.
   */
  onResponse(
    token: Token,
    status: number,
    messageId: string | undefined,
    late: boolean,
    pdu: ResponsePdu | undefined,
  ): void;
  /** No response within the response timer, or the session ended first. Called once per token. */
  onUnknown(token: Token, reason: UnknownReason): void;
  /** Slots of the window became free. Called at most once per chunk read, not per PDU. */
  onWindow?(): void;
  /** The last call a handler gets; every outstanding token has been reported before. */
  onClose(reason: CloseReason, detail: string): void;
};

/** Callbacks of a client (ESME). */
export type ClientHandler<Token> = OutcomeHandler<Token> & {
  /** A deliver_sm or data_sm: respond once its content is stored safely, however much later. */
  onDeliver(pdu: DeliverSm | DataSm, respond: Respond): void;
  /** A TLV was broken and the mandatory part is good: `onDeliver` follows. For counting. */
  onMalformed?(detail: string): void;
};

export type SessionCounters = {
  pdusIn: number;
  pdusOut: number;
  /** Commands SMPP 3.4 does not define, requests and responses. */
  unknownCommands: number;
  malformed: number;
  /** Responses that match no request of ours. */
  unexpectedResponses: number;
  /** PDUs accepted although they deviated from the standard. */
  problems: number;
};

/** Timers and bounds; the defaults are those of a client towards a carrier. */
export type SessionOptions = {
  /** Maximum requests sent and unanswered. Default 10. */
  window?: number;
  /** Default 60,000. */
  responseTimeoutMs?: number;
  /** enquire_link after this long without an octet from the peer. Default 30,000. */
  enquireLinkIdleMs?: number;
  /** Timeout for each response to it. Default 10,000. */
  enquireLinkTimeoutMs?: number;
  /** Unanswered enquire_links after which the session is closed. Default 2 (server: 1). */
  enquireLinkMisses?: number;
  /** Close after this long without any PDU but enquire_link. Default 0: never (server: 300,000). */
  inactivityTimeoutMs?: number;
  /** Inbound requests not yet answered, beyond which the socket is not read. Default 5,000 (server: 100). */
  inboundLimit?: number;
  /** Octets waiting for a peer that does not read, beyond which nothing more is sent. Default 1 MiB. */
  maxBufferedOctets?: number;
  /** Default 60,000. */
  slowReaderTimeoutMs?: number;
  /** Time from the first octet of a PDU to its last. Default 0: any (server: 10,000). */
  pduTimeoutMs?: number;
  /** Timeout of an unbind: ours for its response, the peer's for our open responses. Default 5,000. */
  unbindTimeoutMs?: number;
  clock?: Clock;
};

/** One bound connection; `Token` names the caller's own work. */
export type Session<Token> = {
  readonly remoteAddress: string;
  readonly isOpen: boolean;
  readonly counters: Readonly<SessionCounters>;
  readonly window: number;
  /** Requests sent, unanswered and not timed out. */
  readonly outstanding: number;
  /** How many `send`s may follow now; 0 while stopping, or while the peer does not read. */
  readonly writableSlots: number;
  /**
   * Sends a request and returns its sequence number. Throws if `writableSlots` is 0.
   * PDUs sent in one turn of the event loop leave in one write. `pdu.sequence_number` is overwritten.
   */
  send(pdu: RequestPdu, token: Token): number;
  /** Like `send`, for octets made beforehand by `encodePdu`; they are copied and may be used again. */
  sendEncoded(pdu: Buffer, token: Token): number;
  /**
   * Graceful end: no more sends, wait for the outstanding responses (at most `graceMs`, default the response timer),
   * unbind, close. Resolves after `onClose` was called.
   */
  stop(graceMs?: number): Promise<void>;
  /** Ends the connection now; outstanding tokens become unknown. */
  close(detail?: string): void;
};
