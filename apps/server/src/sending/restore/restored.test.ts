/** A database as it came back from a backup: nothing is sent again automatically, and a person decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildUser } from '@pahatid/db/builders';
import { decideLane, findOpenRestore, listPausedLanes, type RestoreDecision } from '@pahatid/db/queries/restores';
import { until } from '@pahatid/testkit';
import type { Pool } from 'pg';
import { assertAgrees } from '../../verify/testing/agrees.ts';
import { findBroken } from '../testing/invariants.ts';
import { makeScene } from '../testing/make-scene.ts';
import type { Scene } from '../testing/scene.ts';
import { markRestored } from './mark-restored.ts';
import { settleRestored } from './settle-restored.ts';

const backupAt = new Date(Date.now() - 60_000);

const decide = async (pool: Pool, restoreId: string, lane: number, decision: RestoreDecision): Promise<boolean> => {
  const { userId } = await buildUser(pool, { customerId: null, role: 'admin' });
  return await decideLane(pool, { restoreId, lane, decision, userId, at: new Date() });
};

const settleAll = async ({ pool, writer }: Scene): Promise<number> => {
  let released = 0;
  for (;;) {
    const step = await settleRestored(pool, writer);
    released += step.released;
    if (!step.isMore) return released;
  }
};

test('P26 what waited in the backup is in doubt, and released lane by lane it is sent once', async (t) => {
  const scene = await makeScene(t);
  const { pool } = scene;
  await scene.accept(scene.recipients(1_200));
  // As a sender left it: claimed, a part of it written to a socket, and one batch parked.
  await pool.query(`update batch set state = 1, owner = gen_random_uuid(), lease_until = now() + interval '7 seconds',
    intent_mark = 10, not_taken = '{3}' where batch_id = (select min(batch_id) from batch)`);
  await pool.query(`update batch set state = -1, parked_for = 3, parked_key = task_id::text
    where batch_id = (select max(batch_id) from batch)`);
  const { restoreId, unsure } = await markRestored(pool, backupAt);
  assert.equal(unsure, 1_200 - 9);
  assert.deepEqual(await scene.states(), { '1/0': 1_200 });
  await assertAgrees(pool);
  const { lanes } = (await findOpenRestore(pool))!;
  assert.deepEqual(
    lanes.map(({ lane, unsureCount, doubtCount }) => [lane, unsureCount, doubtCount]),
    [
      [1, 0, 0],
      [2, 1_191, 9],
      [3, 0, 0],
    ],
  );

  const sending = await scene.startSender();
  await scene.accept(scene.recipients(30, 5_000));
  for (let n = 0; n < 3; n++) {
    sending.engine.wake();
    await settleRestored(pool, scene.writer);
  }
  // Another lane is decided, and this one still sends nothing.
  assert.ok(await decide(pool, restoreId, 1, 'release'));
  assert.ok(!(await decide(pool, restoreId, 1, 'hold')), 'decided once');
  assert.equal(await settleAll(scene), 0);
  assert.deepEqual(await listPausedLanes(pool), [2, 3]);
  assert.equal(scene.seen, 0);
  assert.deepEqual(await scene.states(), { '0/0': 30, '1/0': 1_200 });

  await decide(pool, restoreId, 2, 'release');
  assert.equal(await settleAll(scene), 1_191);
  sending.engine.wake();
  // What had been written to a socket before the backup stays in doubt.
  await scene.untilStates({ '1/0': 9, '3/2': 1_221 });
  assert.deepEqual(await findBroken(pool, scene.simulator!.journal.entries()), []);
  await assertAgrees(pool);
  await decide(pool, restoreId, 3, 'hold');
  await settleAll(scene);
  assert.equal(await findOpenRestore(pool), null);
});

test('P26 held, it stays unconfirmed, settled by its receipts alone; what is accepted later is sent', async (t) => {
  const scene = await makeScene(t);
  const { pool } = scene;
  const recipients = scene.recipients(60);
  await scene.accept(recipients);
  // Single messages hold a part of the balance until they are settled.
  await scene.accept(scene.recipients(30, 100), { taskId: null });
  const { restoreId, unsure } = await markRestored(pool, backupAt);
  assert.equal(unsure, 90);
  await assertAgrees(pool);
  const phones = recipients.slice(0, 20).map(({ msisdn }) => msisdn);
  await pool.query(
    `insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final, report_at, received_at)
     select m.supplier_id, gen_random_uuid(), 'lost-' || m.message_id || '-' || part, m.msisdn, m.client_sid, 2, true, now(), now() + interval '1 second'
     from message m cross join lateral generate_series(1, m.pkg_total) part where m.msisdn = any($1)`,
    [phones],
  );
  await scene.startSender();
  await scene.untilStates({ '1/0': 70, '3/2': 20 });
  await decide(pool, restoreId, 2, 'hold');
  await settleAll(scene);
  await scene.accept(scene.recipients(15, 900));
  await scene.untilStates({ '1/0': 70, '3/2': 35 });
  await until(async () => (await pool.query('select from batch where state < 2')).rowCount === 0);
  assert.equal(
    scene.seen,
    scene.recipients(15, 900).reduce((sum, { pkgTotal }) => sum + pkgTotal, 0),
  );
  await assertAgrees(pool);
});
