/** Messages are dropped by whole weeks once they have expired for every customer, and what is counted agrees before and after. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { buildBatch } from '@pahatid/db/builders';
import { listRecords } from '@pahatid/db/queries/records';
import { addMissingRetention } from '@pahatid/db/queries/retention';
import { deleteExpired } from '../features/privacy/delete-expired.ts';
import { deleteFoldedMinutes, foldEndedHours } from '../features/statistics/fold-hours.ts';
import { makeTaskWorld } from '../http/testing/task-world.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { findDifferences } from '../verify/find-differences.ts';
import { repairDifferences } from '../verify/repair.ts';
import { assertAgrees, options } from '../verify/testing/agrees.ts';
import { dropPartitions } from './housekeeping.ts';

const api = await makeTestApi({ features: [] });
const { pool } = api.db;
const world = await makeTaskWorld(pool, api.customerId, api.appId);
const context = await world.jobs();
const dayMs = 86_400_000;

/** Three messages of a batch: `waiting` ones may still be sent. */
const addBatch = async (of: { customerId: string; appId: string }, daysAgo: number, waiting = false) => {
  const client = await pool.connect();
  try {
    await buildBatch(client, {
      ...of,
      smsType: 2,
      clientSid: 'SHOP',
      supplierId: world.carriers.suppliers.Globe,
      routeId: world.carriers.routes.Globe,
      at: new Date(Date.now() - daysAgo * dayMs),
      messages: ['01', '02', '03'].map((end) => ({
        msisdn: `6391700000${end}`,
        content: 'Hello',
        carrier: 'Globe',
        clientStatus: waiting ? ClientStatus.Accepted : ClientStatus.Delivered,
      })),
    });
  } finally {
    client.release();
  }
};
const mine = { customerId: api.customerId, appId: api.appId };
const theirs = { customerId: api.otherCustomerId, appId: api.otherAppId };

const expireAll = async (offsetMs = 0): Promise<void> => {
  await addMissingRetention(pool);
  await pool.query(`update retention set due_at = '-infinity'`);
  while ((await deleteExpired({ ...context, offsetMs })) !== null);
};
const state = async () => {
  const { rows } = await pool.query<{ mine: number; theirs: number; partitions: number }>(
    `select (select count(*) from message where customer_id = $1)::int as mine, (select count(*) from message where customer_id = $2)::int as theirs,
       (select count(*) from partition_bounds('message') where high <= id_floor(now() - interval '90 days'))::int as partitions`,
    [api.customerId, api.otherCustomerId],
  );
  return rows[0];
};

test('a week goes when it is over for all: by 400 days for the longest time, row by row before for shorter ones', async () => {
  await pool.query(
    `insert into retention (customer_id, record_days) values ($1, 400) on conflict (customer_id) do update set record_days = 400`,
    [api.customerId],
  );
  for (const daysAgo of [420, 390, 100]) await addBatch(mine, daysAgo);
  for (const daysAgo of [391, 200]) await addBatch(theirs, daysAgo);
  assert.deepEqual(await state(), { mine: 9, theirs: 6, partitions: await partitionsOf([420, 390, 391, 200, 100]) });
  await dropPartitions(context);
  assert.equal((await state())?.mine, 9, 'before retention has run nothing is dropped');

  await expireAll();
  assert.deepEqual([(await state())?.mine, (await state())?.theirs], [9, 0]);
  await assertAgrees(pool);
  await dropPartitions(context);
  await assertAgrees(pool);
  assert.deepEqual(await state(), { mine: 6, theirs: 0, partitions: await partitionsOf([390, 391, 200, 100]) });

  // Nothing that a sender may still hold is dropped.
  await addBatch(mine, 395, true);
  await expireAll(30 * dayMs);
  await dropPartitions(context);
  assert.equal((await state())?.mine, 9);
  await pool.query('update batch set state = 2, done_at = now() where state = 0');
  await dropPartitions(context);
  assert.deepEqual(await state(), { mine: 3, theirs: 0, partitions: await partitionsOf([200, 100]) });
});

test('where minutes are gone, records are found and counts verified by hour', async () => {
  for (const daysAgo of [60, 50, 1]) await addBatch(mine, daysAgo);
  const find = async () => {
    const range = { fromMs: 0, toMs: Date.now() + dayMs, before: null, limit: 20 };
    const filter = { clientStatus: [ClientStatus.Delivered] };
    const { rows, searchedTo } = await listRecords(pool, [api.customerId], filter, range);
    return { ids: rows.map(({ messageId }) => messageId), searchedTo };
  };
  const before = await find();
  assert.equal(before.ids.length, 12);
  await foldEndedHours(context);
  await deleteFoldedMinutes(context);
  const { rows } = await pool.query('select count(distinct minute)::int as n from report_minute');
  assert.deepEqual(rows, [{ n: 1 }]);
  assert.deepEqual(await find(), before);
  await assertAgrees(pool);

  await pool.query(
    `update report_hour set req_total = req_total + 1 where hour < now() - interval '55 days' and hour > now() - interval '65 days'`,
  );
  await pool.query(
    'update report_hour_total t set req_total = t.req_total + 1 from report_hour h where h.hour = t.hour and h.req_total = 4',
  );
  const { differences } = await findDifferences(pool, options);
  assert.deepEqual(
    differences.map(({ check, kept, derived }) => [check, kept, derived]),
    [['rollup', '4', '3']],
  );
  await repairDifferences(pool, options);
  await assertAgrees(pool);
  await foldEndedHours(context);
  await assertAgrees(pool);
});

/** The number of weeks in which these days are. */
async function partitionsOf(days: readonly number[]): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(distinct date_trunc('week', now() - n * interval '1 day', 'UTC'))::int as n from unnest($1::int[]) n`,
    [days],
  );
  return rows[0]!.n;
}
