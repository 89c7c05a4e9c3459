/** A machine as its owner starts it, with all roles and the embedded database, whose data folder is set by the test. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { findChildren, freePort, Program } from '@pahatid/testkit';
import { Journey } from './journey.ts';
import { main } from './root.ts';
import { masterKey } from './server-parts.ts';
import { World } from './world.ts';

export interface Machine {
  readonly world: World;
  readonly journey: Journey;
  readonly program: Program;
  readonly url: string;
  readonly dataDir: string;
}

/**
 * `onWorld`: called once there is a world, or none could be created; what it registers is cleaned up after the world.
 */
export async function startMachine(
  t: TestContext,
  dataDir: string,
  options: { tps?: number; onWorld?: () => void } = {},
): Promise<Machine> {
  const { onWorld, ...worldOptions } = options;
  let world: World;
  try {
    world = await World.make(t, { ownDatabase: true, databaseFolder: dataDir, ...worldOptions });
  } finally {
    onWorld?.();
  }
  await world.databaseProcess.stop();
  const port = await freePort();
  const program = new Program([main, 'start'], {
    env: {
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_LOG: process.env['PAHATID_LOG'] ?? 'warn',
      PAHATID_DATA: dataDir,
      PAHATID_DEMO: 'off',
      PAHATID_PORT: String(port),
      PAHATID_SMPP_PORT: String(await freePort()),
      PAHATID_SIM_PORT: 'off',
    },
  });
  world.programs.push(program);
  await program.says('Pahatid is ready');
  const url = `http://127.0.0.1:${port}`;
  return { world, journey: await Journey.begin(world, url), program, url, dataDir };
}

/** kill -9 of each process of the role. */
export function killRole({ program }: Machine, role: string): void {
  const pids = findChildren(program.pid, `--role ${role}`);
  if (pids.length === 0) throw new Error(`${role} does not run`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** While it is closed, the database does not start. */
export function setDatabaseOpen({ dataDir }: Machine, isOpen: boolean): void {
  chmodSync(path.join(dataDir, 'postgres/cluster/global/pg_control'), isOpen ? 0o600 : 0);
}
