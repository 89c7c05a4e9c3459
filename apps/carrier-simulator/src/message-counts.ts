/**
 * How many copies of each message a carrier accepted, which proves "lost 0, twice 0". A message is its source,
 * destination and whole text; parts are joined by their reference first. Stored as 53-bit hashes in typed arrays.
 */
import { type Concatenation, Reassembler } from '@pahatid/smpp';
import { NumberCounter } from './number-counter.ts';

export type MessageTotals = {
  /** Accepted submit_sm, parts counted one by one. */
  submits: number;
  /** Accepted messages, parts joined. */
  messages: number;
  /** Different ones among them. */
  unique: number;
  /** Copies beyond the first of each. */
  duplicates: number;
  /** Messages of which parts are missing so far. */
  incomplete: number;
  destinations: number;
};

export class MessageCounts {
  private readonly byMessage = new NumberCounter();
  private readonly byDestination = new NumberCounter();
  /** Destinations that are not numbers of at most 15 digits. */
  private readonly byName = new Map<string, number>();
  private reassembler = newReassembler();
  private submits = 0;
  private messages = 0;
  private duplicates = 0;

  /** Counts an accepted submit. Returns how many messages the destination has received, including this one. */
  add(source: string, destination: string, octets: Buffer, concatenation: Concatenation | undefined): number {
    this.submits++;
    if (concatenation === undefined || concatenation.total === 1) return this.addMessage(source, destination, [octets]);
    // Network buffers are not retained: a few octets would pin 64 KiB.
    const part = Buffer.from(octets);
    const joined = this.reassembler.add(`${source}>${destination}`, concatenation, part);
    if (joined.state === 'complete') return this.addMessage(source, destination, joined.parts);
    return this.copiesTo(destination);
  }

  copiesTo(destination: string): number {
    const key = numberOf(destination);
    return key === undefined ? (this.byName.get(destination) ?? 0) : this.byDestination.get(key);
  }

  /** Destinations with at least that many messages. */
  *destinations(minCopies: number): Generator<{ destination: string; copies: number }> {
    for (const [key, copies] of this.byDestination.entries()) {
      if (copies >= minCopies) yield { destination: String(key), copies };
    }
    for (const [destination, copies] of this.byName) if (copies >= minCopies) yield { destination, copies };
  }

  totals(): MessageTotals {
    return {
      submits: this.submits,
      messages: this.messages,
      unique: this.byMessage.size,
      duplicates: this.duplicates,
      incomplete: this.reassembler.size,
      destinations: this.byDestination.size + this.byName.size,
    };
  }

  clear(): void {
    this.byMessage.clear();
    this.byDestination.clear();
    this.byName.clear();
    this.reassembler = newReassembler();
    this.submits = 0;
    this.messages = 0;
    this.duplicates = 0;
  }

  private addMessage(source: string, destination: string, parts: readonly Buffer[]): number {
    this.messages++;
    if (this.byMessage.add(hash53(source, destination, parts)) > 1) this.duplicates++;
    const key = numberOf(destination);
    if (key !== undefined) return this.byDestination.add(key);
    const copies = (this.byName.get(destination) ?? 0) + 1;
    this.byName.set(destination, copies);
    return copies;
  }
}

function newReassembler(): Reassembler<Buffer> {
  return new Reassembler<Buffer>({ maxMessages: 100_000 });
}

/** Without a leading zero, which a number would lose. */
function numberOf(destination: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(destination) ? Number(destination) : undefined;
}

function hash53(source: string, destination: string, parts: readonly Buffer[]): number {
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  const mix = (octet: number) => {
    a = Math.imul(a ^ octet, 0x01000193);
    b = Math.imul(b + octet + 1, 0xcc9e2d51);
    b ^= b >>> 15;
  };
  for (let i = 0; i < source.length; i++) mix(source.charCodeAt(i));
  mix(0x100);
  for (let i = 0; i < destination.length; i++) mix(destination.charCodeAt(i));
  mix(0x100);
  for (const part of parts) for (let i = 0; i < part.length; i++) mix(part[i]!);
  return (a >>> 0) * 0x200000 + ((b >>> 0) & 0x1fffff);
}
