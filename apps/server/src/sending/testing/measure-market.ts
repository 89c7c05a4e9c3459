/**
 * Measures sending as it is in real life: 100 customers, one with most of the volume, that send campaigns, notices and
 * codes through ten suppliers with small windows, slow answers, throttling and an outage; with batches that are held,
 * late receipts, short links, rules and callbacks. Everything is real: an embedded PostgreSQL with fsync; three senders,
 * two api processes, the jobs and the carriers in separate processes. Arguments: seconds of load, held batches. Prints one
 * JSON object.
 *
 * Campaigns are accepted before and are more than the suppliers can take; codes and notices follow the carriers' count,
 * so that the mixture stays. A code is "written" when a carrier reads it first, whatever it answers: all instants are of
 * this machine's clock, in milliseconds.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { leaseWriter, makePool, many, migrate, one, run, sql, uuidV7 } from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import { setPaused } from '@pahatid/db/queries/tasks';
import { until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { RoutingTable } from '../route/routing-table.ts';
import { MarketCarriers, type Seen } from './market/carriers.ts';
import { checkMarket } from './market/check.ts';
import { type CampaignCount, divideByShare } from './market/fairness.ts';
import { MarketLoad, type SentSingle } from './market/load.ts';
import { BINDS, FAILING, PACE, SHARES, SUPPLIERS } from './market/plan.ts';
import { type CpuByRole, MarketProcesses } from './market/processes.ts';
import { acceptCampaigns, addCustomers, addHeld, addSuppliers, type MarketCustomer } from './market/world.ts';

const [seconds = 90, held = 100_000] = process.argv.slice(2).map(Number);
const SENDING = 5;
/** What is read before and after the load is under way. */
const WARM_UP_MS = 5_000;
/** The outage begins with the second third of the load; it lasts a minute, or that third of a short one. */
const OUTAGE_AT = 1 / 3;
const OUTAGE_MS = Math.min(60_000, (seconds * 1_000) / 3);
const ESME_RSYSERR = 8;
const SLOT_S = 0.25;
/** In flight after the load: windows, retries of what was throttled, and the last single messages. */
const DRAIN_MS = 120_000;

const count = async (pool: Pool, text: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await one<{ n: number }>(pool, text)).n;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

const close = (server: Server): void => {
  server.close();
  server.closeAllConnections();
};

