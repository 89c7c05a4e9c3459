/**
 * Writes archives whose bytes depend on nothing but their entries: sorted, owned by 0:0, with one time for all. They are
 * compressed by fflate, since the zlib inside Node chooses its matches by what the processor can do, so that another
 * machine would produce other bytes.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Gzip } from 'fflate';
import { type Header, pack } from 'tar-stream';

export interface Entry {
  /** With slashes, without a leading one. */
  readonly path: string;
  /** `file`: path of the content; `link`: target of a symbolic link. */
  readonly from: { readonly file: string } | { readonly text: string } | { readonly link: string };
  readonly isProgram?: boolean;
}

/** The size of the pieces decides where the compression ends its blocks. */
const PIECE_BYTES = 2 ** 20;
const LEVEL = 6;
const MODES = { folder: 0o755, program: 0o755, file: 0o644, link: 0o777 };

/** Yields the archive; `madeAt` becomes the time of every entry. */
export function packEntries(entries: readonly Entry[], madeAt: Date): AsyncIterable<Uint8Array> {
  const archive = pack();
  const owner = { uid: 0, gid: 0, uname: '', gname: '', mtime: madeAt };
  const add = (header: Partial<Header> & Pick<Header, 'name'>, content?: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      archive.entry({ ...owner, ...header }, content ?? Buffer.alloc(0), (error) =>
        error ? reject(error) : resolve(),
      );
    });
  const work = async (): Promise<void> => {
    const byPath = new Map(entries.map((entry) => [entry.path, entry]));
    if (byPath.size !== entries.length) throw new Error('two entries of the archive have the same path');
    for (const name of [...foldersOf(entries), ...byPath.keys()].sort()) {
      const entry = byPath.get(name);
      if (entry === undefined) await add({ name: `${name}/`, type: 'directory', mode: MODES.folder });
      else if ('link' in entry.from) await add({ name, type: 'symlink', linkname: entry.from.link, mode: MODES.link });
      else await add({ name, mode: entry.isProgram ? MODES.program : MODES.file }, await contentOf(entry.from));
    }
    archive.finalize();
  };
  work().catch((error: Error) => archive.destroy(error));
  return archive as AsyncIterable<Uint8Array>;
}

const contentOf = async (from: { readonly file: string } | { readonly text: string }): Promise<Buffer> =>
  'text' in from ? Buffer.from(from.text) : await readFile(from.file);

function foldersOf(entries: readonly Entry[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const entry of entries)
    for (let folder = path.posix.dirname(entry.path); folder !== '.'; folder = path.posix.dirname(folder))
      folders.add(folder);
  return folders;
}

/** Writes a `.tar.gz`; returns the SHA-256 of the file in hex. */
export async function writeArchive(file: string, entries: readonly Entry[], madeAt: Date): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    packEntries(entries, madeAt),
    inPieces,
    compress,
    async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(file),
  );
  return hash.digest('hex');
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    const whole = Buffer.concat(waiting);
    const end = whole.length - (whole.length % PIECE_BYTES);
    for (let at = 0; at < end; at += PIECE_BYTES) yield whole.subarray(at, at + PIECE_BYTES);
    waiting = [whole.subarray(end)];
    bytes = whole.length - end;
  }
  yield Buffer.concat(waiting);
}

async function* compress(pieces: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  // Without a time: the header has room for one.
  const gzip = new Gzip({ level: LEVEL, mtime: 0 }, (piece) => {
    ready.push(piece);
  });
  for await (const piece of pieces) {
    gzip.push(piece);
    yield* ready;
    ready = [];
  }
  gzip.push(new Uint8Array(0), true);
  yield* ready;
}
