/**
 * Measures the list of records among so many rows: the routes as the console calls them, on an embedded PostgreSQL with
 * fsync. Run by the bench; words: rows, calls of each kind. Prints one JSON object: milliseconds by kind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate, uuidV7 } from '@pahatid/db';
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

const [count = 10_000_000, calls = 50] = process.argv.slice(2).map(Number);
const dayMs = 86_400_000;
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

  // Every tenth batch is of one of a template's hundred tasks, which so lie all over the others.
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
  await pool.query('vacuum analyze batch, task, message');

  const now = Date.now();
  const page = { fromMs: now - 40 * dayMs, toMs: now + dayMs, before: null, limit: 20 };
  const numberAt = (index: number) => `639${String((index * 7919) % 1_000_000_000).padStart(9, '0')}`;
  const kinds: Record<string, (call: number) => [RecordFilter, Partial<typeof page>]> = {
    firstPage: () => [{}, {}],
    lastWeek: () => [{}, { fromMs: now - 7 * dayMs }],
    deepPage: (call) => [{}, { toMs: now - (call % 10) * dayMs }],
    delivered: () => [{ clientStatus: [2] }, {}],
    carrier: () => [{ carrier: 'Globe' }, {}],
    // Nothing has it: as far as one page looks.
    undelivered: () => [{ clientStatus: [3] }, {}],
    number: (call) => [{ msisdnPrefix: numberAt(call * 997) }, {}],
    numberBegins: (call) => [{ msisdnPrefix: numberAt(call * 997).slice(0, 9) }, {}],
    templateRare: () => [{ templateId: rareId }, {}],
    task: (call) => [{ taskId: taskIds[call % 100] }, {}],
    template: () => [{ templateId }, {}],
    templateDeep: (call) => [{ templateId }, { toMs: now - (call % 10) * dayMs }],
    // As far as one page looks among a template's messages.
    templateUndelivered: () => [{ templateId, clientStatus: [3] }, {}],
    taskOfNobody: () => [{ taskId: uuidV7() }, {}],
  };
  const milliseconds: Record<string, number[]> = {};
  for (const [kind, of] of Object.entries(kinds)) {
    const taken: number[] = [];
    for (let call = 0; call < calls; call++) {
      const [filter, more] = of(call);
      const startedAt = performance.now();
      await listRecords(pool, [customerId], filter, { ...page, ...more });
      taken.push(performance.now() - startedAt);
    }
    milliseconds[kind] = taken.sort((a, b) => a - b);
  }
  await pool.end();
  console.log(JSON.stringify({ count, calls, milliseconds }));
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
