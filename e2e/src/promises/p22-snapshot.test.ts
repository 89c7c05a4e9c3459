/**
 * P22: a task sends what was shown at its confirmation, whatever happens to its parts; a disabled application stops.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { startStopwatch } from '@pahatid/testkit';
import { makeStaffedWorld, senderId, templateContent, textOf } from './journey.ts';
import { patience, size } from './sizes.ts';

const STOPS_MS = 2_000;

test('P22: a template edited, a sender ID disabled in mid-send change nothing; a disabled application stops', {
  timeout: patience(90_000),
}, async (t) => {
  const { world, journey } = await makeStaffedWorld(t, { tps: size(150, 600) });
  const { carriers, pool, scene } = world;
  const { call } = journey;
  const template = { params: { templateId: journey.templateId } };
  const total = size(1_500, 30_000);
  const remove = async () => (await journey.fetch(`/templates/${journey.templateId}`, { method: 'DELETE' })).status;
  // The customer's edits take effect immediately, without a review.
  await pool.query('update customer set exempt_sms_types = $2 where customer_id = $1', [scene.customerId, [1, 2, 3]]);

  const first = await journey.prepare(total, 'A snapshot');
  const second = await journey.prepare(total, 'A disabled application');
  const edit = async (content: string): Promise<void> => {
    const edited = await call('PATCH /templates/:templateId', { ...template, body: { content } });
    assert.equal(edited.servingVersion, edited.version, 'the new text serves');
  };
  // After the check that froze the text, before the confirmation that was shown it.
  await edit('A wholly other text for {1} about {2}.');
  await journey.confirm(first);
  await carriers.untilSeen(100);
  await edit('Again another one for {1} about {2}.');
  assert.equal(await remove(), 409, 'a task under way holds its template');
  const senders = await call('GET /senders', { query: {} });
  await call('POST /senders/:id/disable', { params: { id: senders.items[0]?.id ?? '' } });
  assert.ok((await carriers.counters()).submits < total, 'all this came while it was sent');
  await journey.untilEnded(first.taskId, TaskStatus.Completed);
  const wanted = new Map(first.phones.map((phone, n) => [phone, textOf(n)]));
  for await (const { source, destination, text } of carriers.submits()) {
    assert.equal(text, wanted.get(destination));
    assert.equal(source, senderId);
  }

  await call('POST /senders/:id/enable', { params: { id: senders.items[0]?.id ?? '' } });
  const before = (await carriers.counters()).submits;
  await journey.confirm(second);
  await carriers.untilSeen(before + 200);
  await call('POST /applications/:appId/disable', { params: { appId: scene.appId } });
  const watch = startStopwatch();
  const disabledAt = Date.now();
  const [to] = journey.phones(1);
  assert.equal((await journey.post({ to, smsType: 2, content: 'Nothing' })).ok, false);
  const task = await journey.untilEnded(second.taskId, TaskStatus.Terminated);
  assert.equal(task.statusReason, 'APP_DISABLED');
  assert.equal(task.successCount + task.failedCount, total);
  assert.equal(task.chargedSegments, task.successCount);
  assert.equal(await remove(), 204);
  assert.equal((await journey.look(first.taskId)).content, templateContent, 'what was sent is still told');
  assert.ok(task.failedCount > total / 4, 'there was something left to stop');
  let late = 0;
  for await (const { timeMs } of carriers.submits()) late = Math.max(late, timeMs - disabledAt);
  t.diagnostic(`last submit ${late} ms after the application was disabled, ${task.successCount} sent of ${total}`);
  watch.assertSpan(late, STOPS_MS, 'the last submit after the application was disabled');
  const verdict = await world.audit();
  assert.equal(verdict.delivered, total + task.successCount);
  assert.equal(verdict.extraCopies, 0);
});
