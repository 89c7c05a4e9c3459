/**
 * Measures rows that grow old, on an embedded PostgreSQL with fsync. Run by the bench; arguments: rows, messages of a
 * simulated week, and `archive` if they are archived after 35 days, once verified. Prints one JSON object.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { ClientStatus, SmsType } from '@pahatid/contract/enums';
import { makePool, migrate, uuidV7, withTransaction } from '@pahatid/db';
import {
  type BatchSpec,
  buildApplication,
  buildBatches,
  buildCustomer,
  buildSimulatedCarriers,
  buildUser,
} from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { takeErasure } from '@pahatid/db/queries/erasures';
import { eraseMessages } from '@pahatid/db/queries/numbers';
import { addMissingRetention } from '@pahatid/db/queries/retention';
import pino from 'pino';
import { makeArchiver } from '../../features/archive/archive-messages.ts';
import { deleteExpired } from '../../features/privacy/delete-expired.ts';
import { eraseNumber } from '../../features/privacy/erase-number.ts';
import { deleteFoldedMinutes, foldEndedHours } from '../../features/statistics/fold-hours.ts';
import { findDifferences } from '../../verify/find-differences.ts';
import { dropPartitions } from '../housekeeping.ts';

const [rows = 1_000_000, weekRows = 10_000] = process.argv.slice(2, 4).map(Number);
const isArchiving = process.argv[4] === 'archive';
const dayMs = 86_400_000;
const batchRows = 1_000;
/** Of a customer: batches of one minute have different ones. */
const writersEach = 8;
const weeks = 82;
const number = '639179999999';

const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
const context = { pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 };
const tables = ['message', 'message_archive', 'dlr_route', 'batch', 'report_minute', 'report_hour', 'ledger'];

/** A batch a step of time, from one instant to another; each has the number to be erased once. */
const build = async (
  of: Omit<BatchSpec, 'at' | 'messages'> & { writer: number },
  from: number,
  to: number,
  count: number,
) => {
  const batches = Math.ceil(count / batchRows);
  for (let n = 0; n < batches; n++) {
    const at = new Date(Math.floor(from + ((to - from) * n) / batches));
    const messages = Array.from({ length: batchRows }, (_, index) => ({
      msisdn: index === 0 ? number : `6391${String((n * batchRows + index) % 100_000_000).padStart(8, '0')}`,
      content: `Message ${index}. A text of the length that most have.`,
      carrier: 'Globe',
      clientStatus: ClientStatus.Delivered,
      receiptAfterMs: 900,
    }));
    const writer = of.writer - (n % writersEach);
    await withTransaction(pool, (tx) => buildBatches(tx, [{ ...of, writer, at, messages }]));
  }
};

const sizes = async (): Promise<Record<string, number>> => {
  const { rows: found } = await pool.query<{ name: string; bytes: string }>(
    `select t as name, pg_total_relation_size(t::regclass)
       + (select coalesce(sum(pg_total_relation_size(inhrelid)), 0) from pg_inherits where inhparent = t::regclass) as bytes
     from unnest($1::text[]) t`,
    [tables],
  );
  return Object.fromEntries(found.map(({ name, bytes }) => [name, Number(bytes)]));
};

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1_000;
};

const expireAll = async (offsetMs: number): Promise<number> => {
  await addMissingRetention(pool);
  await pool.query(`update retention set due_at = '-infinity'`);
  let deleted = 0;
  for (;;) {
    const step = await deleteExpired({ ...context, offsetMs });
    if (step === null) return deleted;
    deleted += step.messages;
  }
};

/** As each night: verify seals what is final, and sealed days move. */
const archiveUntil = async (end: number): Promise<void> => {
  const sinceMs = Math.floor(end / 60_000) * 60_000 - 410 * dayMs;
  const options = { customerId: null, sinceMs, keep: 3, sealBeforeMs: end - dayMs };
  const { differences } = await findDifferences(pool, options);
  if (differences.length > 0) throw new Error(`verify found ${inspect(differences)}`);
  const step = makeArchiver({ ...context, offsetMs: end - Date.now() }, 35);
  while (await step());
};

