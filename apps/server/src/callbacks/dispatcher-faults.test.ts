/** What breaks around the dispatcher: its own process, one address among a hundred, the end of the program. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { after, test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { many, one, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { startStopwatch, until } from '@pahatid/testkit';
import type { PoolClient } from 'pg';
import { pino } from 'pino';
import { sweep } from '../roles/housekeeping.ts';
import { makeSecrets } from '../secrets/secrets.ts';
import { saveAlertCallbacks } from './save-endpoints.ts';
import { makeCallbackWorld } from './testing/callback-world.ts';
import { answers, startReceiver } from './testing/receiver.ts';

const world = await makeCallbackWorld();
const { api, receiver, clock } = world;
const { pool } = api.db;
const { Submitted, Delivered } = ClientStatus;

const waitingOf = async (endpointId: string): Promise<number> =>
  (await many(pool, sql`select 1 from callback_event where endpoint_id = ${endpointId} and state = 'waiting'`)).length;
const countTries = async (endpointId: string): Promise<number> =>
  (await many(pool, sql`select 1 from callback_attempt where endpoint_id = ${endpointId}`)).length;
const ids = (): string[] => receiver.heard.map(({ headers }) => String(headers['webhook-id']));

for (const batched of [false, true])
  test(`P17 kill -9 of the dispatcher between a response and its commit: all is sent again with the same ids, nothing is lost${batched ? ' (arrays)' : ''}`, async () => {
    const { appId, endpointId } = await world.addEndpoint();
    await run(pool, sql`update callback_endpoint set batched = ${batched} where endpoint_id = ${endpointId}`);
    receiver.heard.length = 0;
    clock.offsetMs = 0;
    const requests = batched ? 1 : 8;
    const masterKey = randomBytes(32);
    const sealed = makeSecrets(masterKey).seal('webhook-secret', `whsec_${randomBytes(32).toString('base64')}`);
    await run(pool, sql`update callback_secret set sealed = ${sealed} where endpoint_id = ${endpointId}`);
    const messages = [];
    for (let i = 0; i < 8; i++) messages.push(await world.addMessage(appId));
    await world.move(messages, Submitted, Delivered);
    const program = path.join(import.meta.dirname, 'testing', 'dispatch-program.ts');
    const child = spawn(process.execPath, [program, api.db.url, masterKey.toString('hex')], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    receiver.answer = (heard, response) => {
      // Its last response is in transit; a stopped process cannot have stored the result.
      if (receiver.heard.length === requests) child.kill('SIGSTOP');
      answers.ok(heard, response);
      if (receiver.heard.length === requests) child.kill('SIGKILL');
    };
    const [, signal] = await ended;
    assert.equal(signal, 'SIGKILL');
    const first = ids();
    assert.equal(first.length, requests);
    assert.equal(await waitingOf(endpointId), 8);
    await run(
      pool,
      sql`update callback_secret set sealed = ${api.deps.secrets.seal('webhook-secret', 'whsec_AAAA')} where endpoint_id = ${endpointId}`,
    );
    receiver.answer = answers.ok;
    receiver.heard.length = 0;
    await world.dispatch();
    assert.equal(receiver.heard.length, 0, 'the lease of the dead one still holds');
    clock.offsetMs += 9_000;
    await world.dispatch();
    assert.deepEqual(ids().sort(), first.sort());
    assert.equal(await waitingOf(endpointId), 0);
  });

test('P17 one address that never answers holds up none of 99 others', async () => {
  const dead = await startReceiver('127.0.0.2');
  after(() => dead.close());
  dead.answer = answers.never;
  receiver.answer = answers.ok;
  receiver.heard.length = 0;
  const silent = await world.addEndpoint(dead.url);
  const endpoints = [silent];
  for (let i = 0; i < 99; i++) endpoints.push(await world.addEndpoint(`${receiver.url}/${i}`));
  const messages = [];
  for (const { appId } of endpoints) for (let i = 0; i < 3; i++) messages.push(await world.addMessage(appId));
  await world.move(messages, Submitted, Delivered);
  const dispatcher = world.makeDispatcher(2_000);
  const watch = startStopwatch();
  while (receiver.heard.length < 99 * 3) {
    await dispatcher.step();
    await until(() => receiver.heard.length === 99 * 3, { timeoutMs: 250 }).catch(() => undefined);
    watch.assertWithin(30_000, `${receiver.heard.length} of ${99 * 3}`);
  }
  assert.ok(dead.heard.length > 0 && dead.heard.length <= 5, `${dead.heard.length} requests at once`);
  await dispatcher.settle();
  const { fails, state } = await world.endpoint(silent.endpointId);
  assert.deepEqual([state, await waitingOf(silent.endpointId)], ['enabled', 3]);
  // Three concurrent ones count as one failure; on a slow machine one event is retried after the first pause.
  assert.equal(fails, (await countTries(silent.endpointId)) - 2);
  const rows = await many<{ error: string }>(
    pool,
    sql`select error from callback_attempt where endpoint_id = ${silent.endpointId}`,
  );
  assert.deepEqual(new Set(rows.map(({ error }) => error)), new Set(['timeout']));
  await dispatcher.stop();
});

test('an address that we can’t sign for is not tried over and over, and nothing is held against it', async () => {
  const { appId, endpointId } = await world.addEndpoint();
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
  await run(pool, sql`update callback_secret set sealed = 'of another key' where endpoint_id = ${endpointId}`);
  await world.dispatch();
  const { retry_at: retryAt, fails, failing_since: since } = await world.endpoint(endpointId);
  assert.ok(retryAt instanceof Date && retryAt.getTime() > Date.now());
  assert.deepEqual([fails, since, await waitingOf(endpointId)], [0, null, 1]);
});

test('a stopping process counts no failure against an address, and leaves pending events to the next', async () => {
  const { appId, endpointId } = await world.addEndpoint();
  receiver.heard.length = 0;
  receiver.answer = answers.never;
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
  const dispatcher = world.makeDispatcher();
  await dispatcher.step();
  await until(() => receiver.heard.length === 1);
  const watch = startStopwatch();
  await dispatcher.stop();
  watch.assertWithin(3_000, 'the stop');
  assert.equal((await world.endpoint(endpointId))['fails'], 0);
  receiver.answer = answers.ok;
  await world.dispatch();
  assert.equal(receiver.heard.length, 2);
  assert.equal(new Set(ids()).size, 1);
});

test('P17 events and tries that are too old go within a minute, however many a day brings', async () => {
  const count = 12_000;
  const { endpointId } = await world.addEndpoint();
  const insert = (table: 'event' | 'attempt', days: number, rows: number) =>
    run(
      pool,
      sql`with made as (select (${uuidV7(Date.now() - days * 24 * 3_600_000).slice(0, 24)} || lpad(to_hex(n), 12, '0'))::uuid as id
            from generate_series(1, ${rows}) n)
          ${
            table === 'event'
              ? sql`insert into callback_event (event_id, customer_id, endpoint_id, type, facts, at, state, next_at)
                    select id, ${api.customerId}, ${endpointId}, 'message.status', '{}', now(), 'delivered', now() from made`
              : sql`insert into callback_attempt (attempt_id, customer_id, event_id, endpoint_id, at, status, ms)
                    select id, ${api.customerId}, id, ${endpointId}, now(), 200, 1 from made`
          }`,
    );
  for (const days of [31, 29]) {
    await insert('event', days, days === 31 ? count : 10);
    await insert('attempt', days, days === 31 ? count + 6_000 : 10);
  }
  await sweep({ pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 });
  for (const table of ['event', 'attempt']) {
    const rows = await many(pool, sql`select 1 from ${sql.ref(`callback_${table}`)} where endpoint_id = ${endpointId}`);
    assert.equal(rows.length, 10, table);
  }
});

test('an address moved from one rule to another keeps receiving events', async () => {
  const { customerId, deps } = api;
  const url = `${receiver.url}/handed-over`;
  const addRule = (tx: PoolClient) =>
    run(
      tx,
      sql`insert into threshold (threshold_id, customer_id, kind, per_day, webhooks)
          values (${uuidV7()}, ${customerId}, 'frequency', 3, ${[url]}::text[])`,
    );
  await withTransaction(pool, async (tx) => {
    await addRule(tx);
    await saveAlertCallbacks(tx, customerId, [url], deps);
  });
  const ceasing = await withTransaction(pool, async (tx) => {
    await addRule(tx);
    await saveAlertCallbacks(tx, customerId, [url], deps);
    const other = withTransaction(pool, async (second) => {
      await run(second, sql`delete from threshold where customer_id = ${customerId} and ${url} = any(webhooks)`);
      await saveAlertCallbacks(second, customerId, [], deps);
    });
    await until(
      async () =>
        (
          await many(
            pool,
            sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length > 0,
    );
    return { other };
  });
  await ceasing.other;
  const { removed } = await one<{ removed: boolean }>(
    pool,
    sql`select removed_at is not null as removed from callback_endpoint where url = ${url}`,
  );
  assert.equal(removed, false);
});
