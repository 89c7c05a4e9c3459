import type { ResponseName, ResponsePdu } from '../codec/field-specs.ts';

/** Called with what came of a request of the session's own (bind, unbind); undefined when nothing will. */
export type ControlDone = (status: number | undefined, pdu: ResponsePdu | undefined) => void;

export type PendingRequest<Token> = {
  token: Token | undefined;
  /** Set for the session's own requests, which take no slot of the window. */
  control: ControlDone | undefined;
  response: ResponseName;
  dueAt: number;
};

/** Responses that may still arrive after their request timed out; beyond this the oldest are dropped. */
const OVERDUE_LIMIT = 100_000;
const MAX_SEQUENCE = 0x7fffffff;

/**
 * Requests sent and not answered, by sequence number. All wait equally long, so they fall due in the order they were sent,
 * which is the order a Map keeps.
 */
export class PendingRequests<Token> {
  private readonly pending = new Map<number, PendingRequest<Token>>();
  private readonly overdue = new Map<number, PendingRequest<Token>>();
  private last: number;
  private controls = 0;

  constructor(lastSequence = 0) {
    this.last = lastSequence;
  }

  /** How many take a slot of the window. */
  get size(): number {
    return this.pending.size - this.controls;
  }

  /**
   * Returns 1 to 0x7FFFFFFF and then 1 again (SMPP 3.4 §3.2), skipping numbers for which a response may still arrive.
   */
  nextSequence(): number {
    do this.last = this.last === MAX_SEQUENCE ? 1 : this.last + 1;
    while (this.pending.has(this.last) || this.overdue.has(this.last));
    return this.last;
  }

  add(sequence: number, request: PendingRequest<Token>): void {
    this.pending.set(sequence, request);
    if (request.control !== undefined) this.controls++;
  }

  /** Removes and returns the request a response belongs to; `undefined` if there is none. generic_nack matches any. */
  take(sequence: number, response: ResponseName): { request: PendingRequest<Token>; late: boolean } | undefined {
    const late = !this.pending.has(sequence);
    const request = late ? this.overdue.get(sequence) : this.pending.get(sequence);
    if (request === undefined) return undefined;
    if (response !== request.response && response !== 'generic_nack') return undefined;
    if (late) this.overdue.delete(sequence);
    else this.remove(sequence, request);
    return { request, late };
  }

  /** When the oldest falls due, or Infinity. */
  dueAt(): number {
    for (const request of this.pending.values()) return request.dueAt;
    return Number.POSITIVE_INFINITY;
  }

  /** Returns those due by now. Their late responses are still recognized afterwards. */
  takeDue(now: number): PendingRequest<Token>[] {
    const due: PendingRequest<Token>[] = [];
    for (const [sequence, request] of this.pending) {
      if (request.dueAt > now) break;
      this.remove(sequence, request);
      this.overdue.set(sequence, request);
      due.push(request);
    }
    for (const sequence of this.overdue.keys()) {
      if (this.overdue.size <= OVERDUE_LIMIT) break;
      this.overdue.delete(sequence);
    }
    return due;
  }

  /** Removes and returns all that are neither answered nor due. */
  takeAll(): PendingRequest<Token>[] {
    const all = [...this.pending.values()];
    this.pending.clear();
    this.overdue.clear();
    this.controls = 0;
    return all;
  }

  private remove(sequence: number, request: PendingRequest<Token>): void {
    this.pending.delete(sequence);
    if (request.control !== undefined) this.controls--;
  }
}
