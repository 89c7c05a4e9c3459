import { once } from 'node:events';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import type { FileLimits } from './limits.ts';
import { FileProblemError } from './problem.ts';
import type { ChunkSource } from './source.ts';

/** Below this an entry may be as compressible as it likes. */
const smallEntryBytes = 1024 * 1024;
const readStepBytes = 256 * 1024;

/**
 * A zip opened over a source. What its directory declares is judged before anything is unpacked, and what comes out is
 * counted against the declaration, because a bomb lies about itself.
 */
export class ZipArchive {
  private readonly zip: ZipFile;
  private readonly source: ChunkSource;
  private readonly entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, source: ChunkSource, entries: ReadonlyMap<string, Entry>) {
    this.zip = zip;
    this.source = source;
    this.entries = entries;
  }

  static async open(source: ChunkSource, limits: FileLimits): Promise<ZipArchive> {
    let zip: ZipFile;
    const entries = new Map<string, Entry>();
    try {
      zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.size, {
        lazyEntries: true,
        autoClose: false,
      });
      if (zip.entryCount > limits.maxZipEntries) throw new FileProblemError('FILE_ZIP_BOMB');
      let unpacked = 0;
      for await (const entry of zip.eachEntry()) {
        unpacked += entry.uncompressedSize;
        judgeEntry(entry, unpacked, limits);
        entries.set(entryKey(entry.fileName), entry);
      }
    } catch (error) {
      throw toZipProblem(error);
    }
    return new ZipArchive(zip, source, entries);
  }

  has(name: string): boolean {
    return this.entries.has(entryKey(name));
  }

  /** Unpacked bytes of an entry that exists. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(entryKey(name));
    if (entry === undefined) throw new FileProblemError('FILE_UNREADABLE');
    let total = 0;
    let sum = 0;
    try {
      for await (const bytes of this.unpack(entry)) {
        total += bytes.length;
        if (total > entry.uncompressedSize) throw new FileProblemError('FILE_ZIP_BOMB');
        sum = crc32(bytes, sum);
        yield bytes;
      }
    } catch (error) {
      throw toZipProblem(error);
    }
    if (total < entry.uncompressedSize) throw new FileProblemError('FILE_TRUNCATED');
    if (sum !== entry.crc32) throw new FileProblemError('FILE_UNREADABLE');
  }

  private async *unpack(entry: Entry): AsyncGenerator<Buffer> {
    const { fileDataStart } = await this.zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = readRange(this.source, fileDataStart, fileDataStart + entry.compressedSize);
    if (entry.compressionMethod === 0) {
      yield* packed;
      return;
    }
    if (entry.compressionMethod !== 8) throw new FileProblemError('FILE_UNREADABLE');
    const inflate = createInflateRaw({ chunkSize: 128 * 1024 });
    const input = Readable.from(packed, { objectMode: false });
    input.on('error', (error) => inflate.destroy(error));
    input.pipe(inflate);
    try {
      for await (const bytes of inflate) yield bytes as Buffer;
    } finally {
      input.destroy();
      inflate.destroy();
      if (!input.closed) await once(input, 'close');
    }
  }

  close(): void {
    this.zip.close();
  }
}

/** Names differ in case and leading slash between the programs that write them. */
function entryKey(name: string): string {
  return name.replace(/^\/+/u, '').toLowerCase();
}

function judgeEntry(entry: Entry, unpackedSoFar: number, limits: FileLimits): void {
  if (entry.isEncrypted()) throw new FileProblemError('FILE_ENCRYPTED');
  const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
  const dense = entry.uncompressedSize > smallEntryBytes && ratio > limits.maxUnpackRatio;
  if (dense || unpackedSoFar > limits.maxUnpackedBytes) throw new FileProblemError('FILE_ZIP_BOMB');
}

async function* readRange(source: ChunkSource, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const bytes = await source.read(at, Math.min(readStepBytes, end - at));
    if (bytes.length === 0) throw new FileProblemError('FILE_TRUNCATED');
    at += bytes.length;
    yield bytes;
  }
}

/** The zip library's own errors can be identified only by their message text. */
function toZipProblem(error: unknown): unknown {
  if (error instanceof FileProblemError || !(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR' || /is truncated|overflows file bounds|unexpected E(?:OF|nd)/u.test(error.message)) {
    return new FileProblemError('FILE_TRUNCATED', {}, { cause: error });
  }
  if (/strong encryption/u.test(error.message)) return new FileProblemError('FILE_ENCRYPTED', {}, { cause: error });
  return new FileProblemError('FILE_UNREADABLE', {}, { cause: error });
}

/** The library reads the directory through this; the entries' data are read without it. */
class SourceReader extends RandomAccessReader {
  private readonly source: ChunkSource;

  constructor(source: ChunkSource) {
    super();
    this.source = source;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.source, start, end), { objectMode: false });
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
