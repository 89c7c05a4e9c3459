import { createServer, type Server, type Socket } from 'node:net';
import type { BindPdu, RequestPdu } from '../codec/field-specs.ts';
import { STATUS } from '../codec/statuses.ts';
import { integerTlv, NO_TLVS } from '../codec/tlvs.ts';
import { makeSecureContext, readProxySource, secure } from './accept-socket.ts';
import type { BindMode } from './client-types.ts';
import { systemClock, type Timer } from './clock.ts';
import type { ProxySource } from './proxy-header.ts';
import type {
  BindAnswer,
  ListenOptions,
  ResponseBody,
  ServerRequest,
  ServerSession,
  ServerSessionHandler,
  SmppServer,
} from './server-types.ts';
import { SessionCore, type SessionRole } from './session-core.ts';
import { BOUND_PDU_OCTETS, withServerDefaults } from './session-settings.ts';

const BIND_TIMEOUT_MS = 5_000;
const BIND_MODES: ReadonlyMap<string, BindMode> = new Map([
  ['bind_transmitter', 'transmitter'],
  ['bind_receiver', 'receiver'],
  ['bind_transceiver', 'transceiver'],
]);

/** Listens for ESMEs. Each connection must bind within `bindTimeoutMs`; `onBind` decides whether it may. */
export async function listenSmpp<Token>(options: ListenOptions<Token>): Promise<SmppServer> {
  const connections = new Set<Connection<Token>>();
  const unbound = new UnboundConnections(options);
  const context = makeSecureContext(options.tls);
  const serve = (socket: Socket, peer: ProxySource) => {
    if (options.onAccept?.(peer.address) === false || !unbound.admits(peer.address)) {
      socket.destroy();
      return;
    }
    const connection = new Connection(secure(socket, context), options, peer, () => connections.delete(connection));
    connections.add(connection);
    unbound.add(connection);
  };
  const server = createServer((socket) => {
    const own = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    if (options.isProxy?.(own.address) !== true) {
      serve(socket, own);
      return;
    }
    void readProxySource(socket, own, options.bindTimeoutMs ?? BIND_TIMEOUT_MS).then((source) => {
      if (source === undefined) {
        socket.destroy();
        return;
      }
      serve(socket, source);
      // Paused with what came after the header; over TLS that was taken by the handshake.
      if (context === undefined) socket.resume();
    });
  });
  await startListening(server, options);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    get connectionCount() {
      return connections.size;
    },
    get unboundCount() {
      return unbound.size;
    },
    async stop(graceMs) {
      const closed = stopListening(server);
      await Promise.all([...connections].map((connection) => connection.stop(graceMs)));
      await closed;
    },
    async close() {
      const closed = stopListening(server);
      for (const connection of connections) connection.core.close();
      await closed;
    },
  };
}

/** Connections that have not bound; each address may have a few of them. */
class UnboundConnections {
  private readonly options: Pick<ListenOptions<never>, 'maxUnbound' | 'maxUnboundPerAddress'>;
  private readonly byAddress = new Map<string, number>();
  size = 0;

  constructor(options: UnboundConnections['options']) {
    this.options = options;
  }

  admits(address: string): boolean {
    const { maxUnbound = Infinity, maxUnboundPerAddress = Infinity } = this.options;
    return this.size < maxUnbound && (this.byAddress.get(address) ?? 0) < maxUnboundPerAddress;
  }

  add(connection: Pick<Connection<never>, 'peer' | 'whenBoundOrClosed'>): void {
    const { address } = connection.peer;
    this.count(address, 1);
    void connection.whenBoundOrClosed.then(() => this.count(address, -1));
  }

  private count(address: string, change: 1 | -1): void {
    this.size += change;
    const count = (this.byAddress.get(address) ?? 0) + change;
    if (count === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, count);
  }
}

