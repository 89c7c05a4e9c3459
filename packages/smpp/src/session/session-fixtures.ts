/**
 * Shared parts of the session tests: a manually advanced clock, and a peer on the other end of a real TCP connection
 * that sends and receives PDUs without any of the session's own behaviour.
 */
import { connect, createServer, type Socket } from 'node:net';
import type { CommandName } from '../codec/commands.ts';
import { encodePdu } from '../codec/encode-pdu.ts';
import type { Pdu, PduOf } from '../codec/field-specs.ts';
import { PduDecoder } from '../codec/pdu-decoder.ts';
import type { Clock } from './clock.ts';
import type { ClientHandler } from './session-types.ts';

export class ManualClock implements Clock {
  private time = 1_000;
  private readonly timers = new Set<{ run: () => void; dueAt: number }>();

  now(): number {
    return this.time;
  }

  setTimer(run: () => void, delayMs: number) {
    const timer = { run, dueAt: this.time + delayMs };
    this.timers.add(timer);
    return { cancel: () => void this.timers.delete(timer) };
  }

  /** Runs timers that become due meanwhile, in order. */
  advance(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = [...this.timers].filter((timer) => timer.dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
      if (next === undefined) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.dueAt);
      next.run();
    }
    this.time = until;
  }
}

/** Waits for a condition that the event loop will make true; fails loudly if it does not within a minute. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export class RawPeer {
  readonly received: Pdu[] = [];
  closed = false;
  readonly socket: Socket;
  private readonly decoder = new PduDecoder();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('data', (chunk: Buffer) => {
      this.decoder.push(chunk);
      for (let decoded = this.decoder.next(); decoded?.kind === 'pdu'; decoded = this.decoder.next()) {
        this.received.push(decoded.pdu);
      }
    });
  }

  send(...pdus: Pdu[]): void {
    this.socket.write(Buffer.concat(pdus.map(encodePdu)));
  }

  sendHex(hex: string): void {
    this.socket.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  }

  all<C extends CommandName>(command: C): PduOf<C>[] {
    return this.received.filter((pdu) => pdu.command === command) as unknown as PduOf<C>[];
  }

  /** The first PDU of that name, once it has come. */
  async expect<C extends CommandName>(command: C, count = 1): Promise<PduOf<C>> {
    await until(() => this.all(command).length >= count, `${count} ${command}`);
    return this.all(command)[count - 1]!;
  }

  async expectClosed(): Promise<void> {
    await until(() => this.closed, 'the connection to be closed');
  }
}

/** An SMSC that the test controls, PDU by PDU. */
export async function rawServer() {
  const peers: RawPeer[] = [];
  const server = createServer((socket) => peers.push(new RawPeer(socket)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async peer(index = 0): Promise<RawPeer> {
      await until(() => peers.length > index, 'a connection');
      return peers[index]!;
    },
    async close(): Promise<void> {
      for (const peer of peers) peer.socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export async function rawClient(port: number): Promise<RawPeer> {
  const socket = connect({ port, host: '127.0.0.1' });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return new RawPeer(socket);
}

export type SessionEvent =
  | { event: 'response'; token: number; status: number; messageId: string | undefined; late: boolean }
  | { event: 'unknown'; token: number; reason: string }
  | { event: 'deliver'; command: string }
  | { event: 'window' }
  | { event: 'close'; reason: string };

/** A handler that records its calls. */
export function recordingHandler(overrides: Partial<ClientHandler<number>> = {}) {
  const events: SessionEvent[] = [];
  const handler: ClientHandler<number> = {
    onResponse: (token, status, messageId, late) => events.push({ event: 'response', token, status, messageId, late }),
    onUnknown: (token, reason) => events.push({ event: 'unknown', token, reason }),
    onDeliver: (pdu, respond) => {
      events.push({ event: 'deliver', command: pdu.command });
      respond();
    },
    onWindow: () => events.push({ event: 'window' }),
    onClose: (reason) => events.push({ event: 'close', reason }),
    ...overrides,
  };
  return {
    handler,
    events,
    of: <E extends SessionEvent['event']>(event: E) =>
      events.filter((entry): entry is Extract<SessionEvent, { event: E }> => entry.event === event),
  };
}
