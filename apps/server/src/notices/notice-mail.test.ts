import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNotice } from './any-notice.ts';
import { writeNoticeMail } from './notice-mail.ts';

const customerId = '00000000-0000-7000-8000-000000000001';
const leadOf = (notice: AnyNotice): string =>
  writeNoticeMail(notice, { locale: 'en-US' }, 'https://pahatid.test').text.split('\n', 1)[0] ?? '';

const ended = (total: number): AnyNotice => ({
  kind: 'taskEnded',
  customerId,
  params: { taskId: customerId, taskName: 'Sale', taskStatus: 6, total, success: total, failed: 0, reason: null },
});
const exported = (rows: number): AnyNotice => ({
  kind: 'exportReady',
  customerId,
  params: { exportId: '1', of: 'records', fileName: 'records.csv', rows, path: '/api/v1/exports/1/file' },
});
const refused = (value: number): AnyNotice => ({
  kind: 'thresholdAlert',
  customerId,
  params: {
    ...{ thresholdId: customerId, of: 'frequency', event: 'refused', measure: 'messages', period: null },
    ...{ value, bound: 1, appId: null, paused: 0 },
  } as const,
});

test('a mail speaks of one as of one, and of many as of many', () => {
  assert.match(leadOf(ended(1)), /is completed: 1 recipient, 1 accepted/);
  assert.match(leadOf(ended(2_000)), /is completed: 2,000 recipients, 2,000 accepted/);
  assert.match(leadOf(exported(1)), /is ready: 1 row\. /);
  assert.match(leadOf(exported(0)), /is ready: 0 rows\. /);
  assert.match(leadOf(refused(1)), /held back 1 message\.$/);
  assert.match(leadOf(refused(1_234)), /held back 1,234 messages\.$/);
});
