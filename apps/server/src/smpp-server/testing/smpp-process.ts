/**
 * For benches: the smpp role and an embedded PostgreSQL with fsync, in separate processes. No sender takes what is
 * accepted, so this program ends the batches four times a second, as in `measure-http.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePool, migrate, run, sql } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildDefaultPrice,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
} from '@pahatid/db/builders';
import { startEmbedded } from '@pahatid/db/embedded';
import { freePort } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { roleCommand } from '../../roles/role-command.ts';
import { makeSecrets } from '../../secrets/secrets.ts';
import { masterKey } from '../../sending/testing/scene.ts';

export const BINDS_PER_APPLICATION = 20;
export const PASSWORD = 'measured';
const secrets = makeSecrets(masterKey);

export interface SmppProcess {
  readonly pool: Pool;
  readonly port: number;
  readonly pids: { readonly smpp: number; readonly database: number };
  /** Of a separate customer, with one sender ID; returns its system_id. */
  addApplication(senderId: string, tps: number): Promise<string>;
  stop(): Promise<void>;
}

export async function startSmppProcess(): Promise<SmppProcess> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pahatid-bench-'));
  const database = await startEmbedded({ dataDir });
  const pool = makePool({ url: database.url, applicationName: 'pahatid bench', statementTimeoutMs: 0 });
  let smpp: ChildProcess | null = null;
  let ending: Promise<void> | null = null;
  let isOver = false;
  const stop = async (): Promise<void> => {
    isOver = true;
    if (smpp !== null && smpp.exitCode === null) {
      smpp.kill('SIGTERM');
      await once(smpp, 'exit');
    }
    await ending;
    await pool.end();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate({ url: database.url });
    await buildSimulatedCarriers(pool, { port: 1, secrets });
    await buildPrefixes(pool, [{ prefix: '63917', carrier: 'Globe' }]);
    await buildDefaultPrice(pool, 3_500);
    const port = await freePort();
    smpp = await startRole(database.url, port);
    ending = (async () => {
      while (!isOver) {
        await run(pool, sql`update batch set state = 2 where state = 0`);
        await sleep(250);
      }
    })();
    const pids = { smpp: smpp.pid ?? 0, database: database.pid };
    return { pool, port, pids, addApplication: (senderId, tps) => addApplication(pool, senderId, tps), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startRole(databaseUrl: string, port: number): Promise<ChildProcess> {
  const [program, ...words] = roleCommand('smpp');
  const smpp = spawn(program, words, {
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_SMPP_PORT: String(port),
      PAHATID_DEMO: 'off',
      PAHATID_LOG: 'warn',
    },
  });
  await new Promise<void>((resolve, reject) => {
    smpp.once('exit', (code) => reject(new Error(`the smpp role ended with ${code}`)));
    smpp.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'ready' in message) resolve();
    });
  });
  return smpp;
}

async function addApplication(pool: Pool, senderId: string, tps: number): Promise<string> {
  const customerId = await buildCustomer(pool, { balance: 1e13 });
  const credentials = { appSecret: 'measured-secret', smppPassword: PASSWORD, secrets };
  const appId = await buildApplication(pool, { customerId, credentials, whiteListIp: ['127.0.0.1'] });
  await buildSender(pool, { customerId, appId, senderId });
  await run(
    pool,
    sql`update application set max_connect_num = ${BINDS_PER_APPLICATION}, tps = ${tps} where app_id = ${appId}`,
  );
  return appId;
}
