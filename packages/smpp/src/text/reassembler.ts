import type { Concatenation } from './user-data.ts';

export type Reassembled<Part> =
  /** All parts are there, in order. */
  | { state: 'complete'; parts: Part[] }
  | { state: 'waiting'; missing: number }
  /** The same part again: acknowledge and forget it. */
  | { state: 'repeated' };

type Message<Part> = { parts: (Part | undefined)[]; missing: number };

export type ReassemblerOptions = {
  /** Maximum incomplete messages stored; the oldest is dropped. Default 10,000. */
  maxMessages?: number;
};

/**
 * Parts of messages → whole ones, in any order of arrival; in memory, for programs that may lose them. `key` identifies
 * sender and recipient; together with the reference and the number of parts it names the message, so a reference reused
 * with another total starts a new one.
 */
export class Reassembler<Part> {
  private readonly messages = new Map<string, Message<Part>>();
  private readonly maxMessages: number;

  constructor(options: ReassemblerOptions = {}) {
    this.maxMessages = options.maxMessages ?? 10_000;
  }

  get size(): number {
    return this.messages.size;
  }

  add(key: string, at: Concatenation, part: Part): Reassembled<Part> {
    if (at.total === 1) return { state: 'complete', parts: [part] };
    const name = `${key}\0${at.referenceBits}\0${at.reference}\0${at.total}`;
    const message = this.messages.get(name) ?? this.start(name, at.total);
    if (message.parts[at.sequence - 1] !== undefined) return { state: 'repeated' };
    message.parts[at.sequence - 1] = part;
    message.missing--;
    if (message.missing > 0) return { state: 'waiting', missing: message.missing };
    this.messages.delete(name);
    return { state: 'complete', parts: message.parts as Part[] };
  }

  private start(name: string, total: number): Message<Part> {
    if (this.messages.size >= this.maxMessages) {
      for (const oldest of this.messages.keys()) {
        this.messages.delete(oldest);
        break;
      }
    }
    const message = { parts: new Array<Part | undefined>(total).fill(undefined), missing: total };
    this.messages.set(name, message);
    return message;
  }
}
