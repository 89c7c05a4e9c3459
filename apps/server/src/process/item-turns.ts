/**
 * Failing items of a job. Each backs off separately, twice as long each time, so that a permanently failing one does
 * not delay the others; it is retried indefinitely, since the cause may go away.
 */
import type { Logger } from 'pino';

const firstWaitMs = 1_000;
const longestWaitMs = 600_000;
/** Failing items that are remembered; of more, the oldest are tried at the next turn. */
const most = 10_000;

interface Failing {
  readonly failures: number;
  readonly notBeforeMs: number;
}

export interface ItemTurnsOptions {
  readonly job: string;
  readonly log: Logger;
  /** After each failure how often in a row the worst item has failed, and 0 once none fails. */
  readonly onFailures?: ((job: string, inARow: number) => void) | undefined;
  readonly now?: () => number;
}

export class ItemTurns {
  private readonly options: ItemTurnsOptions;
  private readonly failing = new Map<string, Failing>();

  constructor(options: ItemTurnsOptions) {
    this.options = options;
  }

  /** Items in back-off. */
  get waiting(): string[] {
    const now = this.now();
    return [...this.failing].flatMap(([item, { notBeforeMs }]) => (notBeforeMs > now ? [item] : []));
  }

  /** Runs the work of one item unless it is in back-off; returns false if it did not run, or failed. */
  async run(item: string, work: () => Promise<void>): Promise<boolean> {
    if ((this.failing.get(item)?.notBeforeMs ?? 0) > this.now()) return false;
    try {
      await work();
    } catch (error) {
      this.fail(item, error);
      return false;
    }
    this.succeed(item);
    return true;
  }

  fail(item: string, error: unknown): void {
    const { job, log, onFailures } = this.options;
    const failures = (this.failing.get(item)?.failures ?? 0) + 1;
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
    this.failing.delete(item);
    this.failing.set(item, { failures, notBeforeMs: this.now() + waitMs });
    for (const oldest of this.failing.keys()) {
      if (this.failing.size <= most) break;
      this.failing.delete(oldest);
    }
    log.error({ err: error, job, item, failures, waitMs }, 'job item failed, will retry');
    onFailures?.(job, Math.max(...[...this.failing.values()].map((each) => each.failures)));
  }

  succeed(item: string): void {
    if (!this.failing.delete(item) || this.failing.size > 0) return;
    this.options.onFailures?.(this.options.job, 0);
  }

  private now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }
}
