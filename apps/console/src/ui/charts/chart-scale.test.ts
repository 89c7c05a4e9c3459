import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridValues, stackBar, tickStep } from './chart-scale.ts';

test('the axis ends at a round number at or above the largest value, in at most four steps', () => {
  for (const largest of [1, 3, 7, 10, 99, 101, 1_234, 36_000, 40_000, 999_999, 12_345_678]) {
    const values = gridValues(largest);
    const top = values.at(-1) ?? 0;
    assert.ok(top >= largest, `${top} is below ${largest}`);
    assert.ok(top < largest * 2.5 + 4, `${top} leaves ${largest} too low`);
    assert.ok(values.length >= 2 && values.length <= 5, `${values.length} lines for ${largest}`);
    assert.ok(values.every(Number.isInteger));
  }
  assert.deepEqual(gridValues(36_000), [0, 10_000, 20_000, 30_000, 40_000]);
});

test('an empty chart still has an axis', () => {
  assert.deepEqual(gridValues(0), [0, 1]);
});

test('labels never touch as long as a wider step exists', () => {
  assert.equal(tickStep(24, 640, 52, [1, 2, 3, 6, 12]), 2);
  assert.equal(tickStep(24, 280, 52, [1, 2, 3, 6, 12]), 6);
  assert.equal(tickStep(7, 640, 52, [1, 2]), 1);
  assert.equal(tickStep(31, 100, 60, [1, 2, 7]), 7);
});

test('the parts of a bar stack without touching and end where the axis ends', () => {
  const [low, middle, top] = stackBar([50, 25, 25], { highest: 100, height: 200 });
  assert.ok(low && middle && top);
  assert.equal(low.top + low.height, 200);
  assert.ok(middle.top + middle.height < low.top);
  assert.ok(top.top + top.height < middle.top);
  assert.ok(Math.abs(top.top - 0) <= 1.5);
});

test('one failure among thousands is seen', () => {
  const [, failed] = stackBar([40_000, 1], { highest: 40_000, height: 200 });
  assert.ok(failed && failed.height >= 2);
  assert.equal(stackBar([0, 5], { highest: 5, height: 10 })[0], null);
});
