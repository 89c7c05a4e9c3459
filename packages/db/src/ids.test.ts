import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageIdSource, messageIdFloor, messageIdMs, uuidV7 } from './ids.ts';

test('ids of a run are consecutive and never repeat, even when the clock stops or jumps back', () => {
  let now = 1_800_000_000_000;
  const source = new MessageIdSource(7, now - 1, () => now);
  const seen = new Set<bigint>();
  let last = -1n;
  for (let round = 0; round < 2000; round++) {
    if (round === 500) now -= 7_200_000;
    if (round % 3 === 0) now += round % 5;
    const count = 1 + ((round * 37) % 1024);
    const first = source.take(count);
    assert.ok(first > last);
    for (const id of new Set([first, first + BigInt(count) - 1n])) {
      assert.equal(seen.has(id), false);
      seen.add(id);
      assert.equal(Number((id >> 10n) & 255n), 7);
    }
    last = first + BigInt(count) - 1n;
  }
});

test('an id encodes its millisecond, has at most 18 digits until 2094, and starts past the floor of a previous owner', () => {
  const at = Date.UTC(2094, 0, 1);
  const id = new MessageIdSource(255, at, () => at - 5000).take(1024);
  assert.equal(messageIdMs(id), at + 1);
  assert.ok(id + 1023n < 10n ** 18n);
  assert.ok(messageIdFloor(at + 1) <= id);
  assert.ok(messageIdFloor(at + 2) > id + 1023n);
});

test('UUIDv7 carries version, variant and time', () => {
  const id = uuidV7(1_700_000_000_000);
  assert.match(id, /^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('UUIDv7 of one process are in the order of their making, within a millisecond too', () => {
  const ids = Array.from({ length: 2_000 }, () => uuidV7(1_700_000_000_001));
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(uuidV7(1_700_000_000_002) > (ids.at(-1) ?? ''));
});

test('a range of time that reaches past all ids stays within a bigint', () => {
  for (const year of ['0001', '9999']) {
    const floor = messageIdFloor(Date.parse(`${year}-12-31T00:00:00Z`));
    assert.ok(floor >= 0n && floor < 10n ** 18n, `${floor}`);
  }
});
