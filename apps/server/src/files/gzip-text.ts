/** Text that is compressed piece by piece, so that only its compressed form is held. */
import { once } from 'node:events';
import { createGzip, type Gzip } from 'node:zlib';

export class GzipText {
  readonly #gzip: Gzip;
  readonly #chunks: Buffer[] = [];
  /** Of the text, in UTF-8. */
  byteCount = 0;

  constructor(level: number) {
    this.#gzip = createGzip({ level });
    this.#gzip.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  /** Resolves when more may be written. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.byteCount += bytes.length;
    if (!this.#gzip.write(bytes)) await once(this.#gzip, 'drain');
  }

  /** Returns the compressed bytes. */
  async end(): Promise<Buffer> {
    const ended = once(this.#gzip, 'end');
    this.#gzip.end();
    await ended;
    return Buffer.concat(this.#chunks);
  }

  /** Frees its memory when the rest is not wanted. */
  cancel(): void {
    this.#gzip.destroy();
  }
}
