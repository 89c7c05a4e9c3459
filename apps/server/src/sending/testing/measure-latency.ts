/**
 * Measures how long a code takes from its 202 to the carrier's socket, with everything real: an embedded PostgreSQL
 * with fsync, the HTTP role, the sender role and the carriers in separate processes. First when idle, then while a
 * marketing task of another customer is being sent. Arguments: marketing messages, codes when idle. Prints one JSON
 * object.
 *
 * "Written" is the sender's time in the row (`submitted_at`, the instant it passed the submit_sm to the socket), so all
 * instants are of this machine's one clock, in milliseconds.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePool, migrate } from '@pahatid/db';
import { buildApplication, buildCustomer, buildSender, buildTask, buildTemplate } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { freePort, until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { roleCommand } from '../../roles/role-command.ts';
import { makeSecrets } from '../../secrets/secrets.ts';
import { masterKey, Scene } from './scene.ts';

const [load = 200_000, idleCodes = 300] = process.argv.slice(2).map(Number);
const SIMULATOR = path.join(import.meta.dirname, '../../../../carrier-simulator/src/main.ts');
const SLICE = 10_000;
const APP_SECRET = 'measured-secret';
/** Interval between codes, irregular: a regular one could synchronize with what it waits for. */
const GAP_MS = { from: 15, to: 65 };
/** The load counts as running between these shares of it. */
const UNDER_WAY = { from: 0.03, to: 0.97 };

