/**
 * Runs one trial bind: connects, binds, sends one enquire_link, unbinds, and records the exchange. It is not a sender's
 * session: nothing is submitted, and a message that the carrier delivers meanwhile is deferred (ESME_RX_T_APPN), so
 * that it is redelivered to a bind that stores it.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { BindOutcome, BindTest, BindTracePdu } from '@pahatid/contract';
import {
  COMMAND_ID,
  commandName,
  encodePdu,
  isResponseId,
  makePdu,
  type Pdu,
  PduDecoder,
  readIntegerTlv,
  STATUS,
  statusName,
} from '@pahatid/smpp';

export interface BindTestOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly mode: 'transceiver' | 'transmitter';
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly addressRange?: string;
  /** Applies to the connection, and then to the bind response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Independent of the length: the trace is for people. */
const MASK = '*'.repeat(8);
const HEADER_OCTETS = 16;
/** Longer than any response to a bind. */
const LONGEST_PDU = 4_096;
const SHOWN_OCTETS = 1_024;
const SHOWN_PDUS = 50;
/** For enquire_link and unbind: the trial has its result by then. */
const FAREWELL_MS = 1_000;

type End = { outcome: BindOutcome; detail: string | null; status?: number };

export async function testBind(options: BindTestOptions): Promise<BindTest> {
  const trial = new Trial(options);
  const end = await trial.run();
  const { status } = end;
  return {
    outcome: end.outcome,
    bindType: options.mode,
    status: status ?? null,
    statusName: status === undefined ? null : statusName(status),
    detail: end.detail,
    peerSystemId: trial.peerSystemId,
    peerInterfaceVersion: trial.peerInterfaceVersion,
    durationMs: trial.elapsed(),
    trace: trial.trace,
  };
}

class Trial {
  readonly trace: BindTracePdu[] = [];
  peerSystemId: string | null = null;
  peerInterfaceVersion: number | null = null;
  private readonly options: BindTestOptions;
  private readonly start = performance.now();
  private readonly password: Buffer;
  private socket: Socket | null = null;
  private bytes = Buffer.alloc(0);
  private finish: (end: End) => void = () => {};
  private waitingFor: { command: string; take: (pdu: Pdu) => void } | null = null;

  constructor(options: BindTestOptions) {
    this.options = options;
    this.password = Buffer.from(options.password, 'latin1');
  }

  elapsed(): number {
    return Math.round(performance.now() - this.start);
  }

  async run(): Promise<End> {
    const socket = await this.connect();
    if ('outcome' in socket) return socket;
    this.socket = socket;
    try {
      const end = await this.bind();
      if (end.outcome === 'bound') await this.farewell();
      return end;
    } finally {
      this.socket = null;
      socket.destroy();
    }
  }