/** A customers' server that takes every callback. */
const startReceiver = async () => {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().on('end', () => response.end('ok'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, count: () => received, close: () => close(server) };
};

const resume = async (pool: Pool, customers: readonly MarketCustomer[]): Promise<void> => {
  const change = { customerId: null, from: [SENDING], paused: 0 as const, reason: null, takesOver: false };
  await Promise.all(customers.map(({ taskId }) => setPaused(pool, { ...change, taskId })));
  await run(pool, sql`select pg_notify('pahatid_batch', '')`);
};

const sleepUntil = (unixMs: number): Promise<void> => sleep(Math.max(0, unixMs - Date.now()));

interface Instants {
  /** Unix ms. */
  from: number;
  to: number;
  down: number;
  up: number;
}

/** Everything that the load moves, between two instants. */
const runLoad = async (carriers: MarketCarriers, meter: () => CpuByRole, startedMs: number) => {
  await sleep(WARM_UP_MS);
  const at: Instants = { from: Date.now(), to: 0, down: 0, up: 0 };
  const [before, cpuBefore] = [(await carriers.counters()).submits, meter()];
  await sleepUntil(startedMs + seconds * 1_000 * OUTAGE_AT);
  at.down = Date.now();
  await carriers.goDown(ESME_RSYSERR);
  await sleep(OUTAGE_MS);
  await carriers.comeBack();
  at.up = Date.now();
  await sleepUntil(startedMs + seconds * 1_000);
  const [after, cpuAfter] = [(await carriers.counters()).submits, meter()];
  at.to = Date.now();
  const submits = after - before;
  const cpu = Object.fromEntries(
    Object.entries(cpuAfter).map(([name, ms]) => [name, ((ms - cpuBefore[name as keyof CpuByRole]) * 1_000) / submits]),
  );
  return { at, submits, perSecond: (submits * 1_000) / (at.to - at.from), cpu };
};

/** Of codes: those that a failing supplier was meant to take are judged by how long they waited for another. */
const judgeCodes = (
  codes: readonly SentSingle[],
  seen: ReadonlyMap<string, Seen>,
  { at, isForFailing }: { at: Instants; isForFailing: (msisdn: string) => boolean },
) => {
  const [latencies, calls, waits]: number[][] = [[], [], []];
  for (const { msisdn, askedMs, answeredMs } of codes) {
    const firstMs = seen.get(msisdn)?.firstMs;
    if (firstMs === undefined || answeredMs < at.from) continue;
    calls?.push(answeredMs - askedMs);
    // The carrier may have it before the caller has read the answer: that is no latency.
    const latency = Math.max(0, firstMs - answeredMs);
    const isHit = isForFailing(msisdn) && firstMs > at.down && answeredMs < at.up;
    if (isHit) waits?.push(firstMs - Math.max(answeredMs, at.down));
    else latencies?.push(latency);
  }
  const spread = (values: number[] = []) => ({
    count: values.length,
    p50: percentile(values, 0.5),
    p99: percentile(values, 0.99),
    max: Math.max(0, ...values),
  });
  return { written: spread(latencies), answered: spread(calls), rerouted: spread(waits) };
};

/** The slowest small customer, and the big one, against their shares. */
const judgeFairness = async (pool: Pool, [big, ...small]: readonly MarketCustomer[], endMs: number) => {
  const counts = await many<CampaignCount>(
    pool,
    sql`select customer_id as "customerId", floor(extract(epoch from submitted_at) / ${SLOT_S}::float8)::float8 as slot,
          count(*)::int as count
        from message where sms_type = 3 and submitted_at <= ${new Date(endMs)} group by 1, 2`,
  );
  const volumes = new Map([big, ...small].flatMap((each) => (each ? [[each.customerId, each.volume] as const] : [])));
  const ratios = divideByShare(counts, volumes);
  const ofSmall = small.map(({ customerId }) => ratios.get(customerId) ?? Number.NaN);
  return { slowest: Math.max(...ofSmall), median: percentile(ofSmall, 0.5), big: ratios.get(big?.customerId ?? '') };
};

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
const carriers = await MarketCarriers.start();
const receiver = await startReceiver();
const processes = new MarketProcesses(database.url, dataDir);
const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
try {
  await migrate({ url: database.url });
  const suppliers = await addSuppliers(pool, carriers.port);
  const campaigns = Math.round(PACE * SHARES.campaigns * seconds);
  const customers = await addCustomers(pool, campaigns, receiver.url);
  const routing = await RoutingTable.load(pool);
  const writer = await leaseWriter(pool, uuidV7());
  const from = await acceptCampaigns(pool, { writer, routing }, customers);
  await writer.release();
  await addHeld(pool, customers, held);
  for (const table of ['message', 'batch']) await pool.query(`vacuum analyze ${table}`);
  await pool.query('checkpoint');

  await processes.start();
  const bound = sql<{ n: number }>`select count(*)::int as n from bind_state where state = 'bound'`;
  await until(async () => (await count(pool, bound)) === SUPPLIERS.length * BINDS, { what: 'all binds' });
  // What is held is parked by the first claims: campaigns, too, until they are resumed.
  const ready = sql<{ n: number }>`select count(*)::int as n from batch where state = 0`;
  await until(async () => (await count(pool, ready)) === 0, { timeoutMs: 300_000, everyMs: 500, what: 'all parked' });
  // What autovacuum does within minutes: they are held for hours.
  await pool.query('vacuum batch');

  const readTaken = async (): Promise<number> => (await carriers.counters()).submits;
  const load = new MarketLoad({ ports: processes.apiPorts, customers, from: from + 1, readTaken });
  const startedMs = Date.now();
  await resume(pool, customers);
  load.start();
  const pids = { simulator: carriers.pid, database: database.pid };
  const measured = await runLoad(carriers, () => processes.cpu(pids), startedMs);
  await load.stop();
  const memory = processes.memory();
  processes.assertRunning();
  const { at } = measured;
  const fairness = await judgeFairness(pool, customers, at.to);
  const pacing = Object.entries((await carriers.counters()).carriers).flatMap(([name, { peakPerSecond }]) => {
    const tps = SUPPLIERS.find((supplier) => supplier.name === name)?.tps;
    return tps === undefined ? [] : [peakPerSecond / tps];
  });

  await run(pool, sql`update task set paused = 1 where task_status = ${SENDING}`);
  // Of campaigns too: nothing may be claimed while the rows are compared with the journal.
  const open = sql<{ n: number }>`select count(*)::int as n from batch where state = 1 or (state = 0 and lane < 3)`;
  const receipts = sql<{ n: number }>`select coalesce(sum(receipt_success), 0)::int as n from report_minute`;
  const waitsForCallback = sql<{ n: number }>`select count(*)::int as n from callback_event where state = 'waiting'`;
  await until(async () => (await count(pool, open)) === 0, { timeoutMs: DRAIN_MS, everyMs: 500, what: 'the end' });
  const facts = { receipts: await count(pool, receipts), waiting: await count(pool, waitsForCallback) };
  await processes.stop();
  const seen = await carriers.readJournal();
  const check = await checkMarket(pool, seen, { campaigns, singles: load.sent });
  const isForFailing = (msisdn: string): boolean =>
    routing.route('PH', routing.rangeHolder(msisdn), 1, msisdn).supplierId === suppliers.get(FAILING);
  const codes = judgeCodes(
    load.sent.filter(({ isCode }) => isCode),
    seen,
    { at, isForFailing },
  );
  const mixture = { singles: load.sent.length, codes: codes.written.count + codes.rerouted.count, busy: load.busy };
  process.stdout.write(
    `${JSON.stringify({
      ...{ seconds, held, cores: availableParallelism(), pace: PACE, outageSeconds: (at.up - at.down) / 1_000 },
      ...{ submits: measured.submits, perSecond: measured.perSecond, cpuMicros: measured.cpu, memory },
      ...{ codes, fairness, mixture, check, facts, callbacks: receiver.count(), overPace: Math.max(...pacing) },
    })}\n`,
  );
} finally {
  await processes.stop();
  receiver.close();
  await carriers.stop();
  await pool.end();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
