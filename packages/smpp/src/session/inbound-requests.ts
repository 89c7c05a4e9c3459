import type { RequestName } from '../codec/field-specs.ts';

/**
 * Requests of the peer that this side has not answered. Sequence numbers are the peer's affair: some send the same one
 * for everything, so each number may be open several times.
 */
export class InboundRequests {
  private readonly open = new Map<number, RequestName>();
  private readonly repeated = new Map<number, RequestName[]>();
  private repeatedCount = 0;

  get size(): number {
    return this.open.size + this.repeatedCount;
  }

  add(sequence: number, command: RequestName): void {
    if (!this.open.has(sequence)) {
      this.open.set(sequence, command);
      return;
    }
    const more = this.repeated.get(sequence);
    if (more === undefined) this.repeated.set(sequence, [command]);
    else more.push(command);
    this.repeatedCount++;
  }

  /** Returns the open request with that number, oldest first; undefined if there is none. */
  take(sequence: number): RequestName | undefined {
    const command = this.open.get(sequence);
    if (command === undefined) return undefined;
    const more = this.repeatedCount === 0 ? undefined : this.repeated.get(sequence);
    if (more === undefined) {
      this.open.delete(sequence);
      return command;
    }
    this.open.set(sequence, more.shift()!);
    this.repeatedCount--;
    if (more.length === 0) this.repeated.delete(sequence);
    return command;
  }

  clear(): void {
    this.open.clear();
    this.repeated.clear();
    this.repeatedCount = 0;
  }
}
