/**
 * Measures the message archive on an embedded PostgreSQL with fsync: a year of one customer's messages as rows, then as
 * blocks, and the same reads of both; then five days of a thousand customers, as staff read them. Run by the bench; arguments:
 * messages of the customer, and of each of the thousand. Prints one JSON object.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, messageIdAt, migrate, withTransaction } from '@pahatid/db';
import { buildApplication, buildCustomer, buildGroup, buildSimulatedCarriers } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { archiveBlock } from '@pahatid/db/queries/archive-packing';
import { listMembers } from '@pahatid/db/queries/group-members';
import { findRecord, listRecords, type RecordFilter } from '@pahatid/db/queries/records';
import { idsOfDays, toDay } from '@pahatid/db/queries/verify/days';

const [count = 1_000_000, each = 300] = process.argv.slice(2).map(Number);
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

/** Each of a thousand customers sends a message at a time, over five days in which the other sends none. */
const staffDays = 5;
const staffFromMs = fromMs + (days + 5) * dayMs;
const buildMany = async (of: { supplierId: string; routeId: string }): Promise<string[]> => {
  const customerIds: string[] = [];
  for (let n = 0; n < 1_000; n++) customerIds.push(await buildCustomer(pool, {}));
  for (let day = 0; day < staffDays; day++)
    await pool.query('select ensure_partition($1)', [new Date(staffFromMs + day * dayMs)]);
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, range_holder, carrier, client_sid,
       content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result, carrier_code,
       submitted_at, answered_at, report_at, parts_delivered)
     select c.id, i.id, 'app', 2, '63917' || lpad(floor(random() * 1e7)::text, 7, '0'), 'PH', 'Globe', 'Globe', 'SHOP',
       'Hi ' || initcap(substr(md5(random()::text), 1, 6)) || ', your parcel arrives today between 2 and 4 PM.',
       1, 'SenderPays', 3500, $5, $4, 3, case when random() < 0.93 then 2 else 3 end, 'DELIVRD', '000', i.at, i.at, i.at, 1
     from generate_series(0, $1::int - 1) n
     cross join lateral (select ($2::float8 + n * $3::float8)::bigint as ms) t
     cross join unnest($6::uuid[]) with ordinality as c(id, place)
     cross join lateral (select ((t.ms - 1735689600000) << 18) + (254 << 10) + c.place - 1 as id,
       to_timestamp(t.ms / 1000.0) as at) i`,
    [each, staffFromMs, (staffDays * dayMs) / each, of.supplierId, of.routeId, customerIds],
  );
  await pool.query('vacuum analyze');
  return customerIds;
};

/** Pages of all customers: the first, the next, and those of a status; staff choose no customer. */
const measureStaff = async () => {
  const staffRange = { fromMs: staffFromMs, toMs: staffFromMs + staffDays * dayMs, before: null, limit: 20 };
  const { next } = await listRecords(pool, null, {}, staffRange);
  return {
    firstPage: await p95(() => listRecords(pool, null, {}, staffRange)),
    nextPage: await p95(() => listRecords(pool, null, {}, { ...staffRange, before: next })),
    undelivered: await p95(() => listRecords(pool, null, { clientStatus: [3] }, staffRange)),
  };
};

const archiveDays = async (customerIds: readonly string[], first: number, last: number): Promise<void> => {
  for (const customerId of customerIds)
    for (let day = first; day <= last; day++)
      while ((await withTransaction(pool, (tx) => archiveBlock(tx, customerId, idsOfDays(day, day)))) > 0);
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

const measureReads = async (
  { customerId, groupId }: { customerId: string; groupId: string },
  sample: readonly { id: string; msisdn: string }[],
) => ({
  members: await p95(() => listMembers(pool, { customerId, groupId, salt: null, after: null, limit: 20 })),
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
  const groupId = await buildGroup(pool, { customerId, members: sample.map(({ msisdn }) => ({ msisdn })) });
  const asRows = await measureReads({ customerId, groupId }, sample);
  const first = toDay(messageIdAt(fromMs, 0));
  const archiving = await seconds(() => archiveDays([customerId], first, first + days));
  await pool.query('vacuum analyze');
  const { rows: blocks } = await pool.query<{ n: number }>('select count(*)::int as n from message_archive');
  const blockBytes = (await bytes('message_archive')) / count;
  const asBlocks = await measureReads({ customerId, groupId }, sample);
  const customerIds = await buildMany({ supplierId: suppliers.Globe, routeId: routes.Globe });
  const staffRows = await measureStaff();
  const staffDay = toDay(messageIdAt(staffFromMs, 0));
  await archiveDays(customerIds, staffDay, staffDay + staffDays);
  await pool.query('vacuum analyze');
  const staffBlocks = await measureStaff();
  const sizes = { blocks: blocks[0]!.n, rowBytes, blockBytes };
  console.log(
    JSON.stringify({ count, ...sizes, rate: count / archiving, asRows, asBlocks, each, staffRows, staffBlocks }),
  );
  await pool.end();
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
