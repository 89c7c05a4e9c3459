/**
 * Measures bulk sending with everything real: an embedded PostgreSQL with fsync, the carriers in a process of their own,
 * the sender role in another. Run by `npm run bench -- send`; prints one JSON object.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate } from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import { freePort, until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { masterKey, Scene } from './scene.ts';

const count = Number(process.argv[2] ?? 50_000);
const windowSize = Number(process.argv[3] ?? 200);
/** Clock ticks a second in /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const TICK_MS = 10;
const SOURCES = path.join(import.meta.dirname, '../../../..');

const children: ChildProcess[] = [];
const run = (file: string, words: string[], env: NodeJS.ProcessEnv = {}): ChildProcess => {
  const child = spawn(process.execPath, [path.join(SOURCES, file), ...words], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
};

/** Processor time of a process so far; of PostgreSQL, of all its processes and those that have ended. */
const cpuMs = (pid: number, withChildren = false): number => {
  const pids = withChildren ? [pid, ...childrenOf(pid)] : [pid];
  return pids.reduce((sum, each) => sum + ticksOf(each, each === pid && withChildren) * TICK_MS, 0);
};
const statOf = (pid: number): string[] => {
  try {
    // The name may hold spaces: fields are counted from the bracket that closes it.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};
const ticksOf = (pid: number, withEnded: boolean): number => {
  const stat = statOf(pid);
  const fields = withEnded ? stat.slice(11, 15) : stat.slice(11, 13);
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0);
};
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => statOf(each)[1] === String(pid));

const oneRow = async (pool: Pool, text: string): Promise<Record<string, number>> =>
  (await pool.query<Record<string, number>>(text)).rows[0]!;

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
try {
  await migrate({ url: database.url });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench' });
  const port = await freePort();
  const control = await freePort();
  const simulator = run('carrier-simulator/src/main.ts', [
    ...['--port', String(port), '--control', String(control)],
    ...['--outcomes', 'delivered=1', '--receipt-delay', '5-100'],
  ]);
  const scene = await Scene.build({ pool, port, tps: 100_000, windowSize });
  await pool.query('update task set paused = 1');
  const accepting = performance.now();
  for (let from = 0; from < count; from += 5_000) {
    await scene.accept(scene.recipients(Math.min(5_000, count - from), from));
  }
  const acceptSeconds = (performance.now() - accepting) / 1_000;
  const sender = run('server/src/main.ts', ['run', '--role', 'sender'], {
    DATABASE_URL: database.url,
    PAHATID_SECRET: masterKey.toString('hex'),
    PAHATID_LOG: 'warn',
  });
  await until(
    async () => (await oneRow(pool, `select count(*)::int n from bind_state where state = 'bound'`))['n'] === 6,
    {
      timeoutMs: 30_000,
    },
  );
  const meter = () => ({
    sender: cpuMs(sender.pid!),
    simulator: cpuMs(simulator.pid!),
    postgres: cpuMs(database.pid, true),
  });
  const before = meter();
  const start = performance.now();
  await pool.query('update task set paused = 0');
  await pool.query(`select pg_notify('pahatid_batch', '')`);
  const delivered = `select coalesce(sum(receipt_success), 0)::int n, coalesce(sum(req_success), 0)::int s from report_minute`;
  await until(async () => (await oneRow(pool, delivered))['n'] === count, { timeoutMs: 300_000, everyMs: 50 });
  const seconds = (performance.now() - start) / 1_000;
  const after = meter();
  const rows = await oneRow(
    pool,
    `select count(*) filter (where send_status = 3 and client_status = 2)::int delivered, count(*)::int total,
       (select n_tup_upd::int from pg_stat_user_tables where relname = 'message_' || to_char(now() at time zone 'UTC', 'YYYYMM')) updates,
       (select n_tup_hot_upd::int from pg_stat_user_tables where relname = 'message_' || to_char(now() at time zone 'UTC', 'YYYYMM')) hot
     from message`,
  );
  const perMessage = (part: keyof typeof before): number => ((after[part] - before[part]) * 1_000) / count;
  console.log(
    JSON.stringify({
      count,
      windowSize,
      binds: 6,
      cores: availableParallelism(),
      seconds,
      perSecond: count / seconds,
      acceptPerSecond: count / acceptSeconds,
      cpuMicros: {
        sender: perMessage('sender'),
        simulator: perMessage('simulator'),
        postgres: perMessage('postgres'),
        all: perMessage('sender') + perMessage('simulator') + perMessage('postgres'),
      },
      rows,
    }),
  );
  sender.kill('SIGTERM');
  await once(sender, 'exit');
  await scene.close();
  await pool.end();
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
