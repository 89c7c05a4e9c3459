import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '@pahatid/testkit';
import { Scene } from './testing/scene.ts';

test('2,000 messages: rows, counters, statistics and money agree with the carriers’ journal', async () => {
  const { pool } = await testDatabase();
  const scene = await Scene.build({ pool });
  try {
    await scene.accept(scene.recipients(2_000));
    await scene.startSender();
    await scene.untilStates({ '3/2': 2_000 });
    const found = await scene.audit();
    assert.deepEqual(found, {
      rows: 2_000,
      waiting: 0,
      inDoubt: 0,
      failed: 0,
      accepted: 2_000,
      delivered: 2_000,
      undelivered: 0,
      sentTwice: 0,
      neverSeen: 0,
    });
    const routes = await pool.query('select count(*)::int n from dlr_route');
    assert.equal(routes.rows[0].n, 2_200);
    const batches = await pool.query(
      'select distinct state, intent_mark = message_count as whole, not_taken from batch',
    );
    assert.deepEqual(batches.rows, [{ state: 2, whole: true, not_taken: [] }]);
  } finally {
    await scene.close();
  }
});
