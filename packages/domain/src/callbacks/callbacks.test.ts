import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { callbackDelayMs } from './callback-schedule.ts';
import { isNotifiedChange } from './notified-statuses.ts';

test('P17 tries go on for 75 h 35 min, each later than the one before, and then end', () => {
  const delays: number[] = [];
  for (let failed = 1; ; failed++) {
    const delay = callbackDelayMs(failed);
    if (delay === null) break;
    assert.ok(delay > (delays.at(-1) ?? 0));
    delays.push(delay);
  }
  assert.equal(delays.length, 9);
  assert.equal(
    delays.reduce((sum, delay) => sum + delay, 0),
    ((75 * 60 + 35) * 60 + 5) * 1_000,
  );
});

test('a message is reported for each new state that is an outcome, and for no state it already has', () => {
  for (const before of Object.values(ClientStatus))
    for (const after of Object.values(ClientStatus))
      assert.equal(isNotifiedChange(before, after), before !== after && after >= ClientStatus.Delivered);
  assert.equal(isNotifiedChange(null, ClientStatus.Blocked), true);
  assert.equal(isNotifiedChange(null, ClientStatus.Accepted), false);
});
