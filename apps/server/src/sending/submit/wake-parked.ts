/**
 * Makes parked batches ready when their reason has ended: the clock of quiet hours and of messages for later, and the
 * safety net for what ends by an action. The action wakes some in its own transaction; here the rest is woken, and what
 * was parked in the moment of the action. Every sender and the jobs run it; each batch is woken by one of them.
 */
import {
  findEnded,
  KEYS_AT_ONCE,
  type KeyedReason,
  listKeys,
  listReasons,
  wakeBatches,
  wakeDue,
} from '@pahatid/db/queries/batch-parking';
import { readDbMs } from '@pahatid/db/queries/task-running';
import { manilaHour, ParkReason } from '@pahatid/domain';
import type { Pool } from 'pg';

const REASONS: readonly KeyedReason[] = [
  ParkReason.Customer,
  ParkReason.Application,
  ParkReason.Task,
  ParkReason.QuietHours,
  ParkReason.Supplier,
];

export class ParkedWaker {
  private readonly pool: Pool;
  private readonly offsetMs: number;
  /** The last key looked at by reason, if there are more than one look takes. */
  private readonly cursors = new Map<KeyedReason, string>();

  constructor(pool: Pool, offsetMs = 0) {
    this.pool = pool;
    this.offsetMs = offsetMs;
  }

  /**
   * Wakes some of each reason and returns how many: call again while there are any. Most of the time nothing is parked,
   * which one statement shows.
   */
  async step(): Promise<number> {
    const present = await listReasons(this.pool);
    const keyed = REASONS.filter((reason) => present.has(reason));
    for (const reason of this.cursors.keys()) if (!present.has(reason)) this.cursors.delete(reason);
    let woken = present.has(ParkReason.Time) ? await wakeDue(this.pool) : 0;
    if (keyed.length === 0) return woken;
    const hour = manilaHour(await readDbMs(this.pool, this.offsetMs));
    for (const reason of keyed) woken += await this.wakeEnded(reason, hour);
    return woken;
  }

  private async wakeEnded(reason: KeyedReason, hour: number): Promise<number> {
    const keys = await listKeys(this.pool, reason, this.cursors.get(reason) ?? '');
    const last = keys.length === KEYS_AT_ONCE ? keys.at(-1) : undefined;
    if (last === undefined) this.cursors.delete(reason);
    else this.cursors.set(reason, last);
    return await wakeBatches(this.pool, reason, await findEnded(this.pool, reason, keys, hour));
  }
}