const children: ChildProcess[] = [];
const run = ([program, ...words]: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}): ChildProcess => {
  const child = spawn(program, words, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
};

const oneNumber = async (pool: Pool, text: string): Promise<number> =>
  Number((await pool.query<{ n: number }>(text)).rows[0]!.n);

const nowMs = (): number => performance.timeOrigin + performance.now();
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

interface Sent {
  messageId: string;
  askedMs: number;
  answeredMs: number;
}

/** One code over HTTP. */
const sendCode = (port: number, authorization: string, n: number): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({
      to: `63917${String(9_000_000 + n)}`,
      smsType: 1,
      content: `Your code is ${100_000 + n}.`,
    });
    const askedMs = nowMs();
    const call = request(
      {
        port,
        host: '127.0.0.1',
        agent,
        method: 'POST',
        path: '/api/v1/messages',
        headers: { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const answeredMs = nowMs();
          if (response.statusCode !== 202) reject(new Error(`${String(response.statusCode)} ${text}`));
          else resolve({ messageId: (JSON.parse(text) as Sent).messageId, askedMs, answeredMs });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? 0;

/** Returns the milliseconds of each code: its call, and from its response and from its call to the socket. */
const readLatencies = async (pool: Pool, codes: readonly Sent[]) => {
  const ids = codes.map(({ messageId }) => messageId);
  await until(
    async () =>
      (await oneNumber(
        pool,
        `select count(*)::int n from message where message_id in (${ids.join(',')}) and send_status = 3`,
      )) === ids.length,
    { timeoutMs: 120_000, everyMs: 100, what: 'the carriers took all codes' },
  );
  const { rows } = await pool.query<{ message_id: string; at: number }>(
    `select message_id, (extract(epoch from submitted_at) * 1000)::float8 as at from message where message_id = any($1::bigint[])`,
    [ids],
  );
  const written = new Map(rows.map((row) => [row.message_id, row.at]));
  const all = codes.map((code) => ({ ...code, writtenMs: written.get(code.messageId)! }));
  const figures = (values: number[]) => ({
    p50: percentile(values, 0.5),
    p99: percentile(values, 0.99),
    max: Math.max(...values),
  });
  return {
    codes: all.length,
    // The sender may write before the caller has read the response: that is no latency.
    fromAnswer: figures(all.map((each) => Math.max(0, each.writtenMs - each.answeredMs))),
    fromCall: figures(all.map((each) => each.writtenMs - each.askedMs)),
    call: figures(all.map((each) => each.answeredMs - each.askedMs)),
  };
};

const gap = (): Promise<void> => sleep(GAP_MS.from + Math.random() * (GAP_MS.to - GAP_MS.from));

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
try {
  await migrate({ url: database.url });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
  const [carrierPort, controlPort, httpPort] = [await freePort(), await freePort(), await freePort()];
  run([
    process.execPath,
    SIMULATOR,
    ...['--port', String(carrierPort), '--control', String(controlPort)],
    ...['--outcomes', 'delivered=1', '--receipt-delay', '5-100'],
  ]);
  const scene = await Scene.build({ pool, port: carrierPort, tps: 100_000, windowSize: 200, smsType: 3 });
  // The customer that sends codes is not the one that sends the campaign.
  const customerId = await buildCustomer(pool);
  const appId = await buildApplication(pool, {
    customerId,
    credentials: { appSecret: APP_SECRET, smppPassword: 'measured', secrets: makeSecrets(masterKey) },
  });
  await buildSender(pool, { customerId, appId, senderId: 'CODES' });
  const authorization = `Basic ${Buffer.from(`${appId}:${APP_SECRET}`).toString('base64')}`;
  const templateId = await buildTemplate(pool, {
    customerId: scene.customerId,
    appId: scene.appId,
    smsType: 3,
    content: 'Sale. Reply T to unsubscribe',
  });
  const taskId = await buildTask(pool, {
    customerId: scene.customerId,
    appId: scene.appId,
    templateId,
    smsType: 3,
    taskStatus: 5,
  });
  await pool.query('update task set paused = 1');
  for (let from = 0; from < load; from += SLICE)
    await scene.accept(scene.recipients(Math.min(SLICE, load - from), from), { taskId });
  await pool.query('vacuum analyze message');
  await pool.query('checkpoint');

  const env = {
    DATABASE_URL: database.url,
    PAHATID_SECRET: masterKey.toString('hex'),
    PAHATID_PORT: String(httpPort),
    PAHATID_LOG: 'warn',
  };
  const roles = (['sender', 'api'] as const).map((role) => run(roleCommand(role), env));
  const bound = `select count(*)::int n from bind_state where state = 'bound'`;
  await until(async () => (await oneNumber(pool, bound)) === 6, { timeoutMs: 60_000, what: 'all binds' });
  await until(async () => (await fetch(`http://127.0.0.1:${httpPort}/healthz`)).ok, {
    timeoutMs: 60_000,
    what: 'the HTTP role',
  });

  let n = 0;
  const codes: Sent[] = [];
  const next = async (): Promise<void> => {
    codes.push(await sendCode(httpPort, authorization, n++));
    await gap();
  };
  // The first ones make connections, plans and machine code.
  for (let i = 0; i < 50; i += 1) await next();
  codes.length = 0;
  while (codes.length < idleCodes) await next();
  const idle = await readLatencies(pool, codes);

  const sentOf = `select coalesce(sum(success_count + failed_count), 0)::int n from task_progress where task_id = '${taskId}'`;
  codes.length = 0;
  const start = performance.now();
  await pool.query('update task set paused = 0 where task_id = $1', [taskId]);
  await pool.query(`select pg_notify('pahatid_batch', '')`);
  let sent = 0;
  let isOver = false;
  const watching = (async () => {
    while (sent < load) {
      sent = await oneNumber(pool, sentOf);
      await sleep(200);
    }
    isOver = true;
  })();
  await until(() => sent >= load * UNDER_WAY.from || isOver, { timeoutMs: 120_000, what: 'the load under way' });
  while (sent < load * UNDER_WAY.to && !isOver) await next();
  const loaded = codes.length === 0 ? null : await readLatencies(pool, codes);
  await watching;
  const seconds = (performance.now() - start) / 1_000;

  process.stdout.write(
    `${JSON.stringify({ load, seconds, perSecond: load / seconds, cores: availableParallelism(), idle, loaded })}\n`,
  );
  agent.destroy();
  for (const role of roles) {
    role.kill('SIGTERM');
    await once(role, 'exit');
  }
  await scene.close();
  await pool.end();
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
