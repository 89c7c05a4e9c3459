import type { LifeSettings } from './session-timers.ts';
import type { SessionOptions } from './session-types.ts';

export type SessionSettings = Required<Omit<SessionOptions, 'clock'>> & LifeSettings;

/** command_length accepted once bound, and before: a stranger gets no 64 KiB buffer. */
export const BOUND_PDU_OCTETS = 65_536;
export const UNBOUND_PDU_OCTETS = 1_024;

/** Minimum for sessions over TLS; no setting of the runtime or its flags lowers it. */
export const LEAST_TLS = 'TLSv1.2';

/** Omitted options take the defaults of a client towards a carrier. */
export function withDefaults(options: SessionOptions): SessionSettings {
  return {
    window: options.window ?? 10,
    responseTimeoutMs: options.responseTimeoutMs ?? 60_000,
    enquireLinkIdleMs: options.enquireLinkIdleMs ?? 30_000,
    enquireLinkTimeoutMs: options.enquireLinkTimeoutMs ?? 10_000,
    enquireLinkMisses: options.enquireLinkMisses ?? 2,
    inactivityTimeoutMs: options.inactivityTimeoutMs ?? 0,
    inboundLimit: options.inboundLimit ?? 5_000,
    maxBufferedOctets: options.maxBufferedOctets ?? 1_048_576,
    slowReaderTimeoutMs: options.slowReaderTimeoutMs ?? 60_000,
    pduTimeoutMs: options.pduTimeoutMs ?? 0,
    unbindTimeoutMs: options.unbindTimeoutMs ?? 5_000,
  };
}

/** The defaults of a server towards its customers. */
export function withServerDefaults(options: SessionOptions): SessionOptions {
  return { enquireLinkMisses: 1, inactivityTimeoutMs: 300_000, inboundLimit: 100, pduTimeoutMs: 10_000, ...options };
}
