/** Tests of attempt limits. They are here because they need a migrated database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AttemptLimit,
  clearAttempts,
  countAttempt,
  countAttempts,
  many,
  readAttempt,
  refundAttempt,
  sql,
  sweepAttempts,
} from '@pahatid/db';
import { testDatabase } from './test-database.ts';

const { pool } = await testDatabase();
const start = Date.parse('2026-03-01T00:00:00Z');
const at = (ms: number): Date => new Date(start + ms);
const attempt = (key: string, limit: number, ms = 0): AttemptLimit => ({
  what: 'test',
  key,
  limit,
  windowMs: 60_000,
  now: at(ms),
});

test('of two hundred concurrent attempts exactly the limit is allowed, each with its own count', async () => {
  const counts = await Promise.all(Array.from({ length: 200 }, () => countAttempt(pool, attempt('crowd', 7))));
  const allowed = counts.filter((count) => count.allowed);
  assert.deepEqual(
    allowed.map(({ count }) => count).sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7],
  );
  assert.ok(counts.filter((count) => !count.allowed).every(({ count }) => count === 7));
});

test('a window begins with its first attempt and ends after its time; what was refused does not lengthen it', async () => {
  assert.deepEqual(await countAttempt(pool, attempt('window', 1, 1_000)), {
    allowed: true,
    count: 1,
    endsAt: at(61_000),
  });
  assert.deepEqual(await countAttempt(pool, attempt('window', 1, 60_999)), {
    allowed: false,
    count: 1,
    endsAt: at(61_000),
  });
  assert.equal((await countAttempt(pool, attempt('window', 1, 61_000))).allowed, true);
});

test('of one window two limits may be asked: the narrow one refuses while the wide one still counts', async () => {
  for (let n = 0; n < 3; n++) await countAttempt(pool, attempt('two', 3));
  assert.equal((await countAttempt(pool, attempt('two', 3))).allowed, false);
  assert.deepEqual((await countAttempt(pool, attempt('two', 10))).count, 4);
});

test('several are counted all or none, and the first that is full is named', async () => {
  await countAttempt(pool, attempt('full', 1));
  const refused = await countAttempts(pool, [attempt('free', 5), attempt('full', 1)]);
  assert.ok('refused' in refused && refused.refused.key === 'full');
  assert.equal((await readAttempt(pool, attempt('free', 5), at(0))).count, 0);
  const counted = await countAttempts(pool, [attempt('free', 5), attempt('other', 1)]);
  assert.ok(!('refused' in counted) && counted.length === 2);
});

test('attempts are refunded, counts cleared, expired windows swept; the table stores no key', async () => {
  await countAttempt(pool, attempt('maria', 5));
  await countAttempt(pool, attempt('maria', 5));
  await refundAttempt(pool, attempt('maria', 5));
  assert.equal((await readAttempt(pool, attempt('maria', 5), at(0))).count, 1);
  await clearAttempts(pool, 'test', 'maria');
  await refundAttempt(pool, attempt('maria', 5));
  assert.equal((await readAttempt(pool, attempt('maria', 5), at(0))).count, 0);
  const rows = await many<{ whole: string }>(pool, sql`select a::text as whole from attempt a`);
  assert.ok(rows.length > 0 && rows.every(({ whole }) => !whole.includes('crowd')));
  await sweepAttempts(pool, at(3_600_000));
  assert.equal((await many(pool, sql`select 1 from attempt where what = 'test'`)).length, 0);
});
