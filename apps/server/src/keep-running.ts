/**
 * One child process, started again whenever it ends by itself.
 *
 * States: starting → ready → (ended → waiting → starting …) → stopping → stopped. The wait doubles from 0.25 s to 10 s
 * and begins anew when the child had lived for 30 s. A child ends itself when the channel to us closes, so it does not
 * outlive us even when we are killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Logger } from 'pino';

export interface ChildSpec {
  /** Shown in the log. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** The child says `{ready: true}` over the channel when it serves; without it, it counts as ready once it runs. */
  readonly saysReady: boolean;
}

export interface Kept {
  readonly name: string;
  readonly pid: () => number | undefined;
  /** Resolves when the child was ready for the first time. Rejects when it ended `firstFailures` times before that. */
  readonly ready: Promise<void>;
  /** SIGTERM, then SIGKILL when the time is over. Resolves when it has ended. */
  stop(timeoutMs: number): Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const STEADY_MS = 30_000;
const FIRST_FAILURES = 5;

export function keepRunning(spec: ChildSpec): Kept {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;
  let failures = 0;
  let wasReady = false;
  const { promise: ready, resolve: becomeReady, reject: giveUp } = Promise.withResolvers<void>();
  ready.catch(() => {});
  const { promise: stopped, resolve: becomeStopped } = Promise.withResolvers<void>();

  const start = (): void => {
    timer = null;
    const startedAt = performance.now();
    const [program, ...rest] = spec.command;
    const current = spawn(program, rest, {
      env: { ...spec.env },
      // A session of its own: Ctrl-C at the terminal reaches us alone, and we stop all in order.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = current;
    const nowReady = (): void => {
      wasReady = true;
      becomeReady();
    };
    if (!spec.saysReady) current.once('spawn', nowReady);
    current.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'ready' in message) nowReady();
    });
    current.once('error', (error) => spec.log.error({ err: error }, `${spec.name} could not be run`));
    current.once('exit', (code, signal) => {
      child = null;
      if (stopping) return becomeStopped();
      failures = performance.now() - startedAt > STEADY_MS ? 1 : failures + 1;
      if (!wasReady && failures >= FIRST_FAILURES) {
        giveUp(
          new Error(`${spec.name} ended ${failures} times without getting ready (last: ${signal ?? `code ${code}`})`),
        );
        return becomeStopped();
      }
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
      spec.log.warn({ child: spec.name, code, signal, waitMs }, `${spec.name} ended, starting it again`);
      timer = setTimeout(start, waitMs);
    });
  };
  start();

  return {
    name: spec.name,
    pid: () => child?.pid,
    ready,
    async stop(timeoutMs) {
      stopping = true;
      if (timer !== null) clearTimeout(timer);
      if (child === null) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => {
        spec.log.warn(`${spec.name} did not stop in ${timeoutMs} ms and is killed`);
        child?.kill('SIGKILL');
      }, timeoutMs);
      await stopped;
      clearTimeout(force);
    },
  };
}
