/** `restore --mark`: of a database that its operator restored with other tools, before any role starts on it. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { findOpenRestore } from '@pahatid/db/queries/restores';
import { Program, testDatabase } from '@pahatid/testkit';
import { masterKey, Scene } from '../sending/testing/scene.ts';

const main = path.join(import.meta.dirname, '../main.ts');
const db = await testDatabase();
const scene = await Scene.build({ pool: db.pool });
db.beforeClose(() => scene.close());

async function mark(time: string): Promise<{ code: number | string | null; output: string }> {
  const env = { DATABASE_URL: db.url, PAHATID_SECRET: masterKey.toString('hex'), PAHATID_DEMO: 'off' };
  const program = new Program([main, 'restore', '--mark', time], { env });
  return { code: await program.ended(), output: program.output };
}

test('P26 what waited is unconfirmed and all lanes are paused; a time that is none changes nothing', async () => {
  await scene.accept(scene.recipients(50));
  const wrong = await mark('yesterday');
  assert.notEqual(wrong.code, 0);
  assert.equal(await findOpenRestore(db.pool), null);
  assert.deepEqual(await scene.states(), { '0/0': 50 });

  const { code, output } = await mark('2026-11-01T00:00:00Z');
  assert.equal(code, 0, output);
  assert.match(output, /unconfirmed now: 50\./);
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
