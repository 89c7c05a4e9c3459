/**
 * Measures sending to one running carrier: an embedded PostgreSQL with fsync, the sender role in a separate process.
 * The only argument is a `CarrierMeasurement` in JSON; prints one JSON object.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate } from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import { cpuMs, until } from '@pahatid/testkit';
import { roleCommand } from '../../roles/role-command.ts';
import { masterKey, Scene } from './scene.ts';

interface CarrierMeasurement {
  /** SMPP port of the carriers. */
  port: number;
  count: number;
  bindCount: number;
  windowSize: number;
  /** What the product believes the carrier takes, segments a second. */
  tps: number;
  /** Of the first phone. */
  firstNumber: number;
}

const { port, count, bindCount, windowSize, tps, firstNumber } = JSON.parse(
  process.argv[2] ?? '',
) as CarrierMeasurement;
const SLICE = 5_000;

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
let sender: ReturnType<typeof spawn> | null = null;
try {
  await migrate({ url: database.url });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
  const scene = await Scene.build({ pool, port, tps, windowSize, bindCount });
  await pool.query('update task set paused = 1');
  const numberOf = async (text: string): Promise<number> => (await pool.query<{ n: number }>(text)).rows[0]?.n ?? 0;
  const accepting = performance.now();
  for (let from = 0; from < count; from += SLICE) {
    const recipients = Array.from({ length: Math.min(SLICE, count - from) }, (_, index) => ({
      msisdn: `63917${String(firstNumber + from + index).padStart(7, '0')}`,
      areaCode: 'PH',
      content: `Message ${from + index}. Your one-time PIN is 482913. It ends in 3 minutes.`,
      pkgTotal: 1,
    }));
    await scene.accept(recipients);
  }
  const acceptSeconds = (performance.now() - accepting) / 1_000;
  await pool.query('checkpoint');
  const [program, ...words] = roleCommand('sender');
  sender = spawn(program, words, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, DATABASE_URL: database.url, PAHATID_SECRET: masterKey.toString('hex'), PAHATID_LOG: 'warn' },
  });
  const bound = `select count(*)::int n from bind_state where state = 'bound'`;
  await until(async () => (await numberOf(bound)) === 3 * bindCount, { timeoutMs: 30_000 });
  const meter = () => ({ sender: cpuMs(sender?.pid ?? 0), postgres: cpuMs(database.pid, true) });
  const before = meter();
  const start = performance.now();
  await pool.query('update task set paused = 0');
  await pool.query(`select pg_notify('pahatid_batch', '')`);
  const sent = 'select coalesce(sum(req_success), 0)::int n from report_minute';
  await until(async () => (await numberOf(sent)) === count, { timeoutMs: 300_000, everyMs: 100 });
  const sentSeconds = (performance.now() - start) / 1_000;
  const delivered = 'select coalesce(sum(receipt_success), 0)::int n from report_minute';
  await until(async () => (await numberOf(delivered)) === count, { timeoutMs: 300_000, everyMs: 100 });
  const seconds = (performance.now() - start) / 1_000;
  const after = meter();
  const perMessage = (part: keyof typeof before): number => ((after[part] - before[part]) * 1_000) / count;
  process.stdout.write(
    `${JSON.stringify({
      sentSeconds,
      seconds,
      acceptSeconds,
      cpuMicros: { sender: perMessage('sender'), postgres: perMessage('postgres') },
    })}\n`,
  );
  const exited = once(sender, 'exit');
  sender.kill('SIGTERM');
  await exited;
  await scene.close();
  await pool.end();
} finally {
  if (sender?.exitCode === null) sender.kill('SIGKILL');
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
