/**
 * Measures an export of all records of a customer, as the jobs role writes it, on an embedded PostgreSQL with fsync. Run by
 * the bench; argument: rows. Prints one JSON object: seconds, processor seconds and peak memory of the process that writes
 * it, which is another one than makes the rows; bytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildSimulatedCarriers, buildUser } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { addExport, findExport } from '@pahatid/db/queries/exports';
import { prefillMessages } from '@pahatid/testkit';
import { pino } from 'pino';
import { jobsHeap } from '../../../roles/role-command.ts';
import { writeNextExport } from '../write-next-export.ts';

const dayMs = 86_400_000;
const open = (url: string) => makePool({ url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });

const [first = '1000000', url, userId = '', exportId = ''] = process.argv.slice(2);
const count = Number(first);
if (url === undefined) await prepare();
else await write(url);

/** Makes the rows and the request; another process of this program writes it. */
async function prepare(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
  const database = await startEmbedded({ dataDir });
  try {
    await migrate({ url: database.url });
    const pool = open(database.url);
    const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
    const { suppliers, routes } = await buildSimulatedCarriers(pool, { port: 1, secrets });
    const customerId = await buildCustomer(pool, {});
    const { userId } = await buildUser(pool, { customerId, role: 'owner' });
    const appId = await buildApplication(pool, { customerId });
    await prefillMessages(pool, { customerId, appId, supplierId: suppliers.Globe, routeId: routes.Globe }, count);
    const exportId = uuidV7();
    const request = { filter: {}, fromMs: Date.now() - 40 * dayMs, toMs: Date.now() };
    await addExport(
      pool,
      { userId, customerId },
      { exportId, request, lang: 'en-US', masked: false, createdAt: new Date() },
    );
    await pool.end();
    // As the jobs role is started (roles/role-command.ts): with its heap, and, from its second start on, from compiled code.
    const env = { ...process.env, NODE_COMPILE_CACHE: path.join(dataDir, 'compiled') };
    for (const words of [
      ['0', database.url],
      [String(count), database.url, userId, exportId],
    ]) {
      const child = spawn(process.execPath, [...jobsHeap, import.meta.filename, ...words], { stdio: 'inherit', env });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`writing ended with ${String(code)}`);
    }
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function write(databaseUrl: string): Promise<void> {
  if (count === 0) return;
  const pool = open(databaseUrl);
  const context = { pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 };
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  while (await writeNextExport(context, { publicUrl: 'https://pahatid.example' }));
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const made = await findExport(pool, { userId, customerId: null }, exportId);
  if (made?.state !== 'ready' || made.rowCount !== count)
    throw new Error(`export ${made?.state}, ${made?.rowCount} rows`);
  await pool.end();
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakMb, bytes: made.byteCount }));
}
