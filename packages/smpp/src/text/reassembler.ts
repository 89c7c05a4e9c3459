import type { Concatenation } from './user-data.ts';

export type Reassembled<Part> =
  /** All parts are there, in order. */
  | { state: 'complete'; parts: Part[] }
  | { state: 'waiting'; missing: number }
  /** The same part again: acknowledge and forget it. */
  | { state: 'repeated' };

type Message<Part> = { parts: (Part | undefined)[]; missing: number; startedAt: number };

export type ReassemblerOptions = {
  /** How long parts wait for the others. Default 24 hours: a phone may be out of reach between two parts. */
  timeoutMs?: number;
  /** Incomplete messages kept, at most; the oldest gives way. Default 10,000. */
  maxMessages?: number;
};

/**
 * Parts of inbound messages → whole ones, whatever order they come in. `key` is who sent it to whom; together with the
 * reference and the number of parts it names the message, so a reference used again with another total starts anew.
 */
export class Reassembler<Part> {
  private readonly messages = new Map<string, Message<Part>>();
  private readonly timeoutMs: number;
  private readonly maxMessages: number;

  constructor(options: ReassemblerOptions = {}) {
    this.timeoutMs = options.timeoutMs ?? 86_400_000;
    this.maxMessages = options.maxMessages ?? 10_000;
  }

  get size(): number {
    return this.messages.size;
  }

  add(key: string, at: Concatenation, part: Part, now: number): Reassembled<Part> {
    if (at.total === 1) return { state: 'complete', parts: [part] };
    const name = `${key}\0${at.referenceBits}\0${at.reference}\0${at.total}`;
    const message = this.messages.get(name) ?? this.start(name, at.total, now);
    if (message.parts[at.sequence - 1] !== undefined) return { state: 'repeated' };
    message.parts[at.sequence - 1] = part;
    message.missing--;
    if (message.missing > 0) return { state: 'waiting', missing: message.missing };
    this.messages.delete(name);
    return { state: 'complete', parts: message.parts as Part[] };
  }

  /** Gives up what has waited too long and returns its parts, in order and with gaps left out. */
  expire(now: number): Part[][] {
    const expired: Part[][] = [];
    for (const [name, message] of this.messages) {
      if (message.startedAt + this.timeoutMs > now) break;
      this.messages.delete(name);
      expired.push(present(message));
    }
    return expired;
  }

  private start(name: string, total: number, now: number): Message<Part> {
    if (this.messages.size >= this.maxMessages) {
      for (const oldest of this.messages.keys()) {
        this.messages.delete(oldest);
        break;
      }
    }
    const message = { parts: new Array<Part | undefined>(total).fill(undefined), missing: total, startedAt: now };
    this.messages.set(name, message);
    return message;
  }
}

function present<Part>(message: Message<Part>): Part[] {
  return message.parts.filter((part) => part !== undefined) as Part[];
}
