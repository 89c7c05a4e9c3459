import { open } from 'node:fs/promises';

/**
 * The bytes of an upload, read at any place: from a file, from memory, or from the rows of 1 MB in which the database
 * keeps them. The parser program itself reaches none of these; it asks its parent for ranges.
 */
export interface ChunkSource {
  /** Bytes in all. */
  readonly size: number;
  /** Returns bytes from `offset`; fewer than `length` only at the end of the file. */
  read(offset: number, length: number): Promise<Buffer>;
}

export function bufferSource(bytes: Buffer): ChunkSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/** A file on disk, for tools and tests; the caller closes it. */
export async function openFileSource(path: string): Promise<ChunkSource & AsyncDisposable> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    async read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      const buffer = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await handle.read(buffer, 0, wanted, offset);
      return buffer.subarray(0, bytesRead);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/**
 * Returns a source made of numbered pieces of equal size, as the database stores them. `readPiece` returns one piece,
 * or undefined if it is missing. The last piece read is cached, because readers request neighbouring ranges.
 */
export function pieceSource(
  size: number,
  pieceBytes: number,
  readPiece: (seq: number) => Promise<Buffer | undefined>,
): ChunkSource {
  let kept: { seq: number; bytes: Buffer } | undefined;
  const getPiece = async (seq: number): Promise<Buffer> => {
    if (kept?.seq !== seq) {
      const bytes = await readPiece(seq);
      if (bytes === undefined) throw new Error(`piece ${seq} of the file is missing`);
      kept = { seq, bytes };
    }
    return kept.bytes;
  };
  return {
    size,
    async read(offset, length) {
      const end = Math.min(offset + length, size);
      const parts: Buffer[] = [];
      for (let at = offset; at < end; ) {
        const seq = Math.floor(at / pieceBytes);
        const piece = await getPiece(seq);
        const from = at - seq * pieceBytes;
        const part = piece.subarray(from, Math.min(piece.length, from + end - at));
        if (part.length === 0) throw new Error(`piece ${seq} of the file is shorter than it should be`);
        parts.push(part);
        at += part.length;
      }
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    },
  };
}

/** The whole source in order, `stepBytes` at a time, the next step being fetched while the last one is used. */
export async function* streamSource(source: ChunkSource, stepBytes = 1024 * 1024): AsyncGenerator<Buffer> {
  let next = source.read(0, stepBytes);
  for (let offset = 0; offset < source.size; ) {
    const bytes = await next;
    if (bytes.length === 0) throw new Error('the source ended before its size');
    offset += bytes.length;
    next = offset < source.size ? source.read(offset, stepBytes) : Promise.resolve(Buffer.alloc(0));
    // A failure is met by the next round's await; until then it must not count as unhandled.
    next.catch(() => undefined);
    yield bytes;
  }
}
