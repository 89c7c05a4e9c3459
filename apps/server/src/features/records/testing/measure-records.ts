/**
 * Measures the list of records among so many rows: the routes as the console calls them, on an embedded PostgreSQL with
 * fsync. Run by the bench; arguments: rows, calls of each kind. Prints one JSON object: milliseconds by kind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, messageIdAt, migrate, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildSimulatedCarriers,
  buildTask,
  buildTemplate,
} from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { listRecords, type RecordFilter } from '@pahatid/db/queries/records';
import { prefillMessages } from '@pahatid/testkit';
import type { Pool } from 'pg';

const [count = 10_000_000, calls = 50] = process.argv.slice(2).map(Number);
const dayMs = 86_400_000;
const minuteOfMessage = `date_trunc('minute', timestamptz '2025-01-01 00:00:00+00' + (m.message_id >> 18) * interval '1 ms')`;
const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
try {
  await migrate({ url: database.url });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
  const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
  const { suppliers, routes } = await buildSimulatedCarriers(pool, { port: 1, secrets });
  const customerId = await buildCustomer(pool, {});
  const appId = await buildApplication(pool, { customerId });
  await prefillMessages(pool, { customerId, appId, supplierId: suppliers.Globe, routeId: routes.Globe }, count);

  // Every tenth batch belongs to one of a template's hundred tasks, which are thus spread over all the others.
  const templateId = await buildTemplate(pool, { customerId, appId });
  const taskIds: string[] = [];
  for (let n = 0; n < 100; n++)
    taskIds.push(await buildTask(pool, { customerId, appId, templateId, smsType: 2, taskStatus: 6 }));
  await pool.query(
    `update batch b set task_id = ($1::uuid[])[1 + (o.n / 10) % 100]
     from (select batch_id, row_number() over (order by batch_id) as n from batch) o
     where b.batch_id = o.batch_id and o.n % 10 = 0`,
    [taskIds],
  );
  // Of the rest, software sent every thousandth message with the same template, and a handful with one that is rare.
  const rareId = await buildTemplate(pool, { customerId, appId });
  await pool.query(
    `update message m set template_id = case when o.n % 100000 = 0 then $2::uuid else $1::uuid end
     from (select m.message_id, row_number() over (order by m.message_id) as n from message m join batch b
       on m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count where b.task_id is null) o
     where m.customer_id = $3 and m.message_id = o.message_id and o.n % 1000 = 0`,
    [templateId, rareId, customerId],
  );
  await spreadOutcomes(pool, customerId);
  await addTerminatedTask(pool, { customerId, appId, supplierId: suppliers.Smart, routeId: routes.Smart }, count / 10);
  await addCustomers(pool, { supplierId: suppliers.Globe, routeId: routes.Globe }, 1000, 500);
  await pool.query('vacuum analyze batch, task, message, report_minute');

  const now = Date.now();
  const page = { fromMs: now - 40 * dayMs, toMs: now + dayMs, before: null, limit: 20 };
  const numberAt = (index: number) => `639${String((index * 7919) % 1_000_000_000).padStart(9, '0')}`;
  const kinds: Record<string, (call: number) => [RecordFilter, Partial<typeof page>]> = {
    // Fewer than a tenth as many terminated messages as others.
    belowTerminated: () => [{ clientStatus: [2], appId }, {}],
    // One of a thousand, all over the rows.
    scattered: () => [{ clientStatus: [3] }, {}],
    // One of a thousand, all of them the oldest.
    clumped: () => [{ clientStatus: [4] }, {}],
    firstPage: () => [{}, {}],
    lastWeek: () => [{}, { fromMs: now - 7 * dayMs }],
    deepPage: (call) => [{}, { toMs: now - (call % 10) * dayMs }],
    delivered: () => [{ clientStatus: [2] }, {}],
    carrier: () => [{ carrier: 'Globe' }, {}],
    // No message has it, and no count shows that: reads as far as one page does.
    numberOfNobody: () => [{ msisdnPrefix: '6380' }, {}],
    number: (call) => [{ msisdnPrefix: numberAt(call * 997) }, {}],
    numberBegins: (call) => [{ msisdnPrefix: numberAt(call * 997).slice(0, 9) }, {}],
    templateRare: () => [{ templateId: rareId }, {}],
    task: (call) => [{ taskId: taskIds[call % 100] }, {}],
    template: () => [{ templateId }, {}],
    templateDeep: (call) => [{ templateId }, { toMs: now - (call % 10) * dayMs }],
    templateUndelivered: () => [{ templateId, clientStatus: [3] }, {}],
    taskOfNobody: () => [{ taskId: uuidV7() }, {}],
  };
  const milliseconds: Record<string, number[]> = {};
  for (const [kind, of] of Object.entries(kinds))
    milliseconds[kind] = await timeCalls((call) => {
      const [filter, more] = of(call);
      return listRecords(pool, [customerId], filter, { ...page, ...more });
    });
  const staffKinds: Record<string, () => RecordFilter> = {
    staffNewest: () => ({}),
    staffDelivered: () => ({ clientStatus: [2] }),
    staffScattered: () => ({ clientStatus: [3] }),
    staffNumberOfNobody: () => ({ msisdnPrefix: '6380' }),
  };
  for (const [kind, of] of Object.entries(staffKinds))
    milliseconds[kind] = await timeCalls(() => listRecords(pool, null, of(), page));
  await pool.end();
  console.log(JSON.stringify({ count, calls, milliseconds }));
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Milliseconds of each call, sorted. */
async function timeCalls(work: (call: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now();
    await work(call);
    taken.push(performance.now() - startedAt);
  }
  return taken.sort((a, b) => a - b);
}

