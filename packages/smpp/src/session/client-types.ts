import type { ConnectionOptions } from 'node:tls';
import type { Session, SessionOptions } from './session-types.ts';

export type BindMode = 'transmitter' | 'receiver' | 'transceiver';

export type ConnectOptions = SessionOptions & {
  host: string;
  port: number;
  /** SMPP over TLS with these options (may be `{}`); plain TCP without. */
  tls?: ConnectionOptions;
  mode: BindMode;
  system_id: string;
  password: string;
  system_type?: string;
  /** Default 0x34. */
  interface_version?: number;
  addr_ton?: number;
  addr_npi?: number;
  address_range?: string;
  /** Default 10,000. */
  connectTimeoutMs?: number;
  /** Default 10,000. */
  bindTimeoutMs?: number;
  /** Gives up the attempt. */
  signal?: AbortSignal;
};

/** The result of an attempt to bind. */
export type ConnectResult<Token> =
  | {
      bound: true;
      session: Session<Token>;
      /** The SMSC's system_id and sc_interface_version, if it sent them. */
      peerSystemId: string | undefined;
      peerInterfaceVersion: number | undefined;
    }
  | {
      bound: false;
      reason: 'connect_failed' | 'connect_timeout' | 'bind_timeout' | 'bind_refused' | 'closed' | 'aborted';
      /** The command_status, when `bind_refused`. */
      status: number | undefined;
      detail: string;
    };
