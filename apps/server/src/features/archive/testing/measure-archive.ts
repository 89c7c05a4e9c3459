/**
 * Measures the message archive on an embedded PostgreSQL with fsync: a year of one customer's messages as rows, then as
 * blocks, and the same reads of both. Run by the bench; argument: messages. Prints one JSON object.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, messageIdAt, migrate, withTransaction } from '@pahatid/db';
import { buildApplication, buildCustomer, buildSimulatedCarriers } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { archiveBlock } from '@pahatid/db/queries/archive-packing';
import { findRecord, listRecords, type RecordFilter } from '@pahatid/db/queries/records';
import { idsOfDays, toDay } from '@pahatid/db/queries/verify/days';

const [count = 1_000_000] = process.argv.slice(2).map(Number);
const days = 365;
const calls = 40;
const dayMs = 86_400_000;
const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
const fromMs = (Math.floor(Date.now() / dayMs) - days - 50) * dayMs;

const bytes = async (table: string): Promise<number> => {
  const { rows } = await pool.query<{ bytes: string }>(
    `select pg_total_relation_size($1::regclass)
       + (select coalesce(sum(pg_total_relation_size(inhrelid)), 0) from pg_inherits where inhparent = $1::regclass) as bytes`,
    [table],
  );
  return Number(rows[0]!.bytes);
};

/** Batches of 100, some of a task; random numbers, names, codes, results and times, a third of the texts with a code. */
const build = async (of: { customerId: string; appId: string; supplierId: string; routeId: string }) => {
  for (let day = 0; day < days; day++)
    await pool.query('select ensure_partition($1)', [new Date(fromMs + day * dayMs)]);
  const step = 50_000;
  for (let from = 0; from < count; from += step)
    await pool.query(
      `insert into message (customer_id, message_id, task_id, app_id, sms_type, msisdn, area_code, range_holder, carrier,
         client_sid, content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result,
         carrier_code, submitted_at, answered_at, report_at, parts_delivered)
       select $5::uuid, i.id, case when n / 100 % 3 = 0 then md5((n / 200000)::text)::uuid end, $6, 1 + n / 100 % 3,
         '639' || (array['17', '18', '05', '61', '98'])[1 + floor(random() * 5)::int] || lpad(floor(random() * 1e7)::text, 7, '0'),
         'PH', c.name, c.name, 'SHOP',
         case n % 3 when 0 then floor(random() * 1e6)::text || ' is your code for SHOP. It is valid for 5 minutes.'
           else 'Hi ' || initcap(substr(md5(random()::text), 1, 3 + n::int % 6)) || ', your parcel ' || floor(random() * 1e8)::text
             || ' arrives today between 2 and 4 PM. Reply T to stop.' end,
         1, 'SenderPays', 3500, $8::uuid, $7::uuid, 3, case when o.ok then 2 else 3 end, 'DELIVRD',
         case when o.ok then '000' else '038' end, i.at + random() * interval '2 seconds',
         i.at + interval '2 seconds' + random() * interval '1 second', i.at + interval '3 seconds' + random() * interval '1 minute', 1
       from generate_series($1::bigint, $2::bigint) n
       cross join lateral (select ($3::float8 + (n / 100)::float8 * $4::float8)::bigint as ms) t
       cross join lateral (select ((t.ms - 1735689600000) << 18) + (255 << 10) + n % 100 as id, to_timestamp(t.ms / 1000.0) as at) i
       cross join lateral (select (array['Globe', 'Smart', 'DITO'])[1 + n % 3] as name, random() < 0.93 as ok) o0
       cross join lateral (select o0.name) c cross join lateral (select o0.ok) o`,
      [
        ...[from, Math.min(count, from + step) - 1, fromMs, (days * dayMs) / (count / 100)],
        ...[of.customerId, of.appId, of.supplierId, of.routeId],
      ],
    );
};

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1_000;
};

const range = { fromMs, toMs: fromMs + (days + 1) * dayMs, before: null, limit: 20 };

/** Reads a list to the end of the year; a page that stopped at its limits is continued, as the console does. */
const readWhole = async (customerId: string, filter: RecordFilter): Promise<number> => {
  let found = 0;
  let before: string | null = null;
  do {
    const page = await listRecords(pool, [customerId], filter, { ...range, before });
    found += page.rows.length;
    before = page.next;
  } while (before !== null);
  return found;
};

const p95 = async (work: (call: number) => Promise<unknown>): Promise<number> => {
  const taken: number[] = [];
  for (let call = 0; call < calls; call++) taken.push((await seconds(() => work(call))) * 1_000);
  return taken.sort((a, b) => a - b)[Math.floor(calls * 0.95)] ?? Number.NaN;
};

const measureReads = async (customerId: string, sample: readonly { id: string; msisdn: string }[]) => ({
  number: await p95(async (call) => {
    if ((await readWhole(customerId, { msisdnPrefix: sample[call]!.msisdn })) === 0)
      throw new Error('number not found');
  }),
  nobody: await p95((call) => readWhole(customerId, { msisdnPrefix: `63999${String(call).padStart(7, '0')}` })),
  firstPage: await p95(() => listRecords(pool, [customerId], {}, range)),
  record: await p95(async (call) => {
    if ((await findRecord(pool, [customerId], sample[call]!.id)) === null) throw new Error('record not found');
  }),
  exporting:
    100_000 /
    (await seconds(async () => {
      let before: string | null = null;
      for (let read = 0; read < 100_000; ) {
        const page = await listRecords(pool, [customerId], {}, { ...range, before, limit: 2_000 });
        read += page.rows.length;
        before = page.next;
        if (before === null) break;
      }
    })),
});

try {
  await migrate({ url: database.url });
  const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
  const { suppliers, routes } = await buildSimulatedCarriers(pool, { port: 1, secrets });
  const customerId = await buildCustomer(pool, {});
  const appId = await buildApplication(pool, { customerId });
  await build({ customerId, appId, supplierId: suppliers.Globe, routeId: routes.Globe });
  await pool.query('vacuum analyze');
  const { rows: sample } = await pool.query<{ id: string; msisdn: string }>(
    `select message_id::text as id, msisdn from message order by random() limit ${calls}`,
  );
  const rowBytes = (await bytes('message')) / count;
  const asRows = await measureReads(customerId, sample);
  const archiving = await seconds(async () => {
    const first = toDay(messageIdAt(fromMs, 0));
    for (let day = first; day <= first + days; day++)
      while ((await withTransaction(pool, (tx) => archiveBlock(tx, customerId, idsOfDays(day, day)))) > 0);
  });
  await pool.query('vacuum analyze');
  const { rows: blocks } = await pool.query<{ n: number }>('select count(*)::int as n from message_archive');
  const blockBytes = (await bytes('message_archive')) / count;
  const asBlocks = await measureReads(customerId, sample);
  console.log(
    JSON.stringify({ count, blocks: blocks[0]!.n, rowBytes, blockBytes, rate: count / archiving, asRows, asBlocks }),
  );
  await pool.end();
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
