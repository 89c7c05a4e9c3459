/** A separate disk, small and in memory, that can be filled to the last byte and freed. Needs Linux and root. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PIECE = Buffer.alloc(1024 ** 2, 1);

const command = (program: string, ...words: string[]): void => {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
};

/** Returns why such a disk is impossible here; null if it is possible. */
export function whyNoSmallDisk(): string | null {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root';
  try {
    new SmallDisk(1).remove();
    return null;
  } catch (error) {
    return `no tmpfs can be mounted: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export class SmallDisk {
  readonly folder: string;
  readonly #ballast: string;

  constructor(megabytes: number) {
    this.folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-disk-'));
    command('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', this.folder);
    this.#ballast = path.join(this.folder, 'ballast');
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Fills the disk to the last byte; repeats if space was freed meanwhile. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (let bytes = PIECE.length; bytes > 0; ) {
        try {
          writeSync(file, PIECE, 0, bytes);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          bytes = Math.floor(bytes / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  /** Full but for so much, a whole number of pages (4 KB). */
  leave(bytes: number): void {
    this.fill();
    truncateSync(this.#ballast, statSync(this.#ballast).size - bytes);
  }

  release(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    command('umount', this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
