import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool, uuidV7 } from '@pahatid/db';
import { buildRoute, buildSupplier } from '@pahatid/db/builders';
import { saveAnswers, sweepAnswers } from '@pahatid/db/queries/supplier-breakers';
import { listFailingSuppliers } from '@pahatid/db/queries/supplier-health';
import { testDatabase } from '@pahatid/testkit';
import { pino } from 'pino';
import { makeSecrets } from '../../secrets/secrets.ts';
import { judgeBreakers } from './judge-breakers.ts';
import { RoutingTable } from './routing-table.ts';

const db = await testDatabase();
const pool = makePool({ url: db.url, applicationName: 'pahatid test', max: 10 });
db.beforeClose(() => pool.end());
const secrets = makeSecrets(Buffer.alloc(32, 7));
const log = pino({ level: 'silent' });
const make = (supplierAccount: string) =>
  buildSupplier(pool, { supplierAccount, port: 2_775, systemId: 'a', password: 'b', secrets });
const [bad, good] = [await make('bad'), await make('good')];
await buildRoute(pool, { routeName: 'First', supplierId: bad, priority: 2 });
await buildRoute(pool, { routeName: 'Second', supplierId: good, priority: 1 });

const none = { submitted: 20, accepted: 0, refused: 0, errors: 0, throttled: 0, timeouts: 0, answerMs: 0 };
const say = (counts: Partial<typeof none>, owner = uuidV7()) =>
  saveAnswers(pool, owner, [{ supplierId: bad, ...none, ...counts }]);
const judge = () => judgeBreakers(pool, log);
/** Lets time pass. */
const pass = async (seconds: number): Promise<void> => {
  await pool.query(`update supplier_answers set at = at - $1 * interval '1 second'`, [seconds]);
  await pool.query(`update supplier_breaker set changed_at = changed_at - $1 * interval '1 second'`, [seconds]);
};
const stateOf = async () =>
  (await pool.query('select state, reason, openings from supplier_breaker where supplier_id = $1', [bad])).rows[0];
const firstChoice = async (smsType: number) =>
  (await RoutingTable.load(pool)).choose({ areaCode: 'PH', carrier: null, smsType }).routes.map((r) => r.supplierId);

test('answers of all senders are added up, and of concurrent processes one opens it', async () => {
  await say({ errors: 6 });
  assert.equal(await judge(), false);
  await say({ errors: 6 });
  assert.deepEqual((await Promise.all([judge(), judge()])).sort(), [false, true]);
  assert.deepEqual(await stateOf(), { state: 'open', reason: 'errors', openings: 1 });
  assert.deepEqual(await listFailingSuppliers(pool), [{ supplierId: bad, codesOnly: false }]);
  for (const smsType of [1, 2, 3]) assert.deepEqual(await firstChoice(smsType), [good]);
});

test('while it is probed codes take the other route, and answers from before do not count', async () => {
  await pass(6);
  assert.equal(await judge(), true);
  assert.equal((await stateOf()).state, 'halfOpen');
  assert.deepEqual(await listFailingSuppliers(pool), []);
  assert.deepEqual([await firstChoice(1), await firstChoice(2)], [[good], [bad]]);
  assert.equal(await judge(), false);
  await say({ errors: 3 });
  assert.equal(await judge(), true);
  assert.deepEqual(await stateOf(), { state: 'open', reason: 'errors', openings: 2 });
});

test('good probes close it; errors from before do not open it again', async () => {
  await pass(11);
  await judge();
  await say({ accepted: 5 });
  assert.equal(await judge(), true);
  assert.equal((await stateOf()).state, 'closed');
  assert.equal(await judge(), false);
  assert.deepEqual(await firstChoice(1), [bad]);
});

test('without another route it is only slowed down', async () => {
  await pass(120);
  await pool.query(`update route set use_state = 0 where route_name = 'Second'`);
  await say({ timeouts: 10 });
  assert.equal(await judge(), true);
  assert.deepEqual(await stateOf(), { state: 'halfOpen', reason: 'timeouts', openings: 3 });
});

test('answers are kept for minutes', async () => {
  await pass(300);
  assert.ok((await sweepAnswers(pool)) > 0);
  assert.equal((await pool.query('select from supplier_answers')).rowCount, 0);
});
