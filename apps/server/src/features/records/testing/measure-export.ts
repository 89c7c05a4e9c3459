/**
 * Measures an export of all records of a customer, as the jobs role writes it, on an embedded PostgreSQL with fsync. Run by
 * the bench; argument: rows. Prints one JSON object: seconds, processor seconds and peak memory of this process, bytes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePool, migrate, uuidV7 } from '@pahatid/db';
import { buildApplication, buildCustomer, buildSimulatedCarriers, buildUser } from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { addExport, findExport } from '@pahatid/db/queries/exports';
import { prefillMessages } from '@pahatid/testkit';
import { pino } from 'pino';
import { writeNextExport } from '../write-next-export.ts';

const [count = 1_000_000] = process.argv.slice(2).map(Number);
const dayMs = 86_400_000;
const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
const database = await startEmbedded({ dataDir });
try {
  await migrate({ url: database.url });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
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
  const context = { pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 };
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  while (await writeNextExport(context, { publicUrl: 'https://pahatid.example' }));
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const made = await findExport(pool, userId, exportId);
  if (made?.state !== 'ready' || made.rowCount !== count)
    throw new Error(`export ${made?.state}, ${made?.rowCount} rows`);
  await pool.end();
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakMb, bytes: made.byteCount }));
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
