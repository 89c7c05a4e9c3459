/**
 * The oldest PostgreSQL that the product supports, as installed by Debian: tests what an older planner does differently
 * from the embedded one. A separate cluster in a temporary folder, without fsync, deleted with the test file.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** Returns the address of a superuser's database in a new cluster; null if these programs are not installed. */
export async function oldestPostgresUrl(): Promise<string | null> {
  if (!existsSync(path.join(PROGRAMS, 'postgres'))) return null;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-oldest-'));
  const rights = ownerOf(folder);
  const initdb = spawnSync(
    path.join(PROGRAMS, 'initdb'),
    ['-D', folder, '-U', 'pahatid', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { cwd: folder, encoding: 'utf8', ...rights },
  );
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.stderr}`);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'shared_buffers=128MB'];
  const server = spawn(
    path.join(PROGRAMS, 'postgres'),
    ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { cwd: folder, stdio: 'ignore', ...rights },
  );
  const gone = new Promise((resolve) => server.once('exit', resolve));
  after(async () => {
    // An immediate shutdown: none of its data is kept.
    server.kill('SIGQUIT');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `postgres://pahatid@127.0.0.1:${port}/postgres`;
  await until(() => canConnect(url));
  return url;
}

/** PostgreSQL does not run as root: then the user that Debian made for it runs it. */
function ownerOf(folder: string): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((each) => each.split(':'))
    .find(([name]) => name === 'postgres');
  if (line === undefined) throw new Error('there is no user postgres to run PostgreSQL as');
  const owner = { uid: Number(line[2]), gid: Number(line[3]) };
  chownSync(folder, owner.uid, owner.gid);
  return owner;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
