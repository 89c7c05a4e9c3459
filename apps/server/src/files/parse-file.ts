import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RejectedRow } from './collect-recipients.ts';
import { type Frame, FrameDecoder, frameKind, makeFrame, makeJsonFrame } from './frames.ts';
import { defaultFileLimits, type FileLimits } from './limits.ts';
import type { ChosenReading, ParsedContent } from './parse-content.ts';
import type { ParserOrder } from './parser-main.ts';
import { type ParserCost, readBlockFrame, readDone, readProgress, readRange, readRejects } from './parser-messages.ts';
import { type FileProblem, toFileProblem } from './problem.ts';
import { type RssWatch, watchRss } from './rss-watch.ts';
import { kindOfName } from './sniff.ts';
import type { ChunkSource } from './source.ts';

export interface ParseFileOptions {
  /** As uploaded; only its extension counts. */
  readonly fileName: string;
  readonly source: ChunkSource;
  /** The author's choice of columns; without it they are guessed. */
  readonly reading?: ChosenReading | undefined;
  readonly limits?: Partial<FileLimits> | undefined;
  readonly onProgress?: (progress: FileProgress) => void;
  /**
   * A block of up to 1,000 recipients for `decodeBlock`, in the file's order. The parser waits until it is stored.
   * Blocks and rejects are provisional: only `ok: true` makes them count.
   */
  readonly onBlock: (block: EncodedBlock) => Promise<void> | void;
  /** Up to 1,000 rejected rows, in the file's order. */
  readonly onRejects: (rows: readonly RejectedRow[]) => Promise<void> | void;
  readonly signal?: AbortSignal | undefined;
  /** Receives the parser's process id once it is running, and its error output, for the log. */
  readonly onStart?: (pid: number) => void;
  readonly onErrorOutput?: (text: string) => void;
}

export interface FileProgress {
  /** 0 to 100. */
  readonly percent: number;
  readonly totalRows: number;
}

export interface EncodedBlock {
  /** From 0, without gaps. */
  readonly seq: number;
  readonly rowCount: number;
  readonly bytes: Buffer;
}

export type ParsedFile =
  | ({ readonly ok: true; readonly cost: ParserCost } & ParsedContent)
  | { readonly ok: false; readonly problem: FileProblem };

const parserPath = fileURLToPath(new URL('./parser-main.ts', import.meta.url));
/** The checkout: the parser program may read its own code and nothing else. */
const codeFolder = fileURLToPath(new URL('../../../../', import.meta.url));
const maxErrorOutputChars = 16 * 1024;

/**
 * Parses an uploaded file in a separate process, which is killed if it takes too long, uses too much memory, or is no
 * longer needed. A bad file is a return value; an exception is our own failure: `source`, `onBlock`, `onRejects`, or
 * the signal's reason. When this settles, the process has exited and no call of `onBlock` or `onRejects` is in
 * progress.
 */
export async function parseFile(options: ParseFileOptions): Promise<ParsedFile> {
  const limits = { ...defaultFileLimits, ...options.limits };
  options.signal?.throwIfAborted();
  const parser = new ParserProcess(options.fileName, limits);
  const abort = (): void => parser.kill();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    if (parser.pid !== undefined) options.onStart?.(parser.pid);
    const order: ParserOrder = {
      fileName: options.fileName.slice(-64),
      size: options.source.size,
      limits,
      ...(options.reading ? { reading: options.reading } : {}),
    };
    const outcome = await converse(parser, order, options);
    await parser.ended;
    options.signal?.throwIfAborted();
    return outcome ?? { ok: false, problem: parser.explainEnd() };
  } finally {
    options.signal?.removeEventListener('abort', abort);
    parser.kill();
    await parser.ended;
    if (parser.errorOutput !== '') options.onErrorOutput?.(parser.errorOutput);
  }
}

