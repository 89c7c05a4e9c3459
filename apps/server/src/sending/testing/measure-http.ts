/**
 * Measures how many messages the HTTP API accepts, with everything real: an embedded PostgreSQL with fsync and the api
 * role in separate processes, called over TCP by this one. Each call is answered after its commit. By connections and
 * messages a call: first as fast as the answers come, then at a steady rate, for which latency is taken from the instant
 * at which a call was due. Arguments: seconds of each measurement; `single` or `bulk` for these calls alone. Prints one
 * JSON object.
 *
 * No sender takes what is accepted, so this program ends the batches four times a second: without that the money
 * held for them would be summed over ever more rows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePool, migrate, one, run, sql } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildDefaultPrice,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
} from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { cpuMs, freePort, until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { roleCommand } from '../../roles/role-command.ts';
import { makeSecrets } from '../../secrets/secrets.ts';
import { HttpClient } from './http-client.ts';
import { masterKey } from './scene.ts';

const [seconds, only] = [Number(process.argv[2] ?? 6), process.argv[3]];
const APP_SECRET = 'measured-secret';
const CUSTOMERS = 10;
const BULK = 1_000;
/** Messages a second of the steady rates: half of the figures to hold. */
const STEADY = { single: 1_500, bulk: 12_500 };
const WARM_UP_S = 2;
/** As `Retry-After` of a refusal asks: coming again sooner costs the server a validation each time. */
const BUSY_PAUSE_MS = 1_000;

interface Plan {
  readonly connections: number;
  readonly perCall: number;
  /** Messages a second; null: as fast as the answers come. */
  readonly rate: number | null;
}

const plans: readonly Plan[] = [
  { connections: 10, perCall: 1, rate: null },
  { connections: 100, perCall: 1, rate: null },
  { connections: 10, perCall: BULK, rate: null },
  { connections: 100, perCall: BULK, rate: null },
  { connections: 100, perCall: 1, rate: STEADY.single },
  { connections: 100, perCall: BULK, rate: STEADY.bulk },
];

const isChosen = ({ perCall }: Plan): boolean => only === undefined || (only === 'single') === (perCall === 1);

let sequence = 0;
const entry = () => {
  sequence += 1;
  return {
    to: `63917${String(sequence % 10_000_000).padStart(7, '0')}`,
    smsType: 1,
    content: `Your code is ${100_000 + (sequence % 900_000)}.`,
  };
};
const bodyOf = (perCall: number): string =>
  JSON.stringify(perCall === 1 ? entry() : { messages: Array.from({ length: perCall }, entry) });

interface Caller {
  readonly client: HttpClient;
  readonly authorization: string;
}

/** What one measurement counts; calls that end before `fromMs` are warm-up. */
interface Count {
  readonly fromMs: number;
  accepted: number;
  busy: number;
  readonly latenciesMs: number[];
}

async function call({ client, authorization }: Caller, { perCall }: Plan, dueMs: number, count: Count): Promise<void> {
  const body = bodyOf(perCall);
  for (;;) {
    const answer = await client.post('/api/v1/messages', authorization, body);
    const now = performance.now();
    if (answer.status === 202) {
      if (now < count.fromMs) return;
      count.accepted += perCall;
      count.latenciesMs.push(now - dueMs);
      return;
    }
    if (answer.status !== 503) throw new Error(`${answer.status} ${answer.body}`);
    count.busy += 1;
    await sleep(BUSY_PAUSE_MS);
  }
}

async function asFastAsAnswered(callers: readonly Caller[], plan: Plan, untilMs: number, count: Count): Promise<void> {
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < untilMs) await call(caller, plan, performance.now(), count);
    }),
  );
}

