/** Results by the hour of sending: sums over ninety days, of the customer and the application alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SendHours, TaskStatus } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { appId, customerId } = api;
const world = await makeTaskWorld(pool, customerId, appId);

/** So many days ago, at an hour of Manila. */
const at = (daysAgo: number, hour: number): Date => {
  const day = new Date(Date.now() + 8 * 3_600_000 - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return new Date(`${day}T${String(hour).padStart(2, '0')}:30:00+08:00`);
};

async function addReceipts(when: Date, delivered: number, undelivered: number, unknown: number, ofApp = appId) {
  await pool.query(
    `insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
       req_total, req_success, req_fail, req_blocked, receipt_success, receipt_fail, receipt_unknown, segments, charged)
     select $1, $2, $3, 'PH', 'Globe', 'TESTSHOP', 2, route_id, 7, $7::int, $7::int, 0, 0, $4, $5, $6, $7::int, 0 from route limit 1`,
    [customerId, when, ofApp, delivered, undelivered, unknown, delivered + undelivered + unknown + 5],
  );
}

/** A task with a link of each recipient, of whom some opened it, and programs too. */
async function addLinkedTask(when: Date, { delivered, opened }: { delivered: number; opened: number }): Promise<void> {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed });
  const linkId = uuidV7();
  await pool.query('update task set started_at = $2 where task_id = $1', [taskId, when]);
  await pool.query(
    `insert into short_link (link_id, customer_id, link_name, domain, code, target_url, mode, app_id, use_state, expires_at, created_at, updated_at)
     values ($1, $2, $3, 'l.test', $3, 'https://shop.example/', 'perRecipient', $4, 1, now() + interval '1 year', now(), now())`,
    [linkId, customerId, linkId.slice(-8), appId],
  );
  await pool.query('insert into link_task (customer_id, link_id, task_id) values ($1, $2, $3)', [
    customerId,
    linkId,
    taskId,
  ]);
  await pool.query(
    `insert into task_progress (task_id, writer, customer_id, delivered_count) values ($1, 1, $2, $3), ($1, 2, $2, $3)`,
    [taskId, customerId, delivered / 2],
  );
  for (const [verdict, firsts] of [
    ['human', opened],
    ['scanner', 0],
  ])
    await pool.query(
      `insert into link_minute (customer_id, link_id, minute, task_id, area_code, carrier, os, browser, device, verdict,
         click_count, first_count, first_at, last_at)
       values ($1, $2, $3, $4, 'PH', 'Globe', '', '', '', $5, 99, $6, $3, $3)`,
      [customerId, linkId, new Date(when.getTime() + 3_600_000), taskId, verdict, firsts],
    );
}

const ask = (query: Record<string, string> = {}, who: 'member' | 'other' | 'viewer' | 'reviewer' | null = 'member') =>
  api.ask(who, 'GET /tasks/send-hours', { query: { zone: 'Asia/Manila', ...query } });
const filled = ({ hours }: SendHours) =>
  hours.filter(({ answeredCount, linkedCount }) => answeredCount + linkedCount > 0);

test('receipts by the hour of the request and opened links by the hour in which the task started, each once', async () => {
  await addReceipts(at(2, 9), 90, 5, 5);
  await addReceipts(at(30, 9), 80, 20, 0);
  await addReceipts(at(3, 18), 40, 0, 10);
  await addReceipts(at(100, 18), 500, 0, 0);
  await addLinkedTask(at(4, 18), { delivered: 200, opened: 30 });
  await addLinkedTask(at(5, 18), { delivered: 100, opened: 6 });
  const { status, body } = await ask();
  assert.equal(status, 200);
  assert.deepEqual(
    body.hours.map(({ hour }: { hour: number }) => hour),
    Array.from({ length: 24 }, (_, hour) => hour),
  );
  assert.deepEqual(filled(body), [
    { hour: 9, answeredCount: 200, deliveredCount: 170, linkedCount: 0, openedCount: 0 },
    { hour: 18, answeredCount: 50, deliveredCount: 40, linkedCount: 300, openedCount: 36 },
  ]);
  const utc = await ask({ zone: 'UTC' });
  assert.deepEqual(
    filled(utc.body).map(({ hour }) => hour),
    [1, 10],
    'hours are those of the zone',
  );
  assert.deepEqual(filled((await ask({ appId })).body), filled(body));
});

test('only those who create tasks read them, of their customer alone', async () => {
  assert.equal((await ask({}, null)).status, 401);
  assert.equal((await ask({}, 'viewer')).status, 403);
  assert.equal((await ask({}, 'reviewer')).status, 403);
  assert.deepEqual(filled((await ask({}, 'other')).body), []);
  assert.equal((await ask({ appId: 'another' })).body.code, 'APP_NOT_FOUND');
  const wrong = await ask({ zone: 'Mars/Olympus' });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'VALIDATION_FAILED']);
});
