import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasUnsaved, holdUnsaved } from './unsaved.ts';

test('the page is held for as long as anything on it is not saved', () => {
  let isTyped = false;
  const release = holdUnsaved(() => isTyped);
  const releaseOther = holdUnsaved(() => false);
  assert.equal(hasUnsaved(), false);
  isTyped = true;
  assert.equal(hasUnsaved(), true);
  releaseOther();
  assert.equal(hasUnsaved(), true);
  release();
  assert.equal(hasUnsaved(), false);
});
