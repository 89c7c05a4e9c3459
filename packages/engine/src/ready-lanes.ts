/** What was granted on one account and is not written yet, by lane; with how many parts. */
import type { SmsType } from '@pahatid/contract';
import { LANES } from './lane-queue.ts';
import { isUntouched, type Outgoing } from './outgoing.ts';

const laneOf = (outgoing: Outgoing): SmsType => outgoing.batch.claimed.lane;

export class ReadyLanes {
  /** Intent committed, not written. */
  private readonly lists = new Map<SmsType, Outgoing[]>(LANES.map((lane) => [lane, []]));
  /** Parts granted and not written, those whose intent is being committed among them. */
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
    this.lists.get(laneOf(outgoing))!.push(outgoing);
  }

  /** Before all others of its lane. */
  addFirst(outgoing: Outgoing): void {
    this.parts[laneOf(outgoing)] += outgoing.parts;
    this.lists.get(laneOf(outgoing))!.unshift(outgoing);
  }

  first(): Outgoing | null {
    for (const lane of LANES) {
      const first = this.lists.get(lane)![0];
      if (first !== undefined) return first;
    }
    return null;
  }

  /** Takes the first one, which is being written now. */
  takeFirst(outgoing: Outgoing): void {
    this.lists.get(laneOf(outgoing))!.shift();
    this.parts[laneOf(outgoing)] -= outgoing.parts;
  }

  /** Parts that could give way to codes. */
  get displaceable(): number {
    let sum = 0;
    for (const lane of [2, 3] as const) {
      for (const outgoing of this.lists.get(lane)!) if (isUntouched(outgoing)) sum += outgoing.parts;
    }
    return sum;
  }

  /** Takes out so many parts of other lanes than the codes', or what there is: the last of the lowest lane first. */
  displace(missing: number): Outgoing[] {
    const displaced: Outgoing[] = [];
    let left = missing;
    for (const lane of LANES.toReversed()) {
      const ready = this.lists.get(lane)!;
      while (lane !== 1 && left > 0 && ready.length > 0 && isUntouched(ready.at(-1)!)) {
        const outgoing = ready.pop()!;
        this.parts[lane] -= outgoing.parts;
        left -= outgoing.parts;
        displaced.push(outgoing);
      }
    }
    return displaced;
  }

  takeOut(isWanted: (outgoing: Outgoing) => boolean): Outgoing[] {
    const out: Outgoing[] = [];
    for (const [lane, list] of this.lists) {
      const keep: Outgoing[] = [];
      for (const outgoing of list) {
        if (isWanted(outgoing)) {
          out.push(outgoing);
          this.parts[lane] -= outgoing.parts;
        } else keep.push(outgoing);
      }
      this.lists.set(lane, keep);
    }
    return out;
  }
}
