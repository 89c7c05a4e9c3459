/**
 * Measures bulk sending with everything real: an embedded PostgreSQL with fsync, the carriers in a separate process,
 * the sender role in another. Run by the benches; arguments: count, window, customers, existing rows in `message`,
 * messages accepted together, whether the events of the first customer are followed on a stream (1).
 * PAHATID_BENCH_URL: an empty database of a server on this machine, or of the coordinator of a Citus cluster on it, instead of
 * the embedded one. Prints one JSON object.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate } from '@pahatid/db';
import { buildApplication, buildCustomer, buildTask, buildTemplate } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { cpuMs, freePort, listNodes, peakMemory, prefillMessages, until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { roleCommand } from '../../roles/role-command.ts';
import type { AcceptRequest } from '../accept/accept.ts';
import { masterKey, Scene } from './scene.ts';

const [count = 50_000, windowSize = 200, customers = 1, prefill = 0, slice = 5_000, listens = 0] = process.argv
  .slice(2)
  .map(Number);
const FOLLOW = path.join(import.meta.dirname, '../../features/live-events/testing/follow.ts');
const SIMULATOR = path.join(import.meta.dirname, '../../../../carrier-simulator/src/main.ts');

const children: ChildProcess[] = [];
const run = ([program, ...words]: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}): ChildProcess => {
  const child = spawn(program, words, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
};

const oneRow = async (pool: Pool, text: string): Promise<Record<string, number>> =>
  (await pool.query<Record<string, number>>(text)).rows[0]!;

type Sender = Pick<AcceptRequest, 'customerId' | 'appId' | 'taskId'>;

/** One more customer with a task that is being sent. */
const addCustomer = async (pool: Pool): Promise<Sender> => {
  const customerId = await buildCustomer(pool, { quietHoursExempt: true });
  const appId = await buildApplication(pool, { customerId, chargeType: 'SenderPays' });
  const templateId = await buildTemplate(pool, { customerId, appId, smsType: 2, content: 'Hi' });
  const taskId = await buildTask(pool, { customerId, appId, templateId, smsType: 2, taskStatus: 5 });
  return { customerId, appId, taskId };
};

/** What a stream of a person of the customer costs and shows, in a separate process. */
const startListener = async (url: string, customerId: string) => {
  const child = spawn(process.execPath, [FOLLOW, customerId], {
    stdio: ['ignore', 'pipe', process.stderr],
    env: { ...process.env, DATABASE_URL: url },
  });
  children.push(child);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => said.includes('listening'), { timeoutMs: 60_000 });
  return {
    child,
    async end(): Promise<{ shown: number; skipped: number }> {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'close');
      return JSON.parse(said.split('\n')[1] ?? '') as { shown: number; skipped: number };
    },
  };
};

/** `pids`: of the postmasters of all nodes. */
const startDatabase = async (): Promise<{ url: string; pids: readonly number[]; stop: () => Promise<void> }> => {
  const given = process.env['PAHATID_BENCH_URL'];
  if (given !== undefined) return { url: given, pids: await findPostmasters(given), stop: async () => {} };
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
  const embedded = await startEmbedded({ dataDir });
  const stop = async (): Promise<void> => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: embedded.url, pids: [embedded.pid], stop };
};

const findPostmasters = async (url: string): Promise<number[]> => {
  const pids: number[] = [];
  for (const node of await listNodes(url)) {
    const pool = makePool({ url: node, applicationName: 'pahatid bench' });
    const { pid } = await oneRow(pool, `select split_part(pg_read_file('postmaster.pid'), e'\n', 1)::int as pid`);
    pids.push(pid!);
    await pool.end();
  }
  return pids;
};

