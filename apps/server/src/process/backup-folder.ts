import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeDurably } from '@pahatid/db/backup';

const toFile = (dataDir: string): string => path.join(dataDir, 'backup-folder');

/** Where the last backup of this data folder went; null: none was made. */
export function readBackupFolder(dataDir: string): string | null {
  try {
    return readFileSync(toFile(dataDir), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** From then on the running program copies the WAL there. */
export const saveBackupFolder = (dataDir: string, folder: string): Promise<void> =>
  writeDurably(toFile(dataDir), `${folder}\n`);

/** The folder that was named, else that of the last backup, else one in the data folder. */
export const chooseBackupFolder = (dataDir: string, named: string | undefined): string =>
  named === undefined ? (readBackupFolder(dataDir) ?? path.join(dataDir, 'backups')) : path.resolve(named);
