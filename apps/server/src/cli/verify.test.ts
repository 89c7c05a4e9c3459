import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testDatabase } from '@pahatid/testkit';
import { makeScene } from '../sending/testing/make-scene.ts';
import { CHECKS } from '../verify/difference.ts';

const main = path.join(import.meta.dirname, '../main.ts');
const run = promisify(execFile);

/** As a person runs it. */
const verify = async (url: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, PAHATID_SECRET: '07'.repeat(32) };
  try {
    return { code: 0, ...(await run(process.execPath, [main, 'verify', ...words], { env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
};

test('verify exits with 0 if all agrees, 1 if something differs, with a table and JSON; --repair fixes it', async (t) => {
  const scene = await makeScene(t);
  const { url } = scene.database;
  await scene.accept(scene.recipients(60));
  await scene.startSender();
  await scene.untilStates({ '3/2': 60 });
  const clean = await verify(url);
  assert.deepEqual([clean.code, clean.stderr], [0, '']);
  assert.match(clean.stdout, /^Compared 60 messages, 3 batches, 1 tasks, .*\nEverything agrees\.\n$/);

  await scene.pool.query('update report_minute set segments = segments + 1');
  await scene.pool.query('update batch set failed_count = failed_count + 2');
  const limited = await verify(url, '--limit', '1');
  assert.equal(limited.code, 1);
  assert.match(limited.stdout, /^CHECK +CUSTOMER +TASK +WHERE +WHAT +KEPT +DERIVED\n/);
  assert.match(limited.stdout, /\nbatchCounts +\S+ +\S+ +batch \d+ +failed +2 +0\n/);
  assert.match(limited.stdout, /\nrollup +\S+ +- +\d{4}-\d\d-\d\dT\d\d:\d\d .* segments +\d+ +\d+\n/);
  assert.match(limited.stdout, /\nbatchCounts: 1 of 3 shown/);

  const json = await verify(url, '--json', '--customer', scene.customerId);
  assert.equal(json.code, 1);
  const said = JSON.parse(json.stdout);
  assert.equal(said.agrees, false);
  assert.equal(said.totals.batchCounts, 3);
  assert.equal(said.differences.length, said.totals.batchCounts + said.totals.rollup);
  assert.ok(said.differences.every((each: { repairable: boolean }) => each.repairable));

  const { rows } = await scene.pool.query<{ n: string }>('select sum(failed_count) as n from batch');
  assert.equal(rows[0]?.n, '6', 'nothing is written without --repair');
  const repaired = await verify(url, '--repair');
  assert.equal(repaired.code, 0);
  assert.match(repaired.stdout, /differences repaired; the audit log has them\.\nEverything agrees\.\n$/);
  const kept = await scene.pool.query('select differences, totals from verify_run order by at');
  assert.equal(kept.rows.length, 3, 'staff see what looks over all customers found, not those over one');
  assert.deepEqual(
    kept.rows.map(({ differences }) => differences > 0),
    [false, true, false],
  );
  assert.equal(kept.rows[1].totals.batchCounts, 3);
});

test('what was accepted before --since is not looked at', async (t) => {
  const scene = await makeScene(t);
  await scene.accept(scene.recipients(6));
  await scene.pool.query(`update report_minute set req_total = 99`);
  assert.equal((await verify(scene.database.url, '--since', '2026-01-01')).code, 1);
  assert.equal((await verify(scene.database.url, '--since', new Date(Date.now() + 120_000).toISOString())).code, 0);
});

test('a failed start or invalid arguments print one line and exit with 2', async () => {
  const empty = await testDatabase({ migrated: false });
  const cases: [string[], RegExp, string?][] = [
    [[], /verify could not run: .*does not exist/],
    [[], /verify could not run: .*ECONNREFUSED/, 'postgres://nobody@127.0.0.1:1/none'],
    [['--since', 'yesterday'], /--since is a date/],
    [['--limit', '0'], /--limit is a whole number/],
    [['--what'], /--what/],
  ];
  for (const [words, says, url] of cases) {
    const { code, stderr, stdout } = await verify(url ?? empty.url, ...words);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, says);
  }
  const migrated = await testDatabase();
  const unknown = await verify(migrated.url, '--customer', 'Nobody');
  assert.deepEqual([unknown.code, unknown.stderr], [2, 'there is no customer Nobody\n']);
});

test('the help names every check', async () => {
  const { code, stdout } = await verify('postgres://nobody@127.0.0.1:1/none', '--help');
  assert.equal(code, 0);
  for (const [name, meaning] of Object.entries(CHECKS)) assert.match(stdout, new RegExp(`${name} +${meaning}`));
});
