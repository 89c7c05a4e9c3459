import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEdgeWidth } from './edge-width.ts';
import { toWidths } from './table-settings.ts';

test('arrow keys move an edge as they point, in both directions of writing', () => {
  const ltr = { isRtl: false, isFast: false };
  const rtl = { isRtl: true, isFast: false };
  assert.equal(toEdgeWidth('ArrowRight', 200, ltr), 208);
  assert.equal(toEdgeWidth('ArrowLeft', 200, ltr), 192);
  assert.equal(toEdgeWidth('ArrowRight', 200, rtl), 192);
  assert.equal(toEdgeWidth('ArrowLeft', 200, rtl), 208);
  assert.equal(toEdgeWidth('ArrowLeft', 200, { isRtl: true, isFast: true }), 248);
  assert.equal(toEdgeWidth('Home', 200, ltr), 64);
  assert.equal(toEdgeWidth('End', 200, ltr), 800);
  for (const key of ['Tab', 'Enter', 'j', 'ArrowUp']) assert.equal(toEdgeWidth(key, 200, ltr), null, key);
});

test('widths that this device stored are bounded, and what is none is left out', () => {
  assert.deepEqual(toWidths({ taskName: 240.4, appName: 5, content: 9_000, other: '200', none: null }), {
    taskName: 240,
    appName: 64,
    content: 800,
  });
  for (const stored of [undefined, null, 'x', 5]) assert.deepEqual(toWidths(stored), {});
});
