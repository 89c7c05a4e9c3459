/** What a customer's messages of one day add up to, as far as it is compared over many days; a seal stores it. */

import { toWeight } from '@pahatid/db/queries/ledger-folding';
import type { BatchFacts, MessageSums } from '@pahatid/db/queries/verify/batches';
import type { DayOfCharges } from '@pahatid/db/queries/verify/counters';
import type { Seal } from '@pahatid/db/queries/verify/seals';
import { DerivedTasks } from './check-tasks.ts';

export class DaySums {
  readonly tasks: DerivedTasks;
  messages = 0;
  checksum = 0n;
  /** Nothing waits or is being sent. */
  isSettled = true;
  /** Charged for its messages, 1/10,000 PHP. */
  private cost = 0n;
  private weighted = 0n;
  private segments = 0n;

  constructor(tasks: DerivedTasks = new DerivedTasks()) {
    this.tasks = tasks;
  }

  static fromSeal({ messages, checksum, cost, weighted, segments, awaited, tasks }: Seal): DaySums {
    const sums = new DaySums(DerivedTasks.fromJson(tasks, awaited));
    return Object.assign(sums, { messages, checksum, cost, weighted, segments });
  }

  addBatch(batch: BatchFacts): void {
    this.tasks.addBatch(batch);
  }

  add(sums: MessageSums): void {
    this.tasks.add(sums);
    this.messages += sums.rows;
    this.checksum ^= sums.checksum;
    if (sums.waiting + sums.sending > 0) this.isSettled = false;
    // What lies in no batch is charged under its own id.
    const cost = BigInt(sums.charged);
    this.cost += cost;
    this.weighted += cost * toWeight(sums.batchId ?? sums.firstId);
    if (sums.charged !== 0) this.segments += BigInt(sums.paidSegments);
  }

  charges(day: number): DayOfCharges {
    const { cost, weighted, segments } = this;
    return { day, cost, weighted, segments };
  }

  toSeal(day: number, fingerprint: string): Seal {
    const { messages, checksum, cost, weighted, segments, tasks } = this;
    return {
      day,
      fingerprint,
      messages,
      checksum,
      cost,
      weighted,
      segments,
      awaited: tasks.awaited,
      tasks: tasks.toJson(),
    };
  }
}
