/**
 * The octet stream of one connection → PDUs (SMPP 3.4 §3.2). Octets go in by `push`, outcomes come out of `next`, one
 * at a time, so that a reader with no room for more work can stop between two PDUs. Nothing here throws: data sent by
 * peers is an outcome, not an exception. There are four outcomes:
 *
 *   pdu              whole and well formed; `problems` notes what was tolerated
 *   malformed        the body is not, the stream is: send `status` and go on (exactly command_length octets are used)
 *   unknown_command  skipped; a request gets generic_nack ESME_RINVCMDID, a response is ignored
 *   broken           command_length is wrong, so no later PDU can be found: generic_nack ESME_RINVCMDLEN and close
 */
import { BodyReader, NO_PROBLEMS } from './body-reader.ts';
import { type CommandName, commandName } from './commands.ts';
import { decodeBody } from './decode-body.ts';
import type { Pdu } from './field-specs.ts';

export type Decoded =
  | { kind: 'pdu'; pdu: Pdu; problems: readonly string[] }
  | {
      kind: 'malformed';
      command: CommandName;
      command_status: number;
      sequence_number: number;
      /** The command_status to send in response to a request. */
      status: number;
      detail: string;
      /** All mandatory fields and the TLVs before the fault, when only a TLV is at fault: a receipt's text is still good. */
      mandatory: Pdu | undefined;
    }
  | { kind: 'unknown_command'; command_id: number; command_status: number; sequence_number: number }
  | { kind: 'broken'; command_length: number; sequence_number: number };

export type DecoderOptions = {
  /** Largest command_length accepted; 1 KiB before a bind and 64 KiB after it are usual. May be changed later. */
  maxPduOctets?: number;
  /** A TLV integer of a wrong length is malformed (a server to customers) rather than ignored (a client of carriers). */
  strictTlvs?: boolean;
};

const HEADER_OCTETS = 16;
const NO_OCTETS = Buffer.alloc(0);

export class PduDecoder {
  maxPduOctets: number;
  private readonly strict: boolean;
  private readonly reader = new BodyReader();
  private bytes: Buffer = NO_OCTETS;
  private position = 0;
  /** Chunks after `bytes`, joined only once they complete a PDU: a PDU in a thousand chunks costs one copy. */
  private waiting: Buffer[] = [];
  private waitingOctets = 0;
  private broken: Decoded | undefined = undefined;

  constructor(options: DecoderOptions = {}) {
    this.maxPduOctets = options.maxPduOctets ?? 65_536;
    this.strict = options.strictTlvs ?? false;
  }

  /** Octets received and not yet part of an outcome. */
  get pendingOctets(): number {
    return this.bytes.length - this.position + this.waitingOctets;
  }

  /** The chunk is retained, not copied: its memory must not be reused while a PDU from it is in use. */
  push(chunk: Buffer): void {
    if (this.position === this.bytes.length && this.waitingOctets === 0) {
      this.bytes = chunk;
      this.position = 0;
    } else {
      this.waiting.push(chunk);
      this.waitingOctets += chunk.length;
    }
  }

  /** Returns the next outcome, or undefined if more octets are needed. After `broken` it returns `broken` forever. */
  next(): Decoded | undefined {
    if (this.broken !== undefined) return this.broken;
    if (!this.has(4)) return undefined;
    const length = this.bytes.readUInt32BE(this.position);
    if (length < HEADER_OCTETS || length > this.maxPduOctets) {
      // The sequence number is there to be quoted only if the header happens to be whole.
      const sequence_number = this.has(HEADER_OCTETS) ? this.bytes.readUInt32BE(this.position + 12) : 0;
      this.broken = { kind: 'broken', command_length: length, sequence_number };
      return this.broken;
    }
    if (!this.has(length)) return undefined;
    const start = this.position;
    this.position = start + length;
    return this.decodeOne(start, start + length);
  }

  private decodeOne(start: number, end: number): Decoded {
    const { bytes, reader } = this;
    const command_id = bytes.readUInt32BE(start + 4);
    const command_status = bytes.readUInt32BE(start + 8);
    const sequence_number = bytes.readUInt32BE(start + 12);
    const command = commandName(command_id);
    if (command === undefined) return { kind: 'unknown_command', command_id, command_status, sequence_number };
    reader.open(bytes, start + HEADER_OCTETS, end);
    const pdu = decodeBody(reader, command, command_status, sequence_number, this.strict);
    const fault = reader.fault;
    if (fault === undefined) return { kind: 'pdu', pdu, problems: reader.problems ?? NO_PROBLEMS };
    return {
      kind: 'malformed',
      command,
      command_status,
      sequence_number,
      status: fault.status,
      detail: fault.detail,
      mandatory: fault.inTlvs ? pdu : undefined,
    };
  }

  private has(octets: number): boolean {
    const left = this.bytes.length - this.position;
    if (left >= octets) return true;
    if (left + this.waitingOctets < octets) return false;
    this.bytes = Buffer.concat([this.bytes.subarray(this.position), ...this.waiting]);
    this.position = 0;
    this.waiting = [];
    this.waitingOctets = 0;
    return true;
  }
}