  private connect(): Promise<Socket | End> {
    const { host, port, tls, timeoutMs, signal } = this.options;
    return new Promise((resolve) => {
      // As a sender does: the carrier's certificate has to be one that this machine trusts.
      const socket = tls ? connectTls({ host, port }) : connectTcp({ host, port });
      let isConnected = false;
      const give = (result: Socket | End): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        if ('outcome' in result) socket.destroy();
        resolve(result);
      };
      const timer = setTimeout(() => {
        const outcome = isConnected ? 'tlsFailed' : 'connectTimeout';
        give({ outcome, detail: isConnected ? 'the TLS handshake was not answered' : null });
      }, timeoutMs);
      const onAbort = (): void => give({ outcome: 'closed', detail: 'given up' });
      signal?.addEventListener('abort', onAbort, { once: true });
      socket.once('connect', () => {
        isConnected = true;
        if (!tls) give(socket);
      });
      if (tls) socket.once('secureConnect', () => give(socket));
      // Stays for the life of the socket: an unhandled error would end the process.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        const outcome = isConnected ? 'tlsFailed' : outcomeOf(error.code);
        give({ outcome, detail: error.code ?? error.message });
      });
      // Some peers respond to the TLS handshake by closing the connection.
      socket.once('close', () => give({ outcome: isConnected ? 'tlsFailed' : 'unreachable', detail: null }));
    });
  }

  private bind(): Promise<End> {
    const { mode, systemId, systemType, addressRange = '', password, timeoutMs, signal } = this.options;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.finish({ outcome: 'bindTimeout', detail: null }), timeoutMs);
      const onAbort = (): void => this.finish({ outcome: 'closed', detail: 'given up' });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.finish = (end) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(end);
      };
      const socket = this.socket!;
      socket.on('data', (chunk: Buffer) => this.read(chunk));
      socket.once('close', () => this.finish({ outcome: 'closed', detail: null }));
      socket.on('error', (error: NodeJS.ErrnoException) =>
        this.finish({ outcome: 'closed', detail: error.code ?? error.message }),
      );
      this.waitingFor = { command: `bind_${mode}_resp`, take: (pdu) => this.onBindAnswer(pdu) };
      const fields = {
        system_id: systemId,
        system_type: systemType,
        interface_version: 0x34,
        addr_ton: 0,
        addr_npi: 0,
        address_range: addressRange,
        sequence_number: 1,
      };
      this.write(
        makePdu(`bind_${mode}`, { ...fields, password }),
        encodePdu(makePdu(`bind_${mode}`, { ...fields, password: MASK })),
      );
    });
  }

  private onBindAnswer(pdu: Pdu): void {
    if (pdu.command_status !== STATUS.ESME_ROK) {
      this.finish({ outcome: 'refused', detail: null, status: pdu.command_status });
      return;
    }
    if ('system_id' in pdu && pdu.system_id !== undefined) this.peerSystemId = this.hide(pdu.system_id);
    this.peerInterfaceVersion = readIntegerTlv(pdu.tlvs, 'sc_interface_version') ?? null;
    this.finish({ outcome: 'bound', detail: null, status: STATUS.ESME_ROK });
  }

  /** Sends an enquire_link, to show that the link works, and an unbind; neither changes the result. */
  private async farewell(): Promise<void> {
    await this.ask(makePdu('enquire_link', { sequence_number: 2 }), 'enquire_link_resp');
    await this.ask(makePdu('unbind', { sequence_number: 3 }), 'unbind_resp');
  }

  private ask(pdu: Pdu, answer: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, FAREWELL_MS);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.waitingFor = { command: answer, take: done };
      this.finish = done;
      if (this.socket === null || this.socket.destroyed) done();
      else this.write(pdu);
    });
  }

  private write(pdu: Pdu, shown = encodePdu(pdu)): void {
    this.note('out', shown);
    this.socket?.write(encodePdu(pdu));
  }

  private read(chunk: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    while (this.bytes.length >= 4) {
      const length = this.bytes.readUInt32BE(0);
      const isCommand = this.bytes.length < 8 || commandName(this.bytes.readUInt32BE(4)) !== undefined;
      if (length < HEADER_OCTETS || length > LONGEST_PDU || !isCommand) {
        // Octets that are not SMPP are not shown: the trial must not be usable to read other services.
        this.finish({ outcome: 'notSmpp', detail: null });
        this.socket?.destroy();
        return;
      }
      if (this.bytes.length < length) return;
      const octets = this.bytes.subarray(0, length);
      this.bytes = this.bytes.subarray(length);
      this.note('in', octets);
      this.take(octets);
    }
  }

  private take(octets: Buffer): void {
    const decoder = new PduDecoder({ maxPduOctets: LONGEST_PDU });
    decoder.push(octets);
    const decoded = decoder.next();
    const name = commandName(octets.readUInt32BE(4));
    // A generic_nack counts as the response to a bind.
    if (name === this.waitingFor?.command || name === 'generic_nack') {
      if (decoded?.kind === 'pdu') this.waitingFor?.take(decoded.pdu);
      else this.finish({ outcome: 'refused', detail: null, status: octets.readUInt32BE(8) });
      return;
    }
    if (decoded?.kind !== 'pdu' || isResponseId(COMMAND_ID[decoded.pdu.command])) return;
    const { command, sequence_number } = decoded.pdu;
    if (command === 'enquire_link' || command === 'unbind') this.write(makePdu(`${command}_resp`, { sequence_number }));
    else if (command === 'deliver_sm' || command === 'data_sm')
      this.write(makePdu(`${command}_resp`, { sequence_number, command_status: STATUS.ESME_RX_T_APPN }));
  }

  private note(direction: 'out' | 'in', octets: Buffer): void {
    if (this.trace.length >= SHOWN_PDUS) return;
    const commandId = octets.readUInt32BE(4);
    const status = isResponseId(commandId) ? octets.readUInt32BE(8) : null;
    this.trace.push({
      direction,
      atMs: this.elapsed(),
      command: commandName(commandId) ?? `0x${commandId.toString(16)}`,
      status,
      statusName: status === null ? null : statusName(status),
      sequence: octets.readUInt32BE(12),
      hex: this.masked(octets).subarray(0, SHOWN_OCTETS).toString('hex'),
    });
  }

  /** Masks octets, because a peer may echo what it was sent. */
  private masked(octets: Buffer): Buffer {
    const shown = Buffer.from(octets);
    if (this.password.length < 3) return shown;
    for (let at = shown.indexOf(this.password); at !== -1; at = shown.indexOf(this.password, at + 1))
      shown.fill('*', at, at + this.password.length);
    return shown;
  }

  private hide(text: string): string {
    return this.password.length < 3 ? text : text.replaceAll(this.options.password, MASK);
  }
}

const UNREACHABLE: readonly string[] = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EINVAL'];

function outcomeOf(code: string | undefined): BindOutcome {
  if (code === 'ECONNREFUSED') return 'connectionRefused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA') return 'hostNotFound';
  if (code === 'ETIMEDOUT') return 'connectTimeout';
  if (code !== undefined && UNREACHABLE.includes(code)) return 'unreachable';
  return code === undefined ? 'tlsFailed' : 'closed';
}
