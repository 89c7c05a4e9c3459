import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayStart, instantToWall, wallToInstant } from './zoned-time.ts';

test('a wall time in Manila is eight hours ahead of UTC', () => {
  assert.equal(wallToInstant('2026-11-21T09:00', 'Asia/Manila'), '2026-11-21T01:00:00.000Z');
  assert.equal(instantToWall('2026-11-21T01:00:00Z', 'Asia/Manila'), '2026-11-21T09:00:00');
});

test('wall times survive a round trip across clock changes', () => {
  for (const zone of ['Asia/Manila', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    for (let hour = 0; hour < 24 * 365; hour += 7) {
      const instant = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
      const wall = instantToWall(instant, zone);
      // In an overlap two instants share a wall time, so only the wall time must come back.
      assert.equal(instantToWall(wallToInstant(wall, zone), zone), wall, `${instant} in ${zone}`);
    }
  }
});

test('a day begins at midnight of the zone, not of UTC', () => {
  const now = Date.parse('2026-11-20T17:30:00Z');
  assert.equal(dayStart('Asia/Manila', 0, now), '2026-11-20T16:00:00.000Z');
  assert.equal(dayStart('UTC', 0, now), '2026-11-20T00:00:00.000Z');
  assert.equal(dayStart('Asia/Manila', 6, now), '2026-11-14T16:00:00.000Z');
});
