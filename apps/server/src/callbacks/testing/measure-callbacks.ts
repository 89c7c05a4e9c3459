/**
 * Measures how fast events arrive at an address that answers after a time, one to a request and in arrays: the
 * dispatcher as in a process, on an embedded PostgreSQL with fsync, the address in another process. Run by the bench;
 * arguments: events one by one, events in arrays, milliseconds of an answer. Prints one JSON object.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makePool, messageIdAt, migrate, one, run, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildSupplier } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { rotateCallbackSecret } from '@pahatid/db/queries/callback-endpoints';
import { cpuMs } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { makeSecrets, type Secrets } from '../../secrets/secrets.ts';
import { makeDispatcher } from '../dispatcher.ts';
import { makeGuard } from '../guard.ts';
import { makePoster } from '../post.ts';
import { makeCallbackSecret } from '../sign.ts';

/** Rows of a statement, which has a time limit. */
const rowsAtOnce = 20_000;
const [single = 2_000, batched = 100_000, answerMs = 100] = process.argv.slice(2).map(Number);

interface CallbackSpeed {
  events: number;
  seconds: number;
  requests: number;
  /** Processor time, µs an event: of the dispatcher, and of the database. */
  dispatcher: number;
  database: number;
}

/** Answers each request after a time, and counts the events that arrived. */
function receive(): void {
  const seen = new Set<string>();
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { id: string }[] | object;
      if (Array.isArray(body)) for (const { id } of body) seen.add(id);
      else seen.add(String(request.headers['webhook-id']));
      setTimeout(() => response.end('ok'), answerMs);
    });
  });
  process.on('message', () => {
    process.send?.({ events: seen.size, requests });
    seen.clear();
    requests = 0;
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

interface World {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly url: string;
  /** Of the database. */
  readonly pid: number;
  readonly ask: () => Promise<{ events: number; requests: number }>;
}

/** An application whose messages have an event each, waiting for its address. */
async function prepare({ pool, secrets, url }: World, count: number, isBatched: boolean): Promise<string> {
  const customerId = await buildCustomer(pool, {});
  const appId = await buildApplication(pool, { customerId });
  const endpointId = uuidV7();
  await run(
    pool,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state, batched)
        values (${endpointId}, ${customerId}, 'application', ${appId}, ${url}, 'enabled', ${isBatched})`,
  );
  const sealed = secrets.seal('webhook-secret', makeCallbackSecret());
  await rotateCallbackSecret(pool, { customerId, endpointId, sealed, hint: 'hint', now: new Date(), overlapMs: 0 });
  const account = { supplierAccount: endpointId, port: 1, systemId: 'x', password: 'x', secrets };
  const supplierId = await buildSupplier(pool, account);
  const first = String(messageIdAt(Date.now() - 60_000, 7, 0));
  const prefix = uuidV7().slice(0, 24);
  for (let from = 1; from <= count; from += rowsAtOnce) {
    const to = Math.min(count, from + rowsAtOnce - 1);
    await run(
      pool,
      sql`insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
            charge_type, price, route_id, supplier_id, send_status, client_status, submitted_at)
          select ${customerId}, ${first}::bigint + n, ${appId}, 2, '639171234567', 'PH', 'SHOP', 'Hello', 1, 'SenderPays', 3500,
            ${uuidV7()}, ${supplierId}, 3, 2, now() from generate_series(${from}::int, ${to}::int) n`,
    );
    await run(
      pool,
      sql`insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, sequence, facts, at, next_at)
          select (${prefix} || lpad(to_hex(n), 12, '0'))::uuid, ${customerId}, ${endpointId}, 'message.status',
            ${first}::bigint + n, 1, jsonb_build_object('clientStatus', 2, 'sendStatus', 3, 'dealResult', 'DELIVERED',
              'carrierCode', 'DELIVRD', 'submitTime', now(), 'receiptTime', now()), now(), now()
          from generate_series(${from}::int, ${to}::int) n`,
    );
  }
  await pool.query('vacuum analyze callback_event');
  return endpointId;
}

async function measure(world: World, count: number, isBatched: boolean): Promise<CallbackSpeed> {
  const { pool, secrets, pid, ask } = world;
  const endpointId = await prepare(world, count, isBatched);
  const poster = makePoster(makeGuard({ callbackAllow: ['127.0.0.0/8'], ownPorts: [] }));
  const context = { pool, log: pino({ level: 'warn' }), owner: uuidV7(), offsetMs: 0 };
  const dispatcher = makeDispatcher(context, { publicUrl: 'https://pahatid.example', secrets, poster });
  const [own, database] = [process.cpuUsage(), cpuMs(pid, true)];
  const begun = performance.now();
  let arrived = { events: 0, requests: 0 };
  while (await dispatcher.step()) await dispatcher.settle();
  arrived = await ask();
  const seconds = (performance.now() - begun) / 1_000;
  const used = process.cpuUsage(own);
  const { left } = await one<{ left: number }>(
    pool,
    sql`select count(*)::int as left from callback_event where endpoint_id = ${endpointId} and state = 'waiting'`,
  );
  if (left > 0 || arrived.events !== count) throw new Error(`${arrived.events} of ${count} arrived, ${left} left`);
  await dispatcher.stop();
  return {
    events: count,
    seconds,
    requests: arrived.requests,
    dispatcher: (used.user + used.system) / count,
    database: ((cpuMs(pid, true) - database) * 1_000) / count,
  };
}

if (process.send) receive();
else {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
  const database = await startEmbedded({ dataDir });
  const child = fork(import.meta.filename, process.argv.slice(2));
  try {
    const [port] = (await once(child, 'message')) as [number];
    await migrate({ url: database.url });
    const pool = makePool({ url: database.url, applicationName: 'pahatid bench' });
    const world: World = {
      pool,
      secrets: makeSecrets(Buffer.alloc(32, 1)),
      url: `http://127.0.0.1:${port}/hook`,
      pid: database.pid,
      async ask() {
        child.send('count');
        const [counts] = (await once(child, 'message')) as [{ events: number; requests: number }];
        return counts;
      },
    };
    const measured = { single: await measure(world, single, false), batched: await measure(world, batched, true) };
    await pool.end();
    console.log(JSON.stringify(measured));
  } finally {
    child.kill();
    await wait(100);
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
