import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { BindPdu, ResponsePdu } from '../codec/field-specs.ts';
import { makePdu } from '../codec/make-pdu.ts';
import { STATUS, statusName } from '../codec/statuses.ts';
import { readIntegerTlv } from '../codec/tlvs.ts';
import type { ConnectOptions, ConnectResult } from './client-types.ts';
import { systemClock } from './clock.ts';
import { SessionCore, type SessionRole } from './session-core.ts';
import { BOUND_PDU_OCTETS, LEAST_TLS } from './session-settings.ts';
import type { ClientHandler } from './session-types.ts';

type Failure = Extract<ConnectResult<never>, { bound: false }>;

/**
 * Connects to an SMSC and binds. Every failure on the way is a result, not an exception; the handler is called only if
 * bound. A receipt may arrive in the same packet as the bind response: `handler` may be called before this resolves.
 */
export async function connectSession<Token>(
  options: ConnectOptions,
  handler: ClientHandler<Token>,
): Promise<ConnectResult<Token>> {
  const socket = await openSocket(options);
  if (!('destroyed' in socket)) return socket;
  return bindSession(socket, options, handler);
}

function openSocket(options: ConnectOptions): Promise<Socket | Failure> {
  const clock = options.clock ?? systemClock;
  return new Promise((resolve) => {
    if (options.signal?.aborted === true) {
      resolve(failure('aborted', 'given up before it began'));
      return;
    }
    const { host, port } = options;
    const socket =
      options.tls === undefined
        ? connectTcp({ host, port })
        : connectTls({ minVersion: LEAST_TLS, ...options.tls, host, port });
    const fail = (result: Failure) => {
      settle();
      socket.on('error', () => {});
      socket.destroy();
      resolve(result);
    };
    const onError = (error: Error) => fail(failure('connect_failed', error.message));
    const onAbort = () => fail(failure('aborted', 'given up'));
    const timer = clock.setTimer(
      () => fail(failure('connect_timeout', `no connection to ${host}:${port}`)),
      options.connectTimeoutMs ?? 10_000,
    );
    const settle = () => {
      timer.cancel();
      socket.off('error', onError);
      options.signal?.removeEventListener('abort', onAbort);
    };
    socket.on('error', onError);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    socket.once(options.tls === undefined ? 'connect' : 'secureConnect', () => {
      settle();
      resolve(socket);
    });
  });
}

function bindSession<Token>(
  socket: Socket,
  options: ConnectOptions,
  handler: ClientHandler<Token>,
): Promise<ConnectResult<Token>> {
  return new Promise((resolve) => {
    const give = (result: ConnectResult<Token>) => {
      timer.cancel();
      options.signal?.removeEventListener('abort', onAbort);
      resolve(result);
    };
    const giveUp = (reason: Failure['reason'], detail: string, status?: number) => {
      give(failure(reason, detail, status));
      core.close();
    };
    const role: SessionRole<Token> = clientRole(handler, {
      onClose: (detail) => give(failure('closed', detail)),
      respond: (sequence, status) => core.respond(sequence, status),
    });
    const core: SessionCore<Token> = new SessionCore<Token>(socket, role, options, false);
    const onAbort = () => giveUp('aborted', 'given up');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const timer = (options.clock ?? systemClock).setTimer(
      () => giveUp('bind_timeout', 'the bind was not answered'),
      options.bindTimeoutMs ?? 10_000,
    );
    core.sendControl(bindPdu(options), (status, pdu) => {
      if (status === undefined) return;
      if (status !== STATUS.ESME_ROK) {
        giveUp('bind_refused', statusName(status), status);
        return;
      }
      core.decoder.maxPduOctets = BOUND_PDU_OCTETS;
      role.handler = handler;
      give({ bound: true, session: core, ...peerOf(pdu) });
    });
  });
}

function clientRole<Token>(
  handler: ClientHandler<Token>,
  core: { onClose(detail: string): void; respond(sequence: number, status: number): boolean },
): SessionRole<Token> {
  const role: SessionRole<Token> = {
    handler: undefined,
    takesBrokenTlvs: true,
    onRequest(pdu) {
      const { sequence_number } = pdu;
      if (pdu.command === 'alert_notification' || pdu.command === 'outbind') {
        core.respond(sequence_number, STATUS.ESME_ROK);
      } else if (role.handler !== undefined && (pdu.command === 'deliver_sm' || pdu.command === 'data_sm')) {
        handler.onDeliver(pdu, (status = STATUS.ESME_ROK) => core.respond(sequence_number, status));
      } else {
        core.respond(sequence_number, STATUS.ESME_RINVBNDSTS);
      }
    },
    onMalformed: (detail) => handler.onMalformed?.(detail),
    onClose(reason, detail) {
      if (role.handler === undefined) core.onClose(detail === '' ? reason : detail);
      else handler.onClose(reason, detail);
    },
  };
  return role;
}

function bindPdu(options: ConnectOptions): BindPdu {
  return makePdu(`bind_${options.mode}`, {
    system_id: options.system_id,
    password: options.password,
    system_type: options.system_type ?? '',
    interface_version: options.interface_version ?? 0x34,
    addr_ton: options.addr_ton ?? 0,
    addr_npi: options.addr_npi ?? 0,
    address_range: options.address_range ?? '',
  });
}

function peerOf(pdu: ResponsePdu | undefined) {
  return {
    peerSystemId: pdu !== undefined && 'system_id' in pdu ? pdu.system_id : undefined,
    peerInterfaceVersion: pdu === undefined ? undefined : readIntegerTlv(pdu.tlvs, 'sc_interface_version'),
  };
}

function failure(reason: Failure['reason'], detail: string, status?: number): Failure {
  return { bound: false, reason, status, detail };
}
