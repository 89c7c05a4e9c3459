import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Puts the entries of a folder on the disk: a renamed file may otherwise be gone after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The new name is on the disk when it returns. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(path.dirname(to));
}

/** The file is never seen half written. */
export async function writeDurably(file: string, content: string): Promise<void> {
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await renameDurably(draft, file);
}
