import { type ChildProcess, spawn } from 'node:child_process';
import { inspectProcess } from '@pahatid/db/embedded';
import { until } from './until.ts';

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** An open file that receives its output, instead of us. */
  readonly outputFile?: number;
}

/** A program of ours, run as it is in life, and killed as it is in life. */
export class Program {
  readonly child: ChildProcess;
  /** All its output so far, both streams. */
  output = '';

  /** `words`: file and arguments for this same Node. */
  constructor(words: readonly string[], options: ProgramOptions = {}) {
    const output = options.outputFile ?? 'pipe';
    this.child = spawn(process.execPath, [...words], {
      stdio: ['ignore', output, output],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PAHATID_TEST_RUN: process.env.PAHATID_TEST_RUN,
        // The cluster of the tests has no fsync.
        PAHATID_UNSAFE_DATABASE: 'on',
        ...options.env,
      },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const hear = (chunk: Buffer): void => {
      this.output += chunk.toString();
    };
    this.child.stdout?.on('data', hear);
    this.child.stderr?.on('data', hear);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the program could not be run');
    return this.child.pid;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until its output matches; fails immediately, with all its output, if it ends before. */
  async says(pattern: RegExp | string, timeoutMs = 180_000): Promise<void> {
    const heard = (): boolean =>
      typeof pattern === 'string' ? this.output.includes(pattern) : pattern.test(this.output);
    const outcome = await until(() => heard() || (this.hasEnded && 'ended'), {
      timeoutMs,
      what: String(pattern),
    }).catch((error: Error) => error);
    if (outcome !== true && !heard()) throw new Error(`the program did not say ${pattern}, but:\n${this.output}`);
  }

  /** Sends the signal and waits for the end; returns the exit code, or the signal that ended it. */
  async end(signal: NodeJS.Signals = 'SIGTERM', timeoutMs = 60_000): Promise<number | NodeJS.Signals | null> {
    this.child.kill(signal);
    return this.ended(timeoutMs);
  }

  async ended(timeoutMs = 60_000): Promise<number | NodeJS.Signals | null> {
    await until(() => this.hasEnded, { timeoutMs, what: 'the end of the program' });
    return this.child.exitCode ?? this.child.signalCode;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    if (!this.hasEnded) await this.end('SIGKILL');
  }
}

/** Whether a process runs; a zombie does not. */
export const isRunning = (pid: number): boolean => inspectProcess(pid) !== null;