try {
  await migrate({ url: database.url });
  const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
  const { suppliers, routes } = await buildSimulatedCarriers(pool, { port: 1, secrets });
  let writers = 255;
  const of = async (recordDays: number) => {
    const customerId = await buildCustomer(pool, {});
    await pool.query('insert into retention (customer_id, record_days) values ($1, $2)', [customerId, recordDays]);
    const appId = await buildApplication(pool, { customerId });
    const spec = {
      customerId,
      appId,
      smsType: SmsType.Notification,
      clientSid: 'SHOP',
      supplierId: suppliers.Globe,
      routeId: routes.Globe,
      writer: writers,
    };
    writers -= writersEach;
    return spec satisfies Omit<BatchSpec, 'at' | 'messages'>;
  };
  const [half, long] = [await of(180), await of(400)];
  const now = Date.now();

  // A year and more at a low rate, a week a step, as the jobs see it at that time.
  const year: { week: number; bytes: Record<string, number> }[] = [];
  for (let week = 0; week < weeks && weekRows > 0; week++) {
    const end = now - (weeks - 1 - week) * 7 * dayMs;
    for (const spec of [half, long]) await build(spec, end - 7 * dayMs, end, weekRows / 2);
    await pool.query('select ensure_partition($1)', [new Date(end)]);
    const offsetMs = end - Date.now();
    await expireAll(offsetMs);
    await foldEndedHours({ ...context, offsetMs });
    await deleteFoldedMinutes({ ...context, offsetMs });
    await dropPartitions({ ...context, offsetMs });
    if (isArchiving) await archiveUntil(end);
    await pool.query('vacuum message, message_archive, dlr_route, report_minute');
    if (week % 9 === 0) year.push({ week, bytes: await sizes() });
  }

  const before = await sizes();
  const [oneDay, shared] = [now - 30 * dayMs, await of(180)];
  const building = await seconds(async () => {
    await build(shared, now - 29 * dayMs, now - 1 * dayMs, rows / 2);
    await build(await of(180), oneDay, oneDay + dayMs, rows / 2);
  });
  await pool.query('vacuum analyze');
  const after = await sizes();
  const bytes = Object.fromEntries(tables.map((name) => [name, (after[name]! - before[name]!) / rows]));

  const { userId } = await buildUser(pool, { customerId: shared.customerId, role: 'owner' });
  const hash = Buffer.alloc(32, 1);
  const asked = {
    erasureId: uuidV7(),
    customerId: shared.customerId,
    shownNumber: '6391',
    hash,
    sealed: 'x',
  };
  const at = new Date(Date.now() - dayMs);
  const { erasureId } = await withTransaction(pool, (tx) => takeErasure(tx, { ...asked, askedBy: userId, at }));
  const erase = { erasureId, customerId: shared.customerId, msisdn: number, hash, now: new Date() };
  const erasing = await seconds(async () => await eraseNumber(pool, erase));
  const erasingArchived = isArchiving
    ? await seconds(() => withTransaction(pool, (tx) => eraseMessages(tx, long.customerId, number)))
    : null;

  // The time of a customer's rows ends, then that of all.
  await pool.query('update retention set record_days = 30 where customer_id = $1', [shared.customerId]);
  let deleted = 0;
  const deleting = await seconds(async () => {
    deleted = await expireAll(31 * dayMs);
  });
  await pool.query(`update retention set records_before = now() + interval '30 days'`);
  const dropping = await seconds(async () => await dropPartitions({ ...context, offsetMs: 0 }));
  const left = await sizes();
  console.log(JSON.stringify({ building, bytes, erasing, erasingArchived, deleting, deleted, dropping, left, year }));
  await pool.end();
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
