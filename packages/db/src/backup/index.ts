export { writeDurably } from './durable-files.ts';
export { type BackupList, type FoundBackup, listBackups, type Manifest } from './manifest.ts';
export { type Restored, RestoreError, restoreCluster } from './restore-cluster.ts';
export { takeBackup, walLock } from './take-backup.ts';
export { readWalPosition, WalCopier, WalLostError } from './wal-copy.ts';
