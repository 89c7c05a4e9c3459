/**
 * Destination of the log: an open file of this process, usually its stdout. The log never stops the process: a target
 * that blocks (disk full, stalled reader) is retried until it accepts; lines that do not fit into memory meanwhile are
 * counted and reported afterwards. After a reader has closed, the rest is dropped.
 */
import { write, writeSync } from 'node:fs';

/** About 5,000 lines. */
const KEPT_BYTES = 1_048_576;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
/** Time limit for flushing at exit, if the target is busy. */
const EXIT_MS = 200;
const EXIT_WAIT_MS = 10;
const GONE = new Set(['EPIPE', 'EBADF']);
const BUSY = new Set(['EAGAIN', 'EBUSY']);

export class LogTarget {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Being written; after a partial write, the rest of it. */
  #piece: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  #waitMs = FIRST_WAIT_MS;
  #lost = 0;
  #isWriting = false;
  #isGone = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#finish());
  }

  /** One line or more, whole. */
  write(lines: string): void {
    if (this.#isGone) return;
    const bytes = Buffer.from(lines);
    if (this.#waitingBytes + bytes.length > KEPT_BYTES) {
      this.#lost += 1;
      return;
    }
    this.#keep(bytes);
    this.#pump();
  }

  #keep(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  #pump(): void {
    if (this.#isWriting || this.#timer !== null || this.#isGone) return;
    this.#piece ??= this.#take();
    if (this.#piece === null) return;
    this.#isWriting = true;
    write(this.#fd, this.#piece, (error, written) => {
      this.#isWriting = false;
      if (error !== null) this.#wait(error);
      else {
        this.#waitMs = FIRST_WAIT_MS;
        this.#passed(written);
      }
      this.#pump();
    });
  }

  #wait({ code }: NodeJS.ErrnoException): void {
    if (GONE.has(code ?? '')) {
      this.#isGone = true;
      this.#piece = null;
      this.#waiting = [];
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#pump();
    }, this.#waitMs);
    // No reason to stay either.
    this.#timer.unref();
    this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs * 2);
  }

  #passed(bytes: number): void {
    const rest = this.#piece?.subarray(bytes);
    this.#piece = rest === undefined || rest.length === 0 ? null : rest;
    if (this.#piece !== null || this.#lost === 0) return;
    const line = { level: 40, time: Date.now(), pid: process.pid, lost: this.#lost, msg: 'log lines lost' };
    this.#lost = 0;
    this.#keep(Buffer.from(`${JSON.stringify(line)}\n`));
  }

  #take(): Buffer | null {
    if (this.#waiting.length === 0) return null;
    const all = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return all;
  }

  /** Data held by a write in progress is excluded. */
  #finish(): void {
    const pieces = this.#isWriting ? [] : [this.#piece];
    let rest = Buffer.concat([...pieces, this.#take()].filter((each) => each !== null));
    const deadline = performance.now() + EXIT_MS;
    while (rest.length > 0 && !this.#isGone) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        if (!BUSY.has((error as NodeJS.ErrnoException).code ?? '') || performance.now() > deadline) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_WAIT_MS);
      }
    }
  }
}