/** A call that is due while all connections are in use waits for one, and its latency includes that. */
async function atRate(
  callers: readonly Caller[],
  plan: Plan & { rate: number },
  untilMs: number,
  count: Count,
): Promise<void> {
  const intervalMs = (1_000 * plan.perCall) / plan.rate;
  let dueMs = performance.now();
  await Promise.all(
    callers.map(async (caller) => {
      for (;;) {
        const mine = dueMs;
        if (mine >= untilMs) return;
        dueMs += intervalMs;
        if (mine > performance.now()) await sleep(mine - performance.now());
        await call(caller, plan, mine, count);
      }
    }),
  );
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

async function measure(plan: Plan, callers: readonly Caller[], pids: { api: number; database: number }) {
  const some = callers.slice(0, plan.connections);
  const untilMs = performance.now() + (WARM_UP_S + seconds) * 1_000;
  const count: Count = { fromMs: performance.now() + WARM_UP_S * 1_000, accepted: 0, busy: 0, latenciesMs: [] };
  const cpu = () => ({
    api: cpuMs(pids.api),
    database: cpuMs(pids.database, true),
    client: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
  });
  const begun = sleep(WARM_UP_S * 1_000).then(cpu);
  const { rate } = plan;
  await (rate === null
    ? asFastAsAnswered(some, plan, untilMs, count)
    : atRate(some, { ...plan, rate }, untilMs, count));
  const tookMs = performance.now() - count.fromMs;
  const [before, after] = [await begun, cpu()];
  const sorted = count.latenciesMs.toSorted((a, b) => a - b);
  const each = (name: keyof typeof after): number => ((after[name] - before[name]) * 1_000) / count.accepted;
  return {
    ...plan,
    accepted: count.accepted,
    busy: count.busy,
    perSecond: (count.accepted * 1_000) / tookMs,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    /** Microseconds a message. */
    cpu: { api: each('api'), database: each('database'), client: each('client') },
  };
}

async function addCallers(pool: Pool): Promise<string[]> {
  const secrets = makeSecrets(masterKey);
  await buildSimulatedCarriers(pool, { port: 1, secrets });
  await buildPrefixes(pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(pool, 3_500);
  const authorizations: string[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const customerId = await buildCustomer(pool, { balance: 1e13 });
    const credentials = { appSecret: APP_SECRET, smppPassword: 'measured', secrets };
    const appId = await buildApplication(pool, { customerId, credentials });
    await buildSender(pool, { customerId, appId, senderId: `SHOP${n}` });
    authorizations.push(`Basic ${Buffer.from(`${appId}:${APP_SECRET}`).toString('base64')}`);
  }
  return authorizations;
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
let api: ChildProcess | null = null;
let ending: Promise<void> | null = null;
let isOver = false;
try {
  await migrate({ url: database.url });
  const authorizations = await addCallers(pool);
  const port = await freePort();
  const [program, ...words] = roleCommand('api');
  api = spawn(program, words, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_PORT: String(port),
      PAHATID_LOG: 'warn',
      PAHATID_RATE_APPLICATION: '1000000',
    },
  });
  await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, { what: 'the HTTP role' });
  const callers: Caller[] = [];
  for (let n = 0; n < 100; n += 1)
    callers.push({ client: await HttpClient.open(port), authorization: authorizations[n % CUSTOMERS] ?? '' });
  ending = (async () => {
    while (!isOver) {
      await run(pool, sql`update batch set state = 2 where state = 0`);
      await sleep(250);
    }
  })();
  const pids = { api: api.pid ?? 0, database: database.pid };
  const results = [];
  for (const plan of plans.filter(isChosen)) results.push(await measure(plan, callers, pids));
  const { messages } = await one<{ messages: number }>(pool, sql`select count(*)::int as messages from message`);
  process.stdout.write(`${JSON.stringify({ cores: availableParallelism(), messages, results })}\n`);
  for (const { client } of callers) client.close();
  api.kill('SIGTERM');
  await once(api, 'exit');
} finally {
  isOver = true;
  if (api?.exitCode === null) api.kill('SIGKILL');
  await ending;
  await pool.end();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
