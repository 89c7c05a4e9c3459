/**
 * Rate limits over all api processes and machines: each writes to the database twice a second how many calls of a busy
 * caller it admitted, and charges those that the others admitted. A steady caller gets what its limit says, whichever
 * processes it reaches; a sudden burst may get its burst from each process, and waits for it afterwards.
 */
import { uuidV7 } from '@pahatid/db';
import { exchangeCallCounts, sweepCallCounts } from '@pahatid/db/queries/call-counts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { reportChanges } from '../process/report-changes.ts';
import type { RateLimiter } from './rate-limit.ts';

export const SHARED_EVERY_MS = 500;
const SWEPT_EVERY_MS = 60_000;
/** Longer than a row of another process is heard. */
const FORGOTTEN_AFTER_MS = 10_000;

export class CallCounts {
  private readonly limiter: RateLimiter;
  private readonly control: Pool;
  private readonly processId = uuidV7();
  /** By key and process: how much of its count was charged here. */
  private readonly charged = new Map<string, { counted: number; atMs: number }>();
  private sweptMs = performance.now();

  constructor(limiter: RateLimiter, control: Pool) {
    this.limiter = limiter;
    this.control = control;
  }

  async exchange(): Promise<void> {
    const counts = this.limiter.takeCounts();
    if (counts.length > 0) {
      const others = await exchangeCallCounts(this.control, this.processId, counts);
      for (const { key, processId, counted, added } of others) {
        const name = `${key} ${processId}`;
        const before = this.charged.get(name)?.counted;
        this.charged.set(name, { counted, atMs: performance.now() });
        this.limiter.charge(key, before === undefined || before > counted ? added : counted - before);
      }
    }
    await this.sweep();
  }

  private async sweep(): Promise<void> {
    const now = performance.now();
    for (const [name, { atMs }] of this.charged) if (now - atMs > FORGOTTEN_AFTER_MS) this.charged.delete(name);
    if (now - this.sweptMs < SWEPT_EVERY_MS) return;
    this.sweptMs = now;
    await sweepCallCounts(this.control);
  }
}

/** Returns a function that ends it. */
export function shareCallCounts(limiter: RateLimiter, control: Pool, log: Logger): () => Promise<void> {
  const counts = new CallCounts(limiter, control);
  const failures = reportChanges((err) => log.warn({ err }, 'calls of other processes not counted, will retry'));
  let running: Promise<void> | null = null;
  const exchange = async (): Promise<void> => {
    try {
      await counts.exchange();
      failures.worked();
    } catch (error) {
      failures.failed(error);
    }
    running = null;
  };
  const timer = setInterval(() => {
    running ??= exchange();
  }, SHARED_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
