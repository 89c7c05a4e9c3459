/** Repeats one job: immediately while there is work, otherwise when woken or due. Never two at a time. */
import type { Logger } from 'pino';
import { jobDuration, jobFailures } from '../metrics/job-metrics.ts';

export interface Loop {
  /** Something may have come. */
  wake(): void;
  /** Resolves when the iteration in progress has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  /** One iteration; true: there may be more. */
  readonly step: () => Promise<boolean>;
  readonly everyMs: number;
  readonly log: Logger;
  /** After each iteration that failed how many have in a row, and 0 after the first that did not. */
  readonly onFailures?: (name: string, inARow: number) => void;
}

/** Delay after a failure, doubled each time, at most 30 s. */
const firstBackOffMs = 500;
const longestBackOffMs = 30_000;

export function startLoop({ name, step, everyMs, log, onFailures }: LoopOptions): Loop {
  let stopped = false;
  let woken = false;
  let wake: () => void = () => {};

  const waitFor = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        wake = () => {};
        resolve();
      }
      wake = done;
      if (stopped) done();
    });

  const run = async (): Promise<void> => {
    let backOffMs = firstBackOffMs;
    let failures = 0;
    while (!stopped) {
      woken = false;
      const end = jobDuration.startTimer({ job: name });
      try {
        const more = await step();
        end();
        backOffMs = firstBackOffMs;
        if (failures > 0) onFailures?.(name, 0);
        failures = 0;
        if (more || woken) continue;
        await waitFor(everyMs);
      } catch (error) {
        end();
        if (stopped) return;
        jobFailures.inc({ job: name });
        log.error({ err: error, job: name }, 'job failed, will retry');
        failures += 1;
        onFailures?.(name, failures);
        await waitFor(backOffMs);
        backOffMs = Math.min(longestBackOffMs, backOffMs * 2);
      }
    }
  };
  const running = run();

  return {
    wake() {
      woken = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
