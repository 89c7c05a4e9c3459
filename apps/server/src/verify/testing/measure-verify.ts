/**
 * Measures verify over messages of 90 days on an embedded PostgreSQL with fsync. Run by the bench; arguments: messages, and
 * a folder that keeps the database for other runs of the same day, which then measure it again without making it.
 * Prints one JSON object: seconds and processor seconds of the first run, of the next, of one that compares sealed days
 * again, and, of a database that is not kept, of one that does so after their messages were archived.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { ClientStatus, SmsType, TaskStatus } from '@pahatid/contract/enums';
import { makePool, migrate, withTransaction } from '@pahatid/db';
import {
  type BatchSpec,
  buildApplication,
  buildBatches,
  buildCustomer,
  buildSimulatedCarriers,
  buildTask,
  buildTemplate,
  type MessageSpec,
} from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { archiveDayBlock, listArchivable, type SealedDay } from '@pahatid/db/queries/archive-days';
import { findFoldEnd, foldHours, listUnfolded } from '@pahatid/db/queries/hour-folding';
import { moveKeptSince } from '@pahatid/db/queries/kept-since';
import { cpuMs } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { findDifferences } from '../find-differences.ts';

const [messages = '10000000', folder] = process.argv.slice(2);
const count = Number(messages);
const dayMs = 86_400_000;
const CUSTOMERS = 20;
const DAYS = 90;
const TASKS = 30;
/** Messages of one transaction. */
const AT_ONCE = 20_000;
/** Minutes of one transaction, as the job takes them. */
const FOLDED_AT_ONCE = 5_000;
const carriers = ['Globe', 'Smart', 'DITO'];
const outcomes = [
  ...Array.from({ length: 17 }, () => ClientStatus.Delivered),
  ClientStatus.Undelivered,
  ClientStatus.Rejected,
  ClientStatus.Unknown,
];

interface Sender {
  readonly customerId: string;
  readonly appId: string;
  readonly taskIds: readonly string[];
}

const buildSender = async (pool: Pool): Promise<Sender> => {
  const customerId = await buildCustomer(pool, {});
  const appId = await buildApplication(pool, { customerId });
  const templateId = await buildTemplate(pool, { customerId, appId });
  const task = { customerId, appId, templateId, smsType: SmsType.Notification, taskStatus: TaskStatus.Completed };
  const taskIds: string[] = [];
  for (let n = 0; n < TASKS; n++) taskIds.push(await buildTask(pool, task));
  return { customerId, appId, taskIds };
};

const messageAt = (n: number): MessageSpec => ({
  msisdn: `639${String((n * 7919) % 1_000_000_000).padStart(9, '0')}`,
  content: `Message ${n}. A text of the length that most have, to a customer of a shop.`,
  carrier: carriers[n % carriers.length] ?? null,
  clientStatus: outcomes[n % outcomes.length] ?? ClientStatus.Delivered,
  receiptAfterMs: 4_000,
});

/**
 * The first customer sends 60 %. Nine tenths of the messages are in batches of a thousand of a task, the rest in batches of
 * ten, as software sends them.
 */
async function build(pool: Pool, supplierId: string, routeId: string): Promise<void> {
  const senders = await Promise.all(Array.from({ length: CUSTOMERS }, () => buildSender(pool)));
  const fromMs = Math.floor(Date.now() / dayMs - DAYS) * dayMs;
  const stepMs = (Date.now() - 120_000 - fromMs) / count;
  const sms = { smsType: SmsType.Notification, clientSid: 'SHOP', supplierId, routeId };
  let batches = 0;
  for (let from = 0; from < count; ) {
    const specs: BatchSpec[] = [];
    for (const end = Math.min(count, from + AT_ONCE); from < end; batches++) {
      const { customerId, appId, taskIds } = senders[batches % 5 < 3 ? 0 : batches % CUSTOMERS]!;
      const size = Math.min(end - from, batches % 100 < 8 ? 1_000 : 10);
      const taskId = size === 1_000 ? taskIds[Math.floor((from / count) * TASKS)] : undefined;
      const at = new Date(Math.floor(fromMs + from * stepMs));
      const messages = Array.from({ length: size }, (_, n) => messageAt(from + n));
      // No two batches of a writer share a millisecond.
      const spec = { ...sms, customerId, appId, at, writer: batches % 250, messages };
      specs.push(taskId === undefined ? spec : { ...spec, taskId });
      from += size;
    }
    await withTransaction(pool, (tx) => buildBatches(tx, specs));
  }
  const end = await findFoldEnd(pool, 0);
  for (const id of await listUnfolded(pool, end))
    while ((await withTransaction(pool, (tx) => foldHours(tx, id, end, FOLDED_AT_ONCE))) === FOLDED_AT_ONCE);
  await pool.query('vacuum analyze');
}

/** Moves the sealed days whose routes are not compared any more; returns the number of messages. */
async function archiveSealed(pool: Pool): Promise<number> {
  await moveKeptSince(pool, 'dlr_route', new Date(Date.now() - 41 * dayMs));
  let moved = 0;
  for (let position: SealedDay | null = null; ; ) {
    const { days, end } = await listArchivable(pool, position, Date.now());
    for (const day of days)
      for (let rows = 1; rows > 0; moved += rows) rows = await withTransaction(pool, (tx) => archiveDayBlock(tx, day));
    position = end;
    if (position === null) break;
  }
  await pool.query('vacuum analyze');
  return moved;
}

const isMade = folder !== undefined && existsSync(folder);
const dataDir = folder ?? mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
try {
  await migrate({ url: database.url });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench', max: 1, statementTimeoutMs: 0 });
  const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
  if (isMade) await pool.query('truncate verify_seal');
  else {
    const { suppliers, routes } = await buildSimulatedCarriers(pool, { port: 1, secrets });
    await build(pool, suppliers.Globe, routes.Globe);
  }

  const sinceMs = Math.floor(Date.now() / 60_000) * 60_000 - 400 * dayMs;
  const { pid } = (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!;
  const run = async (all = false) => {
    const [startedMs, own, database] = [performance.now(), cpuMs(process.pid), cpuMs(pid)];
    const { differences, looked, days } = await findDifferences(pool, { customerId: null, sinceMs, keep: 5, all });
    if (differences.length > 0) throw new Error(`verify found ${inspect(differences.slice(0, 3))}`);
    return {
      seconds: (performance.now() - startedMs) / 1_000,
      cpuSeconds: (cpuMs(process.pid) - own + cpuMs(pid) - database) / 1_000,
      ...{ messages: looked.messages, ...days },
    };
  };
  const runs = { first: await run(), next: await run(), all: await run(true) };
  const moved = folder === undefined ? await archiveSealed(pool) : 0;
  console.log(JSON.stringify({ ...runs, archived: moved === 0 ? null : await run(true), moved }));
  await pool.end();
} finally {
  await database.stop();
  if (folder === undefined) rmSync(dataDir, { recursive: true, force: true });
}
