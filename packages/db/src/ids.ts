/**
 * IDs. Control rows have UUIDv7, which sort by creation time.
 * Message IDs are 59 bits: 41 of milliseconds since 2025-01-01 UTC, 8 of a leased writer number, 10 of a counter, so
 * below 10^18, at most 18 digits: public ID, SMPP message_id and partition key in one.
 */
import { randomBytes } from 'node:crypto';

/** 2025-01-01T00:00:00Z in Unix milliseconds: the zero of message ids. */
export const messageIdEpochMs = 1_735_689_600_000;
const writerBits = 8n;
const counterBits = 10n;
/** Ids that one writer has in one millisecond. */
const idsPerMs = 1024;

/** Of the last id made by the clock: those of one millisecond count on. */
let last = { ms: 0, counter: 0 };
const uuidCounterMax = 0xfff;

/**
 * RFC 9562 §5.7: 48 bits of Unix milliseconds, 12 of a counter within one (§6.2, method 1; it begins in the lower half),
 * then random ones. Those of one process are in the order of their making, as long as its clock does not go back.
 */
export const uuidV7 = (nowMs: number = Date.now()): string => {
  const bytes = randomBytes(16);
  // No process creates 2,000 of them in a millisecond; at its maximum the counter stops, and the random part decides.
  const counter =
    last.ms === nowMs ? Math.min(last.counter + 1, uuidCounterMax) : bytes.readUInt16BE(6) & (uuidCounterMax >> 1);
  last = { ms: nowMs, counter };
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Smallest id that `uuidV7` can make at or after a millisecond; for ranges of time over ids. */
export const uuidFloor = (unixMs: number): string => {
  const hex = Math.min(2 ** 48 - 1, Math.max(0, Math.floor(unixMs)))
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

/** When an id of `uuidV7` was made, Unix milliseconds. */
export const uuidMs = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** First id of a millisecond of one writer. */
export const messageIdAt = (unixMs: number, writer: number, counter = 0): bigint =>
  (BigInt(unixMs - messageIdEpochMs) << (writerBits + counterBits)) | (BigInt(writer) << counterBits) | BigInt(counter);

/** Milliseconds that 41 bits hold: until 2094. */
const maxMs = 2 ** 41;

/**
 * Smallest id that a message accepted at or after `unixMs` can have; for ranges of time. What lies past all ids (a
 * person may ask for the year 9999) stays within what the database's bigint holds.
 */
export const messageIdFloor = (unixMs: number): bigint =>
  BigInt(Math.min(maxMs, Math.max(0, Math.floor(unixMs) - messageIdEpochMs))) << (writerBits + counterBits);

/** When a message was accepted, Unix milliseconds, read off its id. */
export const messageIdMs = (id: bigint | string): number =>
  Number(BigInt(id) >> (writerBits + counterBits)) + messageIdEpochMs;

/**
 * The lowest and the highest of these IDs, for a condition that leaves the partitions of other weeks out of a plan: what is
 * compared with a column of another table is known only while the statement runs.
 */
export const idBounds = (ids: readonly bigint[]): [low: string, high: string] => {
  let [low = 0n, high = 0n] = [ids[0], ids[0]];
  for (const id of ids) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [String(low), String(high)];
};

/**
 * Allocates IDs of one writer. A run of IDs has no gap, because a batch is addressed by its first ID and a count: a run
 * that does not fit into the rest of the millisecond uses the next one, ahead of the clock if necessary.
 */
export class MessageIdSource {
  readonly #writer: number;
  readonly #now: () => number;
  #ms: number;
  #next = idsPerMs;

  /** `floorMs`: ids start after this millisecond (the last that an owner before may have used). */
  constructor(writer: number, floorMs: number, now: () => number = Date.now) {
    if (!Number.isInteger(writer) || writer < 0 || writer > 255) throw new RangeError(`writer ${writer}`);
    this.#writer = writer;
    this.#now = now;
    this.#ms = floorMs;
  }

  get writer(): number {
    return this.#writer;
  }

  /** The millisecond up to which IDs may have been allocated; must be stored with the lease. */
  get lastMs(): number {
    return this.#ms;
  }

  /** Returns the first of `count` consecutive IDs; at most 1,024. */
  take(count: number): bigint {
    if (count < 1 || count > idsPerMs) throw new RangeError(`cannot take ${count} ids at once`);
    const now = this.#now();
    if (now > this.#ms) {
      this.#ms = now;
      this.#next = 0;
    } else if (this.#next + count > idsPerMs) {
      this.#ms += 1;
      this.#next = 0;
    }
    const first = messageIdAt(this.#ms, this.#writer, this.#next);
    this.#next += count;
    return first;
  }
}
