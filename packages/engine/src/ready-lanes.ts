/** Messages granted on one account and not yet written, by lane; with their number of parts. */
import { SmsType } from '@pahatid/contract/enums';
import { LANES } from './lane-queue.ts';
import { isUntouched, type Outgoing } from './outgoing.ts';

/** What is begun is completed first; the batch of another process takes nothing back. */
const canGiveWay = (outgoing: Outgoing): boolean => isUntouched(outgoing) && !outgoing.batch.lost;

const laneOf = (outgoing: Outgoing): SmsType => outgoing.batch.claimed.lane;

export class ReadyLanes {
  /** Intent committed, not written. */
  private readonly lists: Record<SmsType, Outgoing[]> = { 1: [], 2: [], 3: [] };
  /** Parts granted and not written, including those whose intent is being committed. */
  private readonly parts: Record<SmsType, number> = { 1: 0, 2: 0, 3: 0 };

  partsOf(lane: SmsType): number {
    return this.parts[lane];
  }

  /** Parts of this lane and of those before it. */
  partsUpTo(lane: SmsType): number {
    let sum = 0;
    for (const each of LANES) if (each <= lane) sum += this.parts[each];
    return sum;
  }

  /** Granted: its intent is about to be committed. */
  expect(outgoing: Outgoing): void {
    this.parts[laneOf(outgoing)] += outgoing.parts;
  }

  /** Expected, and not to be written after all. */
  cancel(outgoing: Outgoing): void {
    this.parts[laneOf(outgoing)] -= outgoing.parts;
  }

  /** Its intent is committed. */
  add(outgoing: Outgoing): void {
    this.lists[laneOf(outgoing)].push(outgoing);
  }

  /** Before all others of its lane. */
  addFirst(outgoing: Outgoing): void {
    this.parts[laneOf(outgoing)] += outgoing.parts;
    this.lists[laneOf(outgoing)].unshift(outgoing);
  }

  first(): Outgoing | null {
    for (const lane of LANES) {
      const first = this.lists[lane][0];
      if (first !== undefined) return first;
    }
    return null;
  }

  /** Takes the first one, which is being written now. */
  takeFirst(outgoing: Outgoing): void {
    this.lists[laneOf(outgoing)].shift();
    this.parts[laneOf(outgoing)] -= outgoing.parts;
  }

  /** Parts that could give way to codes. */
  get displaceable(): number {
    let sum = 0;
    for (const lane of [2, 3] as const) {
      for (const outgoing of this.lists[lane]) if (canGiveWay(outgoing)) sum += outgoing.parts;
    }
    return sum;
  }

  /**
   * Removes and returns this many parts of lanes other than the codes', or as many as there are: the last of the lowest
   * lane first.
   */
  displace(missing: number): Outgoing[] {
    const displaced: Outgoing[] = [];
    let left = missing;
    for (const lane of LANES.toReversed()) {
      const ready = this.lists[lane];
      while (lane !== SmsType.Verification && left > 0) {
        const outgoing = ready.at(-1);
        if (outgoing === undefined || !canGiveWay(outgoing)) break;
        ready.pop();
        this.parts[lane] -= outgoing.parts;
        left -= outgoing.parts;
        displaced.push(outgoing);
      }
    }
    return displaced;
  }

  takeOut(isWanted: (outgoing: Outgoing) => boolean): Outgoing[] {
    const out: Outgoing[] = [];
    for (const lane of LANES) {
      const keep: Outgoing[] = [];
      for (const outgoing of this.lists[lane]) {
        if (isWanted(outgoing)) {
          out.push(outgoing);
          this.parts[lane] -= outgoing.parts;
        } else keep.push(outgoing);
      }
      this.lists[lane] = keep;
    }
    return out;
  }
}
