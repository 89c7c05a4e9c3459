import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFormats } from '../../lib/format/make-formats.ts';
import { receiptStyle } from './receipt-style.ts';

const [manila, utc] = [makeFormats('en-US', 'Asia/Manila'), makeFormats('zh-CN', 'UTC')];

test('a receipt after midnight of the viewer shows its date, one of the same day only the time', () => {
  const requested = '2026-03-09T15:59:58.000Z';
  const received = '2026-03-09T16:00:03.000Z';
  assert.equal(receiptStyle(requested, received, manila), 'moment');
  assert.equal(receiptStyle(requested, received, utc), 'time');
  assert.equal(receiptStyle(requested, '2026-03-10T15:59:58.000Z', utc), 'moment');
  assert.equal(receiptStyle(requested, null, utc), 'time');
});
