import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { type ProxySource, parseProxyHeader } from './proxy-header.ts';
import { LEAST_TLS } from './session-settings.ts';

export const makeSecureContext = (tls: SecureContextOptions | undefined): SecureContext | undefined =>
  tls === undefined ? undefined : createSecureContext({ minVersion: LEAST_TLS, ...tls });

/** A TCP connection as the session has it: over TLS or not. The handshake takes part of the time for a bind. */
export function secure(socket: Socket, context: SecureContext | undefined): Socket {
  return context === undefined ? socket : new TLSSocket(socket, { isServer: true, secureContext: context });
}

/**
 * Reads the header of a balancer and puts what follows it back. Resolves with undefined if the connection ended, sent
 * something else, or sent no whole header in time.
 */
export function readProxySource(socket: Socket, own: ProxySource, timeoutMs: number): Promise<ProxySource | undefined> {
  return new Promise((resolve) => {
    let octets: Buffer = Buffer.alloc(0);
    const done = (source: ProxySource | undefined): void => {
      clearTimeout(timer);
      socket.off('data', take).off('close', giveUp).off('error', giveUp);
      resolve(source);
    };
    const giveUp = (): void => done(undefined);
    const take = (chunk: Buffer): void => {
      octets = Buffer.concat([octets, chunk]);
      const header = parseProxyHeader(octets);
      if (header.kind === 'more') return;
      if (header.kind === 'bad') {
        giveUp();
        return;
      }
      socket.pause();
      done(header.source ?? own);
      const rest = octets.subarray(header.octets);
      if (rest.length > 0) socket.unshift(rest);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    socket.on('data', take).on('close', giveUp).on('error', giveUp);
  });
}
