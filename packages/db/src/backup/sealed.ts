/**
 * Sealed files: what leaves the machine with a backup. A file is a magic word, a salt of 32 bytes, and frames. Each frame
 * is its length (4 bytes, big endian; the highest bit marks the last frame), ciphertext and tag of AES-256-GCM. The key is
 * derived (HKDF-SHA256) from the key of backups, the salt and the context, which names what the file is: a file in the
 * place of another can't be opened. The nonce is the number of the frame, so frames can't be exchanged, and the mark of
 * the last one shows that none is missing at the end. A file that grows has no last frame yet: it ends with the last
 * frame that is whole.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const MAGIC = Buffer.from('pahatid1');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const FRAME_BYTES = 1024 * 1024;
const LAST = 0x80000000;

export interface SealedBytes {
  readonly bytes: number;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
}

const deriveKey = (key: Buffer, salt: Buffer, context: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, context, 32));

const toNonce = (frame: number): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(frame), 4);
  return nonce;
};

/** Appends frames to a new file. */
export class SealedWriter {
  private readonly file: FileHandle;
  private readonly key: Buffer;
  private readonly hash = createHash('sha256');
  private frames = 0;
  /** Size of the file. */
  bytes = 0;

  private constructor(file: FileHandle, key: Buffer) {
    this.file = file;
    this.key = key;
  }

  static async create(path: string, key: Buffer, context: string): Promise<SealedWriter> {
    const salt = randomBytes(SALT_BYTES);
    const writer = new SealedWriter(await open(path, 'w', 0o600), deriveKey(key, salt, context));
    await writer.put(Buffer.concat([MAGIC, salt]));
    return writer;
  }

  async append(plain: Uint8Array, isLast = false): Promise<void> {
    const header = Buffer.alloc(4);
    header.writeUInt32BE((plain.length | (isLast ? LAST : 0)) >>> 0);
    const cipher = createCipheriv('aes-256-gcm', this.key, toNonce(this.frames)).setAAD(header);
    this.frames += 1;
    await this.put(Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
  }

  /** Seals all of a stream and closes the file, on the disk. */
  async appendAll(source: AsyncIterable<Buffer>): Promise<SealedBytes> {
    let held: Buffer[] = [];
    let size = 0;
    for await (const chunk of source) {
      held.push(chunk);
      size += chunk.length;
      if (size < FRAME_BYTES) continue;
      const all = Buffer.concat(held);
      const whole = size - (size % FRAME_BYTES);
      for (let from = 0; from < whole; from += FRAME_BYTES) await this.append(all.subarray(from, from + FRAME_BYTES));
      held = [all.subarray(whole)];
      size -= whole;
    }
    await this.append(Buffer.concat(held), true);
    await this.sync();
    await this.close();
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }

  sync = (): Promise<void> => this.file.datasync();

  close = (): Promise<void> => this.file.close();

  stat = () => this.file.stat();

  private async put(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, done);
      done += bytesWritten;
    }
    this.hash.update(bytes);
    this.bytes += bytes.length;
  }
}

/** A file that was altered, cut short, or sealed with another key. */
export class SealedError extends Error {
  override name = 'SealedError';
}

/** Reads what a file holds. `growing`: it has no last frame, and may end in the middle of one. */
export async function* readSealed(
  path: string,
  key: Buffer,
  context: string,
  { growing = false }: { growing?: boolean } = {},
): AsyncGenerator<Buffer> {
  const read = makeReader(createReadStream(path, { highWaterMark: FRAME_BYTES }));
  const head = await read(MAGIC.length + SALT_BYTES);
  if (head === null && growing) return;
  if (head === null || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SealedError(`${path} is no sealed file`);
  const frameKey = deriveKey(key, head.subarray(MAGIC.length), context);
  for (let frame = 0; ; frame++) {
    const header = await read(4);
    const word = header?.readUInt32BE() ?? 0;
    const isLast = word >= LAST;
    const size = isLast ? word - LAST : word;
    if (size > 2 * FRAME_BYTES) throw new SealedError(`${path} is damaged in frame ${frame}`);
    const body = header === null ? null : await read(size + TAG_BYTES);
    if (header === null || body === null) {
      if (growing) return;
      throw new SealedError(`${path} is cut short`);
    }
    yield openFrame(frameKey, frame, header, body, path);
    if (!isLast) continue;
    if ((await read(1)) !== null) throw new SealedError(`${path} goes on after its end`);
    return;
  }
}

function openFrame(key: Buffer, frame: number, header: Buffer, body: Buffer, path: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, toNonce(frame), { authTagLength: TAG_BYTES });
  decipher.setAAD(header).setAuthTag(body.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealedError(`${path} was altered in frame ${frame}, or sealed with another master key`);
  }
}

/** Returns so many bytes of a stream, or null if it ends before. */
export function makeReader(source: AsyncIterable<Buffer>): (bytes: number) => Promise<Buffer | null> {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  return async (bytes) => {
    const parts = [held];
    for (let size = held.length; size < bytes; ) {
      const next = await chunks.next();
      if (next.done) {
        held = Buffer.concat(parts);
        return null;
      }
      parts.push(next.value);
      size += next.value.length;
    }
    const all = parts.length === 1 ? held : Buffer.concat(parts);
    held = all.subarray(bytes);
    return all.subarray(0, bytes);
  };
}
