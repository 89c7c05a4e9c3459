/**
 * How long a start takes after everything was killed at the same time: database, roles, simulator and the supervisor
 * itself.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChildren, freePort, Program } from '@pahatid/testkit';
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

async function measure(crashes: number): Promise<number[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pahatid-bench-'));
  const controlAbove = 1_000;
  const env = {
    PAHATID_DATA: dataDir,
    PAHATID_PORT: String(await freePort()),
    PAHATID_SIM_PORT: String(await freePort(controlAbove)),
    PAHATID_LOG: 'warn',
  };
  let program = new Program([main, 'start'], { env });
  const seconds: number[] = [];
  try {
    await program.says(ready);
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
  async measure([crashes = '3']) {
    const seconds = await measure(Number(crashes));
    const what = `ready after a crash of everything, longest of ${seconds.length}`;
    return {
      figures: [{ what, value: Math.max(...seconds), unit: 's', goal: goalS, higherIsBetter: false }],
      remarks: [],
    };
  },
};
