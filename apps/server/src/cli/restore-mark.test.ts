/** `restore --mark`: of a database that its operator restored with other tools, before any role starts on it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { uuidV7 } from '@pahatid/db';
import { findOpenRestore } from '@pahatid/db/queries/restores';
import { Program, testDatabase } from '@pahatid/testkit';
import { listErasure } from '../process/erasure-list.ts';
import { makeSecrets } from '../secrets/secrets.ts';
import { masterKey, Scene } from '../sending/testing/scene.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-erasures-'));
after(() => rmSync(folder, { recursive: true }));
const main = path.join(import.meta.dirname, '../main.ts');
const db = await testDatabase();
const scene = await Scene.build({ pool: db.pool });
db.beforeClose(() => scene.close());

async function mark(time: string): Promise<{ code: number | string | null; output: string }> {
  const env = {
    DATABASE_URL: db.url,
    PAHATID_SECRET: masterKey.toString('hex'),
    PAHATID_DEMO: 'off',
    PAHATID_ERASURE_FOLDER: folder,
  };
  const program = new Program([main, 'restore', '--mark', time], { env });
  return { code: await program.ended(), output: program.output };
}

test('P26 what waited is unconfirmed and all lanes are paused; a time that is none changes nothing', async () => {
  await scene.accept(scene.recipients(50));
  const [first, second] = scene.recipients(2).map(({ msisdn }) => msisdn);
  for (const [msisdn, at] of [
    [first, '2026-10-31T00:00:00Z'],
    [second, '2026-11-02T00:00:00Z'],
  ])
    await listErasure(folder, makeSecrets(masterKey), {
      ...{ customerId: scene.customerId, msisdn: msisdn ?? '', askedBy: uuidV7(), at: at ?? '' },
    });
  const wrong = await mark('yesterday');
  assert.notEqual(wrong.code, 0);
  assert.equal(await findOpenRestore(db.pool), null);
  assert.deepEqual(await scene.states(), { '0/0': 50 });

  const { code, output } = await mark('2026-11-01T00:00:00Z');
  assert.equal(code, 0, output);
  assert.match(output, /unconfirmed now: 50\.\nErasures since, asked for again: 1\./);
  const { rowCount } = await db.pool.query('select from erasure where customer_id = $1', [scene.customerId]);
  assert.equal(rowCount, 1, 'of those in the folder, the one after the state that came back');
  assert.deepEqual(await scene.states(), { '1/0': 50 });
  const restore = await findOpenRestore(db.pool);
  assert.equal(restore?.backupAt.toISOString(), '2026-11-01T00:00:00.000Z');
  assert.deepEqual(
    restore?.lanes.map(({ lane, decision }) => [lane, decision]),
    [
      [1, null],
      [2, null],
      [3, null],
    ],
  );
});