const database = await startDatabase();
try {
  await migrate({ url: database.url });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
  const port = await freePort();
  const control = await freePort();
  const simulator = run([
    process.execPath,
    SIMULATOR,
    ...['--port', String(port), '--control', String(control)],
    ...['--outcomes', 'delivered=1', '--receipt-delay', '5-100'],
  ]);
  const scene = await Scene.build({ pool, port, tps: 100_000, windowSize });
  const senders: Sender[] = [scene];
  while (senders.length < customers) senders.push(await addCustomer(pool));
  if (prefill > 0) {
    const old = await addCustomer(pool);
    const { rows } = await pool.query<{ supplier_id: string; route_id: string }>(
      'select supplier_id, route_id from route limit 1',
    );
    const { supplier_id: supplierId, route_id: routeId } = rows[0]!;
    await prefillMessages(pool, { customerId: old.customerId, appId: old.appId, supplierId, routeId }, prefill);
  }
  await pool.query('update task set paused = 1');
  let firstId: bigint | null = null;
  const accepting = performance.now();
  for (let from = 0; from < count; from += slice) {
    const { customerId, appId, taskId } = senders[(from / slice) % senders.length]!;
    const recipients = scene.recipients(Math.min(slice, count - from), from);
    const accepted = await scene.accept(recipients, { customerId, appId, taskId });
    firstId ??= accepted.firstId;
  }
  const acceptSeconds = (performance.now() - accepting) / 1_000;
  await pool.query('checkpoint');
  const sender = run(roleCommand('sender'), {
    DATABASE_URL: database.url,
    PAHATID_SECRET: masterKey.toString('hex'),
    PAHATID_LOG: 'warn',
  });
  await until(
    async () => (await oneRow(pool, `select count(*)::int n from bind_state where state = 'bound'`))['n'] === 6,
    { timeoutMs: 30_000 },
  );
  const listener = listens === 1 ? await startListener(database.url, scene.customerId) : null;
  const partitions = `relid in (select inhrelid from pg_inherits where inhparent = 'message'::regclass)`;
  const written = `select pg_current_wal_lsn() - '0/0'::pg_lsn as wal,
    (select sum(n_tup_upd) from pg_stat_user_tables where ${partitions})::int as updates,
    (select sum(n_tup_hot_upd) from pg_stat_user_tables where ${partitions})::int as hot`;
  const meter = () => ({
    sender: cpuMs(sender.pid!),
    simulator: cpuMs(simulator.pid!),
    postgres: database.pids.reduce((sum, pid) => sum + cpuMs(pid, true), 0),
    listener: listener === null ? 0 : cpuMs(listener.child.pid!),
  });
  const rowsBefore = await oneRow(pool, written);
  const before = meter();
  const start = performance.now();
  await pool.query('update task set paused = 0');
  await pool.query(`select pg_notify('pahatid_batch', '')`);
  const delivered = `select coalesce(sum(receipt_success), 0)::int n from report_minute`;
  await until(async () => (await oneRow(pool, delivered))['n'] === count, { timeoutMs: 900_000, everyMs: 50 });
  const seconds = (performance.now() - start) / 1_000;
  const after = meter();
  const senderPeak = peakMemory(sender.pid!);
  // Table statistics are reported a second late: they are complete when they stop changing.
  let last = -1;
  const isStill = async () => {
    const before = last;
    last = (await oneRow(pool, written))['updates']!;
    return last === before;
  };
  await until(isStill, { timeoutMs: 20_000, everyMs: 1_500 });
  const rowsAfter = await oneRow(pool, written);
  const { good } = await oneRow(
    pool,
    `select count(*) filter (where send_status = 3 and client_status = 2)::int as good
     from message where message_id >= ${String(firstId)}`,
  );
  const { counted } = await oneRow(pool, 'select sum(delivered_count)::int as counted from task_progress');
  const perMessage = (part: keyof typeof before): number => ((after[part] - before[part]) * 1_000) / count;
  const { stdout } = process;
  stdout.write(
    `${JSON.stringify({
      count,
      windowSize,
      customers,
      prefill,
      binds: 6,
      cores: availableParallelism(),
      seconds,
      perSecond: count / seconds,
      acceptPerSecond: count / acceptSeconds,
      cpuMicros: {
        sender: perMessage('sender'),
        simulator: perMessage('simulator'),
        postgres: perMessage('postgres'),
        listener: perMessage('listener'),
        all: perMessage('sender') + perMessage('simulator') + perMessage('postgres') + perMessage('listener'),
      },
      events: await listener?.end(),
      senderPeak,
      walBytes: (Number(rowsAfter['wal']) - Number(rowsBefore['wal'])) / count,
      rows: {
        delivered: good,
        counted,
        updates: rowsAfter['updates']! - rowsBefore['updates']!,
        hot: rowsAfter['hot']! - rowsBefore['hot']!,
      },
    })}\n`,
  );
  sender.kill('SIGTERM');
  await once(sender, 'exit');
  await scene.close();
  await pool.end();
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await database.stop();
}
