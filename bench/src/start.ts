/**
 * How long a start takes after everything was killed at the same time: database, roles, simulator and the supervisor
 * itself. The first kill follows the writing of many messages, which the database has to recover from its log.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePool } from '@pahatid/db';
import { startEmbedded } from '@pahatid/db/embedded';
import { findChildren, freePort, Program, prefillMessages } from '@pahatid/testkit';
import type { Bench } from './bench.ts';

const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const goalS = 10;
const ready = 'Pahatid is ready: ';

/** Everything that the start runs, at one instant. */
function killAll(program: Program, dataDir: string): void {
  const [postmaster = ''] = readFileSync(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n');
  for (const pid of new Set([...findChildren(program.pid, ''), program.pid, Number(postmaster)])) {
    process.kill(pid, 'SIGKILL');
  }
}

/** Writes messages of the demo's customer, so that much of the log is younger than the last checkpoint. */
async function writeMessages(dataDir: string, count: number): Promise<void> {
  const { url } = await startEmbedded({ dataDir });
  const pool = makePool({ url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
  const { rows } = await pool.query<Parameters<typeof prefillMessages>[1]>(
    `select a.customer_id as "customerId", a.app_id as "appId", r.supplier_id as "supplierId", r.route_id as "routeId"
     from application a cross join route r limit 1`,
  );
  if (rows[0] !== undefined) await prefillMessages(pool, rows[0], count);
  await pool.end();
}

async function measure(crashes: number, messages: number): Promise<number[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pahatid-bench-'));
  const controlAbove = 1_000;
  const env = {
    PAHATID_DATA: dataDir,
    PAHATID_PORT: String(await freePort()),
    PAHATID_SMPP_PORT: String(await freePort()),
    PAHATID_SIM_PORT: String(await freePort(controlAbove)),
    PAHATID_LOG: 'warn',
  };
  let program = new Program([main, 'start'], { env });
  const seconds: number[] = [];
  try {
    await program.says(ready);
    await writeMessages(dataDir, messages);
    for (let crash = 0; crash < crashes; crash++) {
      killAll(program, dataDir);
      await program.ended();
      const at = performance.now();
      program = new Program([main, 'start'], { env });
      await program.says(ready);
      seconds.push((performance.now() - at) / 1000);
    }
  } finally {
    await program.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
  return seconds;
}

export const start: Bench = {
  name: 'start',
  says: 'from `start` to “ready” with the demo’s data, after kill -9 of everything that ran: the database recovers first',
  async measure([crashes = '3', messages = '300000']) {
    const seconds = await measure(Number(crashes), Number(messages));
    const what = `ready after a crash of everything, longest of ${seconds.length}`;
    return {
      figures: [{ what, value: Math.max(...seconds), unit: 's', goal: goalS, higherIsBetter: false }],
      remarks: [
        `Messages written before the first crash: ${messages}. In order: ${seconds.map((each) => each.toFixed(1)).join(', ')} s.`,
      ],
    };
  },
};
