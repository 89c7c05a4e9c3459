/** PgBouncer in transaction mode in front of a database, as Debian packages it. Ended after the test. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { freePort, until } from '@pahatid/testkit';

const PROGRAM = '/usr/sbin/pgbouncer';

export const whyNoPgBouncer = (): string | false =>
  existsSync(PROGRAM) ? false : 'PgBouncer of Debian is not installed here';

/** Returns its address. `connections`: to the server, at most. */
export async function startPgBouncer(t: TestContext, url: string, connections: number): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-pgbouncer-'));
  chmodSync(folder, 0o755);
  const listenPort = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: connections,
    max_client_conn: 500,
  };
  const file = path.join(folder, 'pgbouncer.ini');
  const server = `host=${hostname} port=${port} user=${username} password='${decodeURIComponent(password)}'`;
  writeFileSync(
    file,
    [
      `[databases]\n${pathname.slice(1)} = ${server}\n[pgbouncer]`,
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
    { mode: 0o644 },
  );
  // It does not run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const program = spawn(PROGRAM, ['-q', file], { stdio: 'ignore', ...user });
  t.after(() => {
    program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = net.connect(listenPort, '127.0.0.1', () => socket.end(() => resolve(true)));
        socket.on('error', () => resolve(false));
      }),
    { what: 'PgBouncer' },
  );
  return `postgres://${username}@127.0.0.1:${listenPort}${pathname}?sslmode=disable`;
}
