/**
 * A disk whose power can be cut: ext4 on an image file on XFS, which copies a file at an instant by sharing its blocks
 * (reflink). The copy has the disk's content at that instant: when mounted, its journal is replayed as after a power
 * failure. Needs root, loop devices and mkfs.xfs.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const XFS_BYTES = 4 * 1024 ** 3;
const DISK_BYTES = 1024 ** 3;

const command = (program: string, ...words: string[]): void => {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
};

/** Returns why such a disk is impossible here; null if it is possible. */
export function whyNoCrashDisk(): string | null {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root';
  for (const program of ['mkfs.xfs', 'mkfs.ext4', 'losetup'])
    if (spawnSync(program, ['-V']).error !== undefined) return `needs ${program}`;
  try {
    new CrashDisk().remove();
    return null;
  } catch (error) {
    return `no loop devices: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export class CrashDisk {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-disk-'));
  readonly #mounted: string[] = [];
  #cuts = 0;

  constructor() {
    try {
      this.#make('pool.img', XFS_BYTES, ['mkfs.xfs', '-q', '-m', 'reflink=1'], 'pool');
      this.#make('pool/disk.img', DISK_BYTES, ['mkfs.ext4', '-q', '-F'], 'disk');
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** For the database. */
  get folder(): string {
    return path.join(this.#folder, 'disk', 'data');
  }

  /** Everything written so far reaches the disk. */
  settle(): void {
    command('sync', '-f', this.folder);
  }

  /** Returns the disk's content at this instant, as a separate folder. */
  cut(): string {
    this.#cuts += 1;
    const image = path.join(this.#folder, `pool/cut-${this.#cuts}.img`);
    command('cp', '--reflink=always', path.join(this.#folder, 'pool/disk.img'), image);
    const at = this.#mount(image, `cut-${this.#cuts}`);
    return path.join(at, 'data');
  }

  /** Of a cut that is done with. */
  release(): void {
    const at = this.#mounted.pop();
    if (at !== undefined) command('umount', at);
    rmSync(path.join(this.#folder, `pool/cut-${this.#cuts}.img`));
  }

  remove(): void {
    for (const at of this.#mounted.splice(0).reverse()) command('umount', at);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #make(image: string, bytes: number, mkfs: readonly [string, ...string[]], name: string): void {
    const file = path.join(this.#folder, image);
    writeFileSync(file, '');
    truncateSync(file, bytes);
    command(mkfs[0], ...mkfs.slice(1), file);
    mkdirSync(path.join(this.#mount(file, name), 'data'), { recursive: true });
  }

  #mount(image: string, name: string): string {
    const at = path.join(this.#folder, name);
    mkdirSync(at, { recursive: true });
    command('mount', '-o', 'loop', image, at);
    this.#mounted.push(at);
    return at;
  }
}
