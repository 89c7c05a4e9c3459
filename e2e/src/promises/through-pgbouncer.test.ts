/** All roles behind PgBouncer in transaction mode: messages sent while its connections break, and how many there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { Chance } from './chance.ts';
import { Journey } from './journey.ts';
import { startPgBouncer, whyNoPgBouncer } from './pgbouncer.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const missing = whyNoPgBouncer();
if (missing !== false) console.warn(`PGBOUNCER IS NOT TESTED HERE: ${missing}`);

/** Of all roles together; without PgBouncer each has up to 12, 15 or 20. */
const CONNECTIONS = 8;
/** Of a process at most: it listens for routes, and for batches, work or tasks. */
const DIRECT = 3;

test('through PgBouncer everything is sent once, with a few connections to the database', {
  timeout: patience(120_000),
  skip: missing,
}, async (t) => {
  const chance = Chance.of(t);
  const world = await World.make(t, { tps: 600 });
  const pooler = await startPgBouncer(t, world.url, CONNECTIONS);
  const env = { PAHATID_POOLER_URL: pooler };
  await world.startSender(env);
  world.run('jobs', env);
  const { url } = await world.startApi(env);
  const journey = await Journey.begin(world, url);
  const task = await journey.prepare(size(1_500, 100_000), 'Through PgBouncer');
  await journey.confirm(task);
  const loading = world.accept(size(3_000, 100_000));
  let most = 0;
  for (let round = 0; round < size(10, 200); round++) {
    await chance.pause(50, 200);
    const { rows } = await world.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name ~ '^pahatid (sender|jobs|api)'`,
    );
    most = Math.max(most, rows[0]?.count ?? 0);
    await world.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name ~ '^pahatid (sender|jobs|api)' and random() < 0.1`,
    );
  }
  await loading;
  const end = await journey.untilEnded(task.taskId, TaskStatus.Completed);
  assert.equal(end.successCount + end.unconfirmedCount, task.phones.length);
  await world.untilQuiet();
  const verdict = await world.audit();
  assert.equal(verdict.extraCopies, 0);
  assert.ok(most <= CONNECTIONS + 3 * DIRECT, `${most} connections`);
  t.diagnostic(`${most} connections at most, ${verdict.rows} messages, ${verdict.doubted} ever in doubt`);
});
