import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The key of the data folder, made at the first start: 32 bytes in hex, readable by its owner alone. */
export function ensureMasterKey(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, 'master-key');
  const draft = `${file}.${process.pid}`;
  // Flushed: data sealed with it must not outlive it in a power failure.
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    // By link, so that of two concurrent processes one wins and a partly written key is never visible.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  chmodSync(file, 0o600);
  return readKey(file);
}

function readKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== 32) throw new Error(`${file} is spoiled: it does not hold 32 bytes in hex`);
  return key;
}

/** The key of the data folder; null: it has none. */
export function readMasterKey(dataDir: string): Buffer | null {
  const file = path.join(dataDir, 'master-key');
  return existsSync(file) ? readKey(file) : null;
}

/** Stores the key in a data folder that has none. */
export function saveMasterKey(dataDir: string, key: Buffer): void {
  const file = path.join(dataDir, 'master-key');
  if (!existsSync(file)) writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600, flush: true });
}
