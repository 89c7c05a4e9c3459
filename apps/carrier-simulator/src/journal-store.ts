/**
 * Every submit that a carrier received, in order of arrival, as compact records in blocks of 1 MiB outside the
 * JavaScript heap: a million short messages take about 120 MB and cost the garbage collector nothing. Beyond
 * `maxRecords` the oldest blocks are dropped; the counters, which are stored elsewhere, are not.
 */
import { type DefaultAlphabet, decodeText, readDataCoding } from '@pahatid/smpp';

export type JournalEntry = {
  /** Number of the record, from 0; a cursor for reading on. */
  at: number;
  carrier: string;
  /** ISO 8601, UTC. */
  time: string;
  /** command_status of the response, whether or not the response was received. */
  status: number;
  /** Empty when refused. */
  id: string;
  source: string;
  destination: string;
  dataCoding: number;
  text: string;
  /** Of a concatenated message: which part of how many, and the reference that joins them. */
  part: number;
  parts: number;
  reference: number;
};

export type JournalRecord = Omit<JournalEntry, 'at' | 'carrier' | 'time' | 'text'> & {
  carrierIndex: number;
  timeMs: number;
  /** What data_coding 0 was then. */
  alphabet: DefaultAlphabet;
  octets: Buffer;
};

type Block = { bytes: Buffer; end: number; first: number; count: number };

const BLOCK_OCTETS = 1_048_576;
/** length, time, status, carrier, data_coding, part, parts, reference, alphabet; then four strings with their lengths. */
const FIXED_OCTETS = 2 + 8 + 4 + 1 + 1 + 1 + 1 + 2 + 1;
const ALPHABETS: readonly DefaultAlphabet[] = ['gsm7', 'latin1', 'ascii'];

export class JournalStore {
  private blocks: Block[] = [];
  private next = 0;
  private readonly maxRecords: number;
  private readonly carriers: readonly string[];

  constructor(carriers: readonly string[], maxRecords: number) {
    this.carriers = carriers;
    this.maxRecords = maxRecords;
  }

  /** Number of records ever written. */
  get length(): number {
    return this.next;
  }

  append(record: JournalRecord): void {
    const { id, source, destination, octets } = record;
    const size = FIXED_OCTETS + 3 + id.length + source.length + destination.length + 2 + octets.length;
    const block = this.blockFor(size);
    const { bytes } = block;
    let at = bytes.writeUInt16LE(size, block.end);
    at = bytes.writeDoubleLE(record.timeMs, at);
    at = bytes.writeUInt32LE(record.status, at);
    bytes[at++] = record.carrierIndex;
    bytes[at++] = record.dataCoding;
    bytes[at++] = record.part;
    bytes[at++] = record.parts;
    at = bytes.writeUInt16LE(record.reference, at);
    bytes[at++] = ALPHABETS.indexOf(record.alphabet);
    at = writeShort(bytes, at, id);
    at = writeShort(bytes, at, source);
    at = writeShort(bytes, at, destination);
    at = bytes.writeUInt16LE(octets.length, at);
    bytes.set(octets, at);
    block.end += size;
    block.count++;
    this.next++;
  }

  /** Records from `from` on, as many as are asked for. */
  *read(from = 0): Generator<JournalEntry> {
    for (const block of this.blocks) {
      if (block.first + block.count <= from) continue;
      let number = block.first;
      for (let at = 0; at < block.end; at += block.bytes.readUInt16LE(at), number++) {
        if (number >= from) yield this.readEntry(block.bytes, at, number);
      }
    }
  }

  clear(): void {
    this.blocks = [];
    this.next = 0;
  }

  private blockFor(size: number): Block {
    const last = this.blocks.at(-1);
    if (last !== undefined && last.end + size <= BLOCK_OCTETS) return last;
    const block = { bytes: Buffer.allocUnsafeSlow(BLOCK_OCTETS), end: 0, first: this.next, count: 0 };
    this.blocks.push(block);
    while (this.blocks.length > 1 && this.next - this.blocks[1]!.first >= this.maxRecords) this.blocks.shift();
    return block;
  }

  private readEntry(bytes: Buffer, start: number, number: number): JournalEntry {
    let at = start + FIXED_OCTETS;
    const readShort = () => {
      const length = bytes[at]!;
      at += 1 + length;
      return bytes.toString('latin1', at - length, at);
    };
    const [id, source, destination] = [readShort(), readShort(), readShort()];
    const octets = bytes.subarray(at + 2, at + 2 + bytes.readUInt16LE(at));
    const dataCoding = bytes[start + 15]!;
    return {
      at: number,
      carrier: this.carriers[bytes[start + 14]!] ?? '',
      time: new Date(bytes.readDoubleLE(start + 2)).toISOString(),
      status: bytes.readUInt32LE(start + 10),
      id,
      source,
      destination,
      dataCoding,
      text: textOf(octets, dataCoding, ALPHABETS[bytes[start + 20]!]!),
      part: bytes[start + 16]!,
      parts: bytes[start + 17]!,
      reference: bytes.readUInt16LE(start + 18),
    };
  }
}

/** Octets that are no text are shown in hex. */
export function textOf(octets: Buffer, dataCoding: number, alphabet: DefaultAlphabet): string {
  return decodeText(octets, readDataCoding(dataCoding, alphabet).alphabet) ?? octets.toString('hex');
}

function writeShort(bytes: Buffer, at: number, text: string): number {
  bytes[at] = text.length;
  return at + 1 + bytes.write(text, at + 1, text.length, 'latin1');
}
