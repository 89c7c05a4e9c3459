/**
 * The parser process: reads one file that its parent supplies through a pipe, writes the results to another, and exits.
 * It has no environment, no database and no network address, and Node's permission model denies it writing, starting
 * programs and reading anything but its own code: a file that compromises it gains nothing.
 *
 * stdin carries `start` and the requested ranges; fd 3 takes requests, progress, blocks, rejects and the outcome.
 */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { encodeBlock } from './blocks.ts';
import { FrameDecoder, type FrameKind, frameKind, makeFrame, makeJsonFrame } from './frames.ts';
import type { FileLimits } from './limits.ts';
import { type ChosenReading, parseContent } from './parse-content.ts';
import { type FileProblem, FileProblemError } from './problem.ts';
import type { ChunkSource } from './source.ts';

/** What `start` carries. */
export interface ParserOrder {
  readonly fileName: string;
  readonly size: number;
  readonly limits: FileLimits;
  readonly reading?: ChosenReading;
}

/** Between two reports of progress. */
const progressEveryMs = 200;

const output = new Socket({ fd: 3, readable: false, writable: true });
output.on('error', () => process.exit(1));

async function send(kind: FrameKind, payload: Buffer): Promise<void> {
  if (!output.write(makeFrame(kind, payload))) await once(output, 'drain');
}

async function sendJson(kind: FrameKind, value: unknown): Promise<void> {
  if (!output.write(makeJsonFrame(kind, value))) await once(output, 'drain');
}

/** Ranges are requested and returned in order, so replies need no ids. */
class ParentSource implements ChunkSource {
  readonly size: number;
  private readonly waiting: ((bytes: Buffer) => void)[] = [];

  constructor(size: number) {
    this.size = size;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    if (wanted === 0) return Buffer.alloc(0);
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    this.waiting.push(resolve);
    await sendJson(frameKind.read, { offset, length: wanted });
    return await promise;
  }

  answer(bytes: Buffer): void {
    this.waiting.shift()?.(bytes);
  }
}

function watchParent(limits: FileLimits): void {
  // A separate thread, because a damaged .xls can block the main thread forever.
  const watchdog = new Worker(new URL('./parser-watchdog.ts', import.meta.url), {
    workerData: { parentPid: process.ppid, maxRssBytes: limits.maxRssBytes },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  watchdog.unref();
}

function toProblem(error: unknown): FileProblem {
  if (error instanceof FileProblemError) return error.problem;
  const words = error instanceof Error ? error.message : '';
  const memory = error instanceof RangeError && /allocation|string length|array length/iu.test(words);
  return { code: memory ? 'FILE_MEMORY' : 'FILE_UNREADABLE', params: {} };
}

async function parse(order: ParserOrder, source: ChunkSource): Promise<void> {
  let reportedAt = 0;
  let peakRssBytes = 0;
  try {
    const parsed = await parseContent(order.fileName, source, order.limits, order.reading, {
      async addBlock(rows) {
        const count = Buffer.allocUnsafe(4);
        count.writeUInt32LE(rows.length, 0);
        await send(frameKind.block, Buffer.concat([count, encodeBlock(rows)]));
      },
      addRejects: (rows) => sendJson(frameKind.rejects, rows),
      async progress(bytesRead, totalRows) {
        const now = performance.now();
        peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
        if (now - reportedAt < progressEveryMs) return;
        reportedAt = now;
        await sendJson(frameKind.progress, { bytesRead, totalRows });
      },
    });
    // The system's own figure (maxRSS) counts what the parent held when it started us.
    peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const cost = { peakRssBytes, cpuMs: Math.round((userCPUTime + systemCPUTime) / 1000) };
    await sendJson(frameKind.done, { ...parsed, cost });
  } catch (error) {
    // For the server's log; only the code is shown to the author.
    if (!(error instanceof FileProblemError)) console.error(error);
    await sendJson(frameKind.problem, toProblem(error));
  }
  output.end(() => process.exit(0));
}

let source: ParentSource | undefined;
const decoder = new FrameDecoder();
process.stdin.on('data', (piece: Buffer) => {
  for (const frame of decoder.push(piece)) {
    if (frame.kind === frameKind.data) source?.answer(frame.payload);
    if (frame.kind !== frameKind.start || source !== undefined) continue;
    const order = JSON.parse(frame.payload.toString('utf8')) as ParserOrder;
    source = new ParentSource(order.size);
    watchParent(order.limits);
    void parse(order, source);
  }
});
process.stdin.on('close', () => process.exit(1));
