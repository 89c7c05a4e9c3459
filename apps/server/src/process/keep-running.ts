/**
 * Runs one child process and restarts it whenever it exits unexpectedly.
 *
 * States: starting → ready → (ended → waiting → starting …) → stopping → stopped. A child that is not ready within 30 s
 * of any start is killed: a hanging start looks like a working one, and nothing else would end it. The delay before the
 * next start doubles from 0.25 s to 5 s and is reset if the child was ready and ran for 30 s. A child exits when the
 * channel to us closes, so it does not outlive us even if we are killed. `replace` starts a successor in parallel, and
 * stops the child once the successor is ready.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Logger } from 'pino';
import { type Answer, Channel, type Question } from './channel.ts';

export interface ChildSpec {
  /** Shown in the log. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** The child sends `{ready: true}` over the channel when it is ready; otherwise it counts as ready once it runs. */
  readonly saysReady: boolean;
  /** What the child may ask of us. */
  readonly answer?: (question: Question) => Promise<Answer | undefined>;
  /** Replaces the 30 s that each start may take. */
  readonly readyTimeoutMs?: number;
}

export type ChildState = 'starting' | 'running' | 'waiting' | 'ended';

export interface SupervisedChild {
  readonly name: string;
  readonly pid: () => number | undefined;
  readonly state: () => ChildState;
  /** Immediately starts a child that waits for its next start: the cause of its exit may be gone. */
  startNow(): void;
  /** Number of restarts after unexpected exits. */
  readonly restarts: () => number;
  /** Resolves when the child was ready for the first time. Rejects when it ended `firstFailures` times before that. */
  readonly ready: Promise<void>;
  /** Returns null if the child does not reply in time. */
  ask(question: Question, timeoutMs: number): Promise<unknown>;
  /** A new process takes over before the old one ends. Rejects, with the old one still at work, when it does not get ready. */
  replace(timeoutMs: number): Promise<void>;
  /** SIGTERM, then SIGKILL when the time is over or `hurry` is aborted. Resolves when it has ended. */
  stop(timeoutMs: number, hurry?: AbortSignal): Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
const STEADY_MS = 30_000;
const FIRST_FAILURES = 5;
const READY_TIMEOUT_MS = 30_000;

/** One process of it. */
interface Life {
  readonly process: ChildProcess;
  readonly channel: Channel;
  readonly startedAt: number;
  isReady: boolean;
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
}

export function keepRunning(spec: ChildSpec): SupervisedChild {
  const lives = new Set<Life>();
  let current: Life | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;
  let gaveUp = false;
  let failures = 0;
  let restarts = 0;
  let wasReady = false;
  const { promise: ready, resolve: becomeReady, reject: giveUp } = Promise.withResolvers<void>();
  ready.catch(() => {});

  const launch = (): Life => {
    const life = launchProcess(spec);
    lives.add(life);
    void life.ended.then(() => lives.delete(life));
    return life;
  };

  const start = (): void => {
    timer = null;
    watch(launch());
  };

  const watch = (life: Life): void => {
    current = life;
    void life.ready.then(() => {
      wasReady = true;
      becomeReady();
    });
    void life.ended.then(() => {
      if (current !== life || stopping) return;
      current = null;
      startAgain(life);
    });
  };

  const startAgain = (life: Life): void => {
    const { exitCode: code, signalCode: signal } = life.process;
    const wasSteady = life.isReady && performance.now() - life.startedAt > STEADY_MS;
    failures = wasSteady ? 1 : failures + 1;
    if (!wasReady && failures >= FIRST_FAILURES) {
      gaveUp = true;
      giveUp(
        new Error(`${spec.name} ended ${failures} times without getting ready (last: ${signal ?? `code ${code}`})`),
      );
      return;
    }
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
    spec.log.warn({ child: spec.name, code, signal, waitMs }, 'child process ended, restarting');
    restarts += 1;
    timer = setTimeout(start, waitMs);
  };
  start();

  return {
    name: spec.name,
    pid: () => current?.process.pid,
    state: () => {
      if (current === null) return gaveUp || stopping ? 'ended' : 'waiting';
      return current.isReady ? 'running' : 'starting';
    },
    startNow() {
      if (timer === null || stopping) return;
      clearTimeout(timer);
      start();
    },
    restarts: () => restarts,
    ready,
    ask: async (question, timeoutMs) => (await current?.channel.ask(question, timeoutMs))?.value ?? null,
    async replace(timeoutMs) {
      const old = current;
      // Not there: it is about to be started anyway.
      if (old === null || stopping) return;
      const next = launch();
      const isReady = await Promise.race([next.ready.then(() => true), next.ended.then(() => false)]);
      // While we waited all may have been asked to stop, or the old one may have ended and been started again.
      if (!isReady || stopping || current !== old) {
        await endLife(next, timeoutMs);
        if (!isReady && !stopping) throw new Error(`a new ${spec.name} did not get ready`);
        return;
      }
      watch(next);
      old.process.send({ replaced: true }, () => undefined);
      await endLife(old, timeoutMs);
    },
    async stop(timeoutMs, hurry) {
      stopping = true;
      if (timer !== null) clearTimeout(timer);
      await Promise.all([...lives].map((life) => endLife(life, timeoutMs, hurry, spec.log)));
    },
  };
}

function launchProcess(spec: ChildSpec): Life {
  const [program, ...rest] = spec.command;
  const child = spawn(program, rest, {
    env: { ...spec.env },
    // A separate session: Ctrl-C at the terminal reaches only us, and we stop all in order.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  const { promise: ended, resolve: becomeEnded } = Promise.withResolvers<void>();
  const life: Life = {
    process: child,
    channel: new Channel(child, async (question) => await spec.answer?.(question)),
    startedAt: performance.now(),
    isReady: false,
    ready,
    ended,
  };
  const nowReady = (): void => {
    life.isReady = true;
    becomeReady();
  };
  if (!spec.saysReady) child.once('spawn', nowReady);
  child.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'ready' in message) nowReady();
  });
  child.once('error', (error) => {
    spec.log.error({ err: error, child: spec.name }, 'child process could not be started');
    // A process that never started emits no exit.
    if (child.pid === undefined) becomeEnded();
  });
  child.once('exit', () => becomeEnded());
  limitStart(life, spec);
  return life;
}

function limitStart(life: Life, { name, log, readyTimeoutMs = READY_TIMEOUT_MS }: ChildSpec): void {
  const timer = setTimeout(() => {
    log.error({ child: name, pid: life.process.pid, readyTimeoutMs }, 'child process not ready in time, killed');
    life.process.kill('SIGKILL');
  }, readyTimeoutMs);
  for (const done of [life.ready, life.ended]) void done.then(() => clearTimeout(timer));
}

async function endLife(life: Life, timeoutMs: number, hurry?: AbortSignal, log?: Logger): Promise<void> {
  const { process: child } = life;
  const kill = (): void => void child.kill('SIGKILL');
  const force = setTimeout(() => {
    log?.warn({ command: child.spawnargs.slice(-1).join(''), timeoutMs }, 'child process did not stop in time, killed');
    kill();
  }, timeoutMs);
  hurry?.addEventListener('abort', kill, { once: true });
  child.kill(hurry?.aborted === true ? 'SIGKILL' : 'SIGTERM');
  await life.ended;
  clearTimeout(force);
  hurry?.removeEventListener('abort', kill);
}
