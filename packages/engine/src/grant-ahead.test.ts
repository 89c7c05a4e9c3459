import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GrantAhead } from './grant-ahead.ts';

test('no more is granted ahead than the pace allows in 100 ms, whatever was sent and however slow commits are', () => {
  const step = fc.record({ ms: fc.nat(5_000), sent: fc.nat(50_000), commitMs: fc.nat(30_000) });
  const inputs = [fc.array(step, { maxLength: 20 }), fc.integer({ min: 1, max: 50_000 }), fc.nat(2_000)] as const;
  fc.assert(
    fc.property(...inputs, (steps, pace, capacity) => {
      const ahead = new GrantAhead();
      let [now, sent] = [0, 0];
      for (const each of steps) {
        now += each.ms;
        sent += each.sent;
        ahead.noteSent(sent, now);
        ahead.noteCommit(each.commitMs);
      }
      const limit = ahead.limit(pace, capacity);
      assert.ok(limit >= 1 && limit <= Math.ceil(pace / 10), `${limit} at ${pace}/s`);
    }),
  );
});

test('without a pace nothing is granted ahead', () => {
  assert.equal(new GrantAhead().limit(0, 100), 0);
});

test('what is granted ahead follows what was sent lately, and the duration of commits', () => {
  const ahead = new GrantAhead();
  assert.equal(ahead.limit(100_000, 2), 16);
  ahead.noteSent(0, 0);
  ahead.noteSent(500, 1_000);
  assert.equal(ahead.limit(100_000, 2), 30);
  for (let n = 0; n < 50; n++) ahead.noteCommit(100);
  assert.equal(ahead.limit(100_000, 2), 100);
  assert.equal(ahead.limit(500, 2), 50);
});
