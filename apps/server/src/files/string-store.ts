import { Buffer } from 'node:buffer';
import type { FileLimits } from './limits.ts';
import { FileProblemError } from './problem.ts';

const blockBytes = 1024 * 1024;

/**
 * A workbook's shared strings as UTF-8 in blocks of one megabyte, with 8 bytes of place each: a third of what they
 * would take as separate strings, and no work for the garbage collector.
 */
export class StringStore {
  private readonly limits: FileLimits;
  private readonly blocks: Buffer[] = [];
  private filled = blockBytes;
  private starts = new Uint32Array(1024);
  private lengths = new Uint32Array(1024);
  private count = 0;

  constructor(limits: FileLimits) {
    this.limits = limits;
  }

  get size(): number {
    return this.count;
  }

  add(text: string): void {
    // Keeps one character more than a cell may have, so that the cell that uses it is rejected with its row.
    const kept = text.length > this.limits.maxCellChars ? text.slice(0, this.limits.maxCellChars + 1) : text;
    const bytes = Buffer.byteLength(kept);
    if (this.filled + bytes > blockBytes) this.addBlock();
    const block = this.blocks.at(-1);
    if (this.count === this.limits.maxSharedStrings || block === undefined) throw new FileProblemError('FILE_MEMORY');
    if (this.count === this.starts.length) this.grow();
    this.starts[this.count] = (this.blocks.length - 1) * blockBytes + this.filled;
    this.lengths[this.count] = bytes;
    block.write(kept, this.filled, 'utf8');
    this.filled += bytes;
    this.count += 1;
  }

  get(index: number): string | undefined {
    const start = this.starts[index];
    const length = this.lengths[index];
    if (index >= this.count || start === undefined || length === undefined) return undefined;
    const from = start % blockBytes;
    return this.blocks[(start - from) / blockBytes]?.toString('utf8', from, from + length);
  }

  private addBlock(): void {
    if ((this.blocks.length + 1) * blockBytes > this.limits.maxSharedStringBytes) {
      throw new FileProblemError('FILE_MEMORY');
    }
    this.blocks.push(Buffer.allocUnsafeSlow(blockBytes));
    this.filled = 0;
  }

  private grow(): void {
    const starts = new Uint32Array(this.starts.length * 2);
    const lengths = new Uint32Array(this.lengths.length * 2);
    starts.set(this.starts);
    lengths.set(this.lengths);
    this.starts = starts;
    this.lengths = lengths;
  }
}