/** Serves the parser until it reports its outcome; returns undefined if it exited without one. */
async function converse(
  parser: ParserProcess,
  order: ParserOrder,
  options: ParseFileOptions,
): Promise<ParsedFile | undefined> {
  const decoder = new FrameDecoder();
  let seq = 0;
  let outcome: ParsedFile | undefined;
  await parser.send(makeJsonFrame(frameKind.start, order));
  const answer = async (frame: Frame): Promise<void> => {
    switch (frame.kind) {
      case frameKind.read: {
        const { offset, length } = readRange(frame.payload);
        // A killed parser needs no reply, and the source may be the reason it was killed.
        const bytes = await Promise.race([options.source.read(offset, length), parser.ended]);
        if (bytes !== undefined) await parser.send(makeFrame(frameKind.data, bytes));
        return;
      }
      case frameKind.progress: {
        const { bytesRead, totalRows } = readProgress(frame.payload);
        options.onProgress?.({ percent: Math.min(100, (bytesRead / Math.max(1, order.size)) * 100), totalRows });
        return;
      }
      case frameKind.block:
        await options.onBlock({ seq, ...readBlockFrame(frame.payload) });
        seq += 1;
        return;
      case frameKind.rejects:
        await options.onRejects(readRejects(frame.payload));
        return;
      case frameKind.done: {
        const { cost, ...parsed } = readDone(frame.payload);
        const peakRssBytes = Math.max(cost.peakRssBytes, parser.peakRssBytes);
        outcome = { ok: true, ...parsed, cost: { ...cost, peakRssBytes } };
        return;
      }
      case frameKind.problem: {
        const problem = toFileProblem(JSON.parse(frame.payload.toString('utf8')));
        outcome = { ok: false, problem: problem ?? { code: 'FILE_UNREADABLE', params: {} } };
        return;
      }
      default:
        throw new Error(`parser sent a frame of kind ${frame.kind}`);
    }
  };
  // One frame at a time: while a block is being stored the pipe fills and the parser waits.
  for await (const piece of parser.output) {
    for (const frame of decoder.push(piece)) await answer(frame);
    if (outcome !== undefined) break;
  }
  return outcome;
}

class ParserProcess {
  readonly ended: Promise<void>;
  errorOutput = '';
  private readonly child: ChildProcess;
  private readonly watch: RssWatch;
  private reason: FileProblem['code'] | undefined;

  constructor(fileName: string, limits: FileLimits) {
    this.child = spawn(
      process.execPath,
      [
        `--max-old-space-size=${kindOfName(fileName) === 'xls' ? limits.xlsHeapMb : limits.heapMb}`,
        // A larger young generation wins no speed here and costs 50 MB.
        '--max-semi-space-size=8',
        '--permission',
        '--allow-worker',
        `--allow-fs-read=${codeFolder}`,
        '--disable-warning=ExperimentalWarning',
        '--disable-warning=SecurityWarning',
        parserPath,
      ],
      // No environment: neither the database address nor any secret reaches the parser.
      { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: {}, cwd: codeFolder, windowsHide: true },
    );
    const { child } = this;
    const timer = setTimeout(() => this.kill('FILE_TIMEOUT'), limits.timeoutMs);
    this.watch = watchRss(child.pid, limits.maxRssBytes, () => this.kill('FILE_MEMORY'));
    // Writing to an exited parser fails; its exit is reported by the exit event.
    child.stdin?.on('error', () => undefined);
    child.stderr?.on('data', (piece: Buffer) => {
      if (this.errorOutput.length < maxErrorOutputChars) this.errorOutput += piece.toString('utf8');
    });
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.watch.stop();
        resolve();
      };
      child.once('close', end);
      // Could not be started at all.
      child.once('error', (error) => {
        this.errorOutput += String(error);
        end();
      });
    });
  }

  get peakRssBytes(): number {
    return this.watch.peakBytes();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get output(): AsyncIterable<Buffer> {
    const pipe = this.child.stdio[3];
    if (!pipe || !('read' in pipe)) throw new Error('the parser has no output');
    return pipe;
  }

  async send(frame: Buffer): Promise<void> {
    const { stdin } = this.child;
    if (!stdin || stdin.destroyed) return;
    if (!stdin.write(frame) && !stdin.destroyed) {
      await Promise.race([once(stdin, 'drain').catch(() => undefined), this.ended]);
    }
  }

  kill(reason?: FileProblem['code']): void {
    this.reason ??= reason;
    this.child.kill('SIGKILL');
  }

  explainEnd(): FileProblem {
    const memory =
      this.child.signalCode === 'SIGUSR2' || /heap out of memory|Allocation failed/u.test(this.errorOutput);
    return { code: this.reason ?? (memory ? 'FILE_MEMORY' : 'FILE_PARSER_STOPPED'), params: {} };
  }
}
