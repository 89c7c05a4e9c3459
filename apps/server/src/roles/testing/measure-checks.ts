/**
 * Measures how long a few rows wait while a million are processed: a customer's million is read, then checked, by a
 * separate jobs process, while the same customer and another one repeatedly upload and submit three rows.
 * `bench -- checks`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TaskStatus } from '@pahatid/contract/enums';
import { makePool, migrate, one, sql, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildSender,
  buildSimulatedCarriers,
  buildTask,
  buildTemplate,
  buildUser,
  seedPlatform,
} from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { appendChunk, finishUpload, insertUpload } from '@pahatid/db/queries/files';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { Program, until } from '@pahatid/testkit';
import { uploadChunkBytes } from '../../files/upload-chunks.ts';
import { makeSecrets } from '../../secrets/secrets.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const lookEveryMs = 10;
const leaseMs = 30_000;
const patienceMs = 600_000;
const key = Buffer.alloc(32, 1);
const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
await migrate({ url: database.url });
const pool = makePool({ url: database.url, applicationName: 'pahatid bench' });
await seedPlatform(pool);
await buildSimulatedCarriers(pool, { port: 1, secrets: makeSecrets(key) });

interface Customer {
  readonly customerId: string;
  readonly userId: string;
  readonly appId: string;
  readonly templateId: string;
}

const senderId = 'TESTSHOP';
async function addCustomer(): Promise<Customer> {
  const customerId = await buildCustomer(pool, {});
  const { userId } = await buildUser(pool, { customerId, role: 'owner' });
  const appId = await buildApplication(pool, { customerId });
  const templateId = await buildTemplate(pool, { customerId, appId, content: 'Hello {1}, your order {2} is ready.' });
  await buildSender(pool, { customerId, appId, senderId });
  return { customerId, userId, appId, templateId };
}

const makeRows = (count: number): Buffer =>
  Buffer.from(
    [
      'mobile,name,order',
      ...Array.from({ length: count }, (_, n) => `63917${String(n).padStart(7, '0')},Name ${n},A-${n}`),
    ].join('\n'),
  );

async function upload({ customerId, userId }: Customer, bytes: Buffer): Promise<string> {
  const fileId = uuidV7();
  await insertUpload(pool, { fileId, customerId, fileName: 'phones.csv', createdBy: userId, leaseMs });
  for (let seq = 0; seq * uploadChunkBytes < bytes.length; seq++) {
    const piece = bytes.subarray(seq * uploadChunkBytes, (seq + 1) * uploadChunkBytes);
    await appendChunk(pool, { fileId, customerId, seq, bytes: piece, leaseMs });
  }
  await finishUpload(pool, { fileId, customerId });
  await notify(pool, JOBS_CHANNEL, 'file');
  return fileId;
}

async function submit(customer: Customer, fileId: string): Promise<string> {
  const taskStatus = TaskStatus.Initialized;
  const taskId = await buildTask(pool, { ...customer, fileId, taskStatus, smsType: 2, senderId, variables: [1, 2] });
  await notify(pool, JOBS_CHANNEL, 'task');
  return taskId;
}

const isTrue = async (statement: ReturnType<typeof sql<{ yes: boolean }>>): Promise<boolean> =>
  (await one<{ yes: boolean }>(pool, statement)).yes;
const wait = (condition: () => Promise<boolean>, what: string) =>
  until(condition, { timeoutMs: patienceMs, everyMs: lookEveryMs, what });
const isRead = (fileId: string) => () =>
  isTrue(sql`select file_status = 'success' as yes from file where file_id = ${fileId}`);
const isChecked = (taskId: string) => () =>
  isTrue(sql`select task_status = ${TaskStatus.ValidationPassed} as yes from task where task_id = ${taskId}`);

/** Returns the milliseconds that each small piece took while the large one was in progress. */
async function measureBeside(
  isOver: () => Promise<boolean>,
  small: (customer: Customer) => Promise<void>,
): Promise<{ seconds: number; same: number[]; other: number[] }> {
  const startedAt = performance.now();
  const took = { same: [] as number[], other: [] as number[] };
  const measure = async (name: 'same' | 'other', customer: Customer): Promise<void> => {
    while (!(await isOver())) {
      const at = performance.now();
      await small(customer);
      took[name].push(performance.now() - at);
      await sleep(500);
    }
  };
  await Promise.all([measure('same', mary), measure('other', john)]);
  return { seconds: (performance.now() - startedAt) / 1000, ...took };
}

const [mary, john] = await Promise.all([addCustomer(), addCustomer()]);
const jobs = new Program([path.join(import.meta.dirname, '../../main.ts'), 'run', '--role', 'jobs'], {
  env: { DATABASE_URL: database.url, PAHATID_SECRET: key.toString('hex'), PAHATID_LOG: 'warn' },
});
try {
  const three = makeRows(3);
  // The process is warm before anything is measured.
  const warm = await upload(john, three);
  await wait(isRead(warm), 'the first file');
  await wait(isChecked(await submit(john, warm)), 'the first check');
  const large = await upload(mary, makeRows(rows));
  await wait(
    () => isTrue(sql`select parse_owner is not null as yes from file where file_id = ${large}`),
    'the large file',
  );
  const reading = await measureBeside(isRead(large), async (customer) => {
    await wait(isRead(await upload(customer, three)), 'a small file');
  });
  const files = new Map<Customer, string>();
  for (const customer of [mary, john]) files.set(customer, await upload(customer, three));
  for (const fileId of files.values()) await wait(isRead(fileId), 'a small file');
  const task = await submit(mary, large);
  await wait(() => isTrue(sql`select owner is not null as yes from task where task_id = ${task}`), 'the large check');
  const checking = await measureBeside(isChecked(task), async (customer) => {
    await wait(isChecked(await submit(customer, files.get(customer) ?? '')), 'a small check');
  });
  console.log(JSON.stringify({ rows, reading, checking }));
} finally {
  await jobs.end('SIGTERM');
  await pool.end();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
if (jobs.output.includes('"level":50')) console.error(jobs.output);