/** One of a thousand undelivered, all over the rows; as many expired, the oldest ones. Counts follow. */
async function spreadOutcomes(on: Pool, customerId: string): Promise<void> {
  await on.query('update message set client_status = 3 where customer_id = $1 and (message_id & 1023) = 500', [
    customerId,
  ]);
  await on.query(
    `update message m set client_status = 4 from (select message_id from message where customer_id = $1
       order by message_id limit $2) o where m.customer_id = $1 and m.message_id = o.message_id`,
    [customerId, Math.ceil(count / 1000)],
  );
  await on.query(
    `update report_minute r set receipt_fail = o.failed, receipt_success = r.req_success - o.failed
     from (select ${minuteOfMessage} as minute, count(*) as failed from message m
           where customer_id = $1 and client_status in (3, 4) group by 1) o
     where r.customer_id = $1 and r.minute = o.minute`,
    [customerId],
  );
}

interface Sent {
  supplierId: string;
  routeId: string;
}

/** A task that was terminated within the last minute, before anything of it was handed over. */
async function addTerminatedTask(
  on: Pool,
  of: Sent & { customerId: string; appId: string },
  size: number,
): Promise<void> {
  const low = String(messageIdAt(Math.floor(Date.now() / 60_000 - 1) * 60_000, 254));
  const values = [low, size, of.customerId, of.appId, of.supplierId, of.routeId];
  await on.query(
    `insert into batch (batch_id, customer_id, app_id, lane, supplier_id, route_id, message_count, state, failed_count,
       receipts_closed, created_at, done_at)
     select $1::bigint + ((n / 1000) << 18), $3, $4, 3, $5, $6, 1000, 2, 1000, true, now(), now()
     from generate_series(0, $2::bigint - 1, 1000) n`,
    values,
  );
  await on.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, range_holder, carrier, client_sid,
       content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result)
     select $3, $1::bigint + ((n / 1000) << 18) + n % 1000, $4, 3, '639' || lpad((n % 1000000000)::text, 9, '0'), 'PH', 'Smart',
       'Smart', 'PAHATID', 'Not sent', 1, 'SenderPays', 3500, $6, $5, 2, 7, 'TERMINATED'
     from generate_series(0, $2::bigint - 1) n`,
    values,
  );
  await countMinutes(on, [of.customerId], low);
}

/** Customers with some delivered messages each, all within the last minute but one. */
async function addCustomers(on: Pool, of: Sent, customers: number, each: number): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < customers; n++) ids.push(await buildCustomer(on, {}));
  const low = String(messageIdAt(Math.floor(Date.now() / 60_000 - 2) * 60_000, 0));
  await on.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, range_holder, carrier, client_sid,
       content, pkg_total, charge_type, price, route_id, supplier_id, send_status, client_status, deal_result)
     select c.id, $1::bigint + ((n * 60000 / $3)::bigint << 18) + c.place, 'app' || c.place, 2, '639' || lpad(n::text, 9, '0'), 'PH',
       'Globe', 'Globe', 'PAHATID', 'Message ' || n, 1, 'SenderPays', 3500, $4::uuid, $5::uuid, 3, 2, 'DELIVRD'
     from unnest($2::uuid[]) with ordinality as c(id, place), generate_series(0, $3::bigint - 1) n`,
    [low, ids, each, of.routeId, of.supplierId],
  );
  await countMinutes(on, ids, low);
}

/** The counts of these customers' messages from an id on. */
async function countMinutes(on: Pool, customerIds: readonly string[], low: string): Promise<void> {
  await on.query(
    `insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
       req_total, req_success, req_fail, req_blocked, receipt_success, segments, charged)
     select customer_id, ${minuteOfMessage}, app_id, area_code, carrier, client_sid, sms_type, route_id, 253, count(*),
       count(*) filter (where send_status = 3), count(*) filter (where send_status = 2), count(*) filter (where send_status = 2 and client_status = 7),
       count(*) filter (where client_status = 2), count(*), 0
     from message m where customer_id = any($1::uuid[]) and message_id >= $2
     group by 1, 2, 3, 4, 5, 6, 7, 8`,
    [customerIds, low],
  );
}