function startListening(server: Server, options: { host: string; port: number; handle?: object }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const { handle, port, host } = options;
    // Node accepts a listening socket in place of an address.
    server.listen(handle ?? { port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** One connection of a server: unbound until `onBind` accepts, then a `ServerSession`. */
class Connection<Token> implements SessionRole<Token> {
  handler: ServerSessionHandler<Token> | undefined = undefined;
  readonly takesBrokenTlvs = false;
  readonly core: SessionCore<Token>;
  readonly peer: ProxySource;
  readonly whenBoundOrClosed: Promise<void>;
  private readonly noteBoundOrClosed: () => void;
  private readonly options: ListenOptions<Token>;
  private readonly forget: () => void;
  private readonly bindTimer: Timer;
  private session: ServerSession<Token> | undefined = undefined;

  constructor(socket: Socket, options: ListenOptions<Token>, peer: ProxySource, forget: () => void) {
    this.options = options;
    this.peer = peer;
    this.forget = forget;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.whenBoundOrClosed = promise;
    this.noteBoundOrClosed = resolve;
    this.core = new SessionCore<Token>(socket, this, withServerDefaults(options), options.strictTlvs ?? true, peer);
    this.bindTimer = (options.clock ?? systemClock).setTimer(
      () => this.core.finish('bind_timeout', 'no bind in time'),
      options.bindTimeoutMs ?? BIND_TIMEOUT_MS,
    );
  }

  onRequest(pdu: RequestPdu): void {
    const { core } = this;
    const mode = BIND_MODES.get(pdu.command);
    if (mode !== undefined) {
      if (this.session !== undefined) core.respond(pdu.sequence_number, STATUS.ESME_RALYBND);
      else void this.bind(pdu as BindPdu, mode);
    } else if (this.session === undefined || this.handler === undefined || !isAllowed(pdu, this.session.mode)) {
      core.respond(pdu.sequence_number, STATUS.ESME_RINVBNDSTS);
    } else {
      this.handler.onRequest(pdu as ServerRequest, this.session);
    }
  }

  onClose(reason: Parameters<SessionRole<Token>['onClose']>[0], detail: string): void {
    this.bindTimer.cancel();
    this.noteBoundOrClosed();
    this.forget();
    this.handler?.onClose(reason, detail);
  }

  stop(graceMs: number | undefined): Promise<void> {
    if (this.session === undefined) this.core.close();
    return this.core.stop(graceMs);
  }

  /** Nothing more is read until the bind is decided: what follows it may only be judged then. */
  private async bind(pdu: BindPdu, mode: BindMode): Promise<void> {
    const { core } = this;
    core.hold(true);
    const answer = await this.decide(pdu, mode);
    if (!core.isOpen) {
      if (answer.accept) answer.onAbandoned?.();
      return;
    }
    if (!answer.accept) await this.refuse(pdu, answer);
    // Before `onBound`, which may hold the session itself; reading begins in the next turn.
    core.hold(false);
    if (answer.accept) this.accept(pdu, mode, answer);
  }

  private async decide(pdu: BindPdu, mode: BindMode): Promise<BindAnswer<Token>> {
    try {
      const { address: clientIp, port: clientPort } = this.peer;
      const from = { remoteAddress: this.core.remoteAddress, clientIp, clientPort };
      return await this.options.onBind({ pdu, mode, ...from, isTls: this.options.tls !== undefined });
    } catch {
      // A failing `onBind` reports its own error; the peer may try again.
      return { accept: false, status: STATUS.ESME_RSYSERR };
    }
  }

  private accept(pdu: BindPdu, mode: BindMode, answer: BindAnswer<Token> & { accept: true }): void {
    const { core, options } = this;
    this.bindTimer.cancel();
    this.noteBoundOrClosed();
    this.handler = answer.handler;
    if (answer.options !== undefined) core.configure(answer.options);
    core.decoder.maxPduOctets = BOUND_PDU_OCTETS;
    this.session = serverSession(core, mode, pdu.system_id);
    // sc_interface_version belongs in the response to an ESME of version 3.4 only (SMPP 3.4 §3.3).
    const tlvs =
      pdu.interface_version >= 0x34 ? [integerTlv('sc_interface_version', options.interface_version ?? 0x34)] : NO_TLVS;
    core.respond(pdu.sequence_number, STATUS.ESME_ROK, { system_id: options.system_id, tlvs } as ResponseBody);
    answer.onBound?.(this.session);
  }

  private async refuse(pdu: BindPdu, answer: BindAnswer<Token> & { accept: false }): Promise<void> {
    const clock = this.options.clock ?? systemClock;
    if (answer.afterMs !== undefined)
      await new Promise<void>((resolve) => clock.setTimer(resolve, answer.afterMs ?? 0));
    this.core.respond(pdu.sequence_number, answer.status);
  }
}

/** A receiver neither submits nor asks about messages; data_sm is for each kind of bind (SMPP 3.4 §2.3, table 2-1). */
function isAllowed(pdu: RequestPdu, mode: BindMode): boolean {
  switch (pdu.command) {
    case 'submit_sm':
    case 'submit_multi':
    case 'query_sm':
    case 'cancel_sm':
    case 'replace_sm':
      return mode !== 'receiver';
    case 'data_sm':
      return true;
    default:
      return false;
  }
}

function serverSession<Token>(core: SessionCore<Token>, mode: BindMode, systemId: string): ServerSession<Token> {
  return Object.assign(core, { mode, systemId });
}
