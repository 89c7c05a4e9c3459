import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.ts';

/** Returns server settings, passed on the command line so that a new release's values also reach an old cluster. */
export function listSettings(binaries: Binaries, fast: boolean): Record<string, string> {
  const statements = existsSync(path.join(binaries.folder, 'lib/postgresql/pg_stat_statements.so'));
  return {
    listen_addresses: '127.0.0.1',
    // Access only by password over loopback.
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    logging_collector: 'off',
    track_io_timing: 'on',
    ...(statements && !fast ? { shared_preload_libraries: 'pg_stat_statements' } : {}),
    ...(fast ? FAST : DURABLE),
  };
}

const DURABLE = {
  max_connections: '100',
  shared_buffers: '256MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  max_wal_size: '2GB',
  // WAL that waits to be copied to a backup that can't be written: not the whole disk.
  max_slot_wal_keep_size: '8GB',
  // Before crash recovery, the server flushes its whole folder. File by file, its thousands of files took 5 s of a
  // start on a busy machine; with one call for the file system it takes only as long as writing what is not on disk
  // yet.
  ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
};

const FAST = {
  max_connections: '300',
  shared_buffers: '128MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '30min',
};
