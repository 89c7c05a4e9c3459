import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedChange, changeOf } from './change.ts';

const figures = (more: object) => ({
  messages: 0,
  segments: 0,
  accepted: 0,
  refused: 0,
  blocked: 0,
  delivered: 0,
  undelivered: 0,
  unknown: 0,
  spend: 0,
  ...more,
});

test('a figure is compared as a share of the one before; nothing is compared with nothing', () => {
  assert.deepEqual(changeOf('messages', figures({ messages: 108 }), figures({ messages: 100 })), {
    unit: 'share',
    by: 0.08000000000000007,
  });
  assert.deepEqual(changeOf('spend', figures({}), figures({ spend: 50 })), { unit: 'share', by: -1 });
  assert.equal(changeOf('messages', figures({ messages: 5 }), figures({})), null);
});

test('shares are compared in points, and only where both periods have a request', () => {
  const before = figures({ messages: 100, accepted: 90, refused: 10 });
  assert.deepEqual(acceptedChange(figures({ messages: 2, accepted: 1, refused: 1 }), before), {
    unit: 'points',
    by: -0.4,
  });
  assert.equal(acceptedChange(figures({}), before), null);
});

test('what waits changes no share: a paused task is no fall of acceptance', () => {
  const before = figures({ messages: 100, accepted: 90, refused: 10 });
  const paused = figures({ messages: 1_763, accepted: 1_013, refused: 112 });
  assert.ok(Math.abs((acceptedChange(paused, before)?.by ?? 1) - (1_013 / 1_125 - 0.9)) < 1e-12);
});
