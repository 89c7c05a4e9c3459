/**
 * The next release while sending: it migrates, machines are replaced one by one, and one goes back. The release before
 * is the last tagged one, with its own schema and its own carriers and customers (`openReleaseBefore`); until there is
 * one, this tree is both, and the next release has additional migrations.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, Program, testDatabase, until } from '@pahatid/testkit';
import { makeSecrets } from '../secrets/secrets.ts';
import { clean } from '../sending/testing/make-scene.ts';
import { masterKey } from '../sending/testing/scene.ts';
import { copyRelease } from './testing/copy-release.ts';
import { openReleaseBefore } from './testing/release-before.ts';

const thisRelease = path.join(import.meta.dirname, '../main.ts');
const notLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-upgrade-'));
const before = await openReleaseBefore(path.join(folder, 'before'));
const db = await testDatabase({ strict: false, migrated: false });
const isSoak = process.env['PAHATID_SOAK'] === '1';
/** A portion takes as long to send as a machine to be replaced: with fewer of both the moments are the same. */
const [tps, portion] = isSoak ? [250, 10_000] : [100, 400];
const programs: Program[] = [];
await before.migrate(db.url);
const scene = await before.Scene.build({ pool: db.pool, tps });
const appSecret = 'upgrade-secret';
const credentials = { appSecret, smppPassword: 'upgrade1', secrets: makeSecrets(masterKey) };
const appId = await before.builders.buildApplication(db.pool, { customerId: scene.customerId, credentials });
await before.builders.buildSender(db.pool, { customerId: scene.customerId, appId, senderId: 'PAHATID' });
db.beforeClose(async () => {
  for (const program of programs) await program.kill();
  await scene.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Between two calls: the processor is for the processes that start. */
const CALL_PAUSE_MS = isSoak ? 0 : 50;

/** What an expanding migration does to the tables that senders write. */
const expand = {
  '9001_expand.sql': `alter table message add column upgrade_note text;
    alter table batch add column upgrade_round smallint not null default 0;
    alter table ledger add constraint upgrade_check check (segments >= 0) not valid;`,
  '9002_index.sql': `-- pahatid: no-transaction
    create index concurrently message_upgrade on message (customer_id, sms_type, message_id);`.replaceAll(
    /\n +/g,
    '\n',
  ),
};
const nextRelease = copyRelease(path.join(folder, 'next'), expand);

function run(main: string, words: readonly string[], name: string, port: number): Program {
  const program = new Program([main, ...words], {
    env: {
      DATABASE_URL: db.url,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_DEMO: 'off',
      PAHATID_PORT: String(port),
      PAHATID_SIM_PORT: 'off',
      PAHATID_API_PROCESSES: '1',
      PAHATID_DATA: path.join(folder, name),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(folder, 'compiled'),
    },
  });
  programs.push(program);
  return program;
}

interface Machine {
  readonly program: Program;
  readonly port: number;
  /** Ends it, and starts the same machine with the program of another release. */
  replace(main: string): Promise<Machine>;
}

async function startMachine(main: string, roles: string, name: string, port: number): Promise<Machine> {
  const program = run(main, ['start', '--roles', roles], name, port);
  await program.says('Pahatid is ready');
  const replace = async (next: string): Promise<Machine> => {
    assert.equal(await program.end('SIGTERM'), 0, program.output);
    return startMachine(next, roles, name, port);
  };
  return { program, port, replace };
}

/** Calls this machine's API until the work is done; each call must be accepted. Returns how many messages it sent. */
async function sendMeanwhile({ port }: Machine, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const authorization = `Basic ${Buffer.from(`${appId}:${appSecret}`).toString('base64')}`;
  let sent = 0;
  while (!isDone) {
    const to = scene.recipients(1, 500_000 + calls)[0]?.msisdn;
    const body = JSON.stringify({ to, smsType: 2, content: `Order ${calls} has left.` });
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': `call-${calls}` },
      body,
    });
    assert.equal(response.status, 202, await response.text());
    calls += 1;
    sent += 1;
    await sleep(CALL_PAUSE_MS);
  }
  await done;
  return sent;
}
let calls = 0;

const readReadiness = async ({ port }: Machine) => {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  const { database } = (await response.json()) as { database?: string };
  return { status: response.status, database };
};

test(
  'P19 the next release migrates while this one sends, machines are replaced in turn and one goes back: none lost, refused or sent twice',
  notLinux,
  async () => {
    let first = await startMachine(before.main, 'api,sender', 'first', await freePort());
    let second = await startMachine(before.main, 'api,sender,jobs', 'second', await freePort());
    let total = 0;
    /** Returns while the first messages of another portion are being sent. */
    const send = async (): Promise<void> => {
      const seen = scene.seen;
      await scene.accept(scene.recipients(portion, total));
      total += portion;
      await scene.untilSeen(seen + 100);
    };
    let called = 0;
    const replace = async (machine: Machine, main: string, meanwhile: Machine): Promise<Machine> => {
      const replaced = machine.replace(main);
      called += await sendMeanwhile(meanwhile, replaced);
      return replaced;
    };

    await send();
    const migration = run(nextRelease, ['migrate'], 'migration', await freePort());
    called += await sendMeanwhile(first, migration.ended());
    assert.equal(await migration.ended(), 0, migration.output);
    assert.match(migration.output, /9001_expand\.sql, 9002_index\.sql\./);
    assert.deepEqual(await readReadiness(first), { status: 200, database: 'ok' });

    await send();
    second = await replace(second, nextRelease, first);
    await send();
    first = await replace(first, nextRelease, second);
    assert.deepEqual(await readReadiness(first), { status: 200, database: 'ok' });
    await send();
    second = await replace(second, before.main, first);
    await send();

    total += called;
    assert.ok(called > 0);
    await scene.untilStates({ '3/2': total }, 120_000);
    assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: total, failed: 0, delivered: total });
    assert.equal((await db.pool.query('select from in_doubt')).rowCount, 0);
    for (const { program } of [first, second]) assert.equal(await program.end('SIGTERM'), 0);
  },
);

test(
  'a release that a migration has left behind does not start, and reports itself as not ready',
  notLinux,
  async () => {
    const machine = await startMachine(thisRelease, 'api', 'left', await freePort());
    await db.pool.query(
      `insert into schema_migration (number, name, checksum, needs) values (9003, '9003_contract.sql', '', 9001)`,
    );
    await until(async () => (await readReadiness(machine)).status === 503, { what: 'not ready' });
    assert.deepEqual(await readReadiness(machine), { status: 503, database: 'ahead' });
    const next = run(thisRelease, ['start', '--roles', 'jobs'], 'refused', await freePort());
    assert.equal(await next.ended(), 1);
    assert.match(next.output, /9003_contract\.sql, which needs migration 9001, which this release lacks/);
    assert.doesNotMatch(next.output, /\n +at /);
    assert.equal(await machine.program.end('SIGTERM'), 0);
  },
);
