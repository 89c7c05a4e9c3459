import type { SecureContextOptions } from 'node:tls';
import type { BindPdu, Pdu, RequestPdu, ResponsePdu } from '../codec/field-specs.ts';
import type { BindMode } from './client-types.ts';
import type { OutcomeHandler, Session, SessionOptions } from './session-types.ts';

/** Body of a response, all optional: a submit_sm_resp takes `message_id`, a query_sm_resp more. */
export type ResponseBody = Partial<Omit<ResponsePdu, 'command' | 'command_status' | 'sequence_number'>> & {
  message_id?: string;
  final_date?: string;
  message_state?: number;
  error_code?: number;
};

export type ServerSession<Token> = Session<Token> &
  FaultControls & {
    readonly mode: BindMode;
    readonly systemId: string;
    /**
     * Responds to the inbound request with that sequence number, immediately or later, in any order. Returns false if
     * the session has ended or that request is not open. On a status other than 0 only the header is sent.
     */
    respond(sequence_number: number, status: number, body?: ResponseBody): boolean;
    /** The same for the one that is nearly all of the traffic. */
    respondSubmit(sequence_number: number, status: number, messageId: string): boolean;
  };

/**
 * What no honest server does. For a simulator of faulty carriers and for tests that need one.
 */
export type FaultControls = {
  /** Never responds to that request. Returns false if it is not open. */
  discard(sequence_number: number): boolean;
  /** Sends a PDU unchanged: any sequence number, no slot in the window, no response expected. */
  write(pdu: Pdu): void;
  /** Sends octets unchanged, PDU or not. */
  writeOctets(octets: Buffer): void;
  /** Stops and starts reading. */
  hold(held: boolean): void;
  /** Ends the connection by RST. */
  reset(): void;
  /** False leaves the peer's enquire_link unanswered. */
  answersEnquireLink: boolean;
};

/** A request as a server gets it: bind, unbind and enquire_link are dealt with before. */
export type ServerRequest = Exclude<RequestPdu, BindPdu | { command: 'unbind' | 'enquire_link' | 'outbind' }>;

/** Callbacks of one bound session of a server. */
export type ServerSessionHandler<Token> = OutcomeHandler<Token> & {
  /** Respond with `session.respond(pdu.sequence_number, …)`. */
  onRequest(pdu: ServerRequest, session: ServerSession<Token>): void;
};

export type BindRequest = {
  pdu: BindPdu;
  mode: BindMode;
  /** Address and port. */
  remoteAddress: string;
  /** Behind a balancer, those that its header names. */
  clientIp: string;
  clientPort: number;
  isTls: boolean;
};

export type BindAnswer<Token> =
  | {
      accept: true;
      handler: ServerSessionHandler<Token>;
      /** Of this account: its window, its inbound limit, its timers. */
      options?: SessionOptions;
      /** Called with the session once the response is being sent. */
      onBound?(session: ServerSession<Token>): void;
      /** Called instead if the connection ended before: there is no session, and no other call follows. */
      onAbandoned?(): void;
    }
  /** `afterMs` delays the refusal: it slows guessing down. */
  | { accept: false; status: number; afterMs?: number };

export type ListenOptions<Token> = SessionOptions & {
  host: string;
  /** 0 takes a free one. */
  port: number;
  tls?: SecureContextOptions;
  /** Our name in bind responses, ≤ 15 characters. */
  system_id: string;
  /** sc_interface_version in bind responses. Default 0x34. */
  interface_version?: number;
  /** Default 5,000. */
  bindTimeoutMs?: number;
  /** A listening socket that the process was given, instead of `host` and `port`. */
  handle?: object;
  /** Connections that have not bound, of one address and of all; further ones are closed. Default: any number. */
  maxUnboundPerAddress?: number;
  maxUnbound?: number;
  /** Whether connections from this address begin with a PROXY protocol header. Default: none does. */
  isProxy?(address: string): boolean;
  /** Asked before a single octet is read; false ends the connection. */
  onAccept?(remoteAddress: string): boolean;
  onBind(request: BindRequest): BindAnswer<Token> | Promise<BindAnswer<Token>>;
  /** TLV integers of a wrong length are refused rather than ignored. Default true. */
  strictTlvs?: boolean;
};

export type SmppServer = {
  readonly port: number;
  /** Connections, bound or not. */
  readonly connectionCount: number;
  readonly unboundCount: number;
  /** Stops listening, stops every session gracefully, then resolves. */
  stop(graceMs?: number): Promise<void>;
  /** Stops listening and ends every connection immediately. */
  close(): Promise<void>;
};
