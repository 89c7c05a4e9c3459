import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRegions, regionName } from './regions.ts';

test('a region is found by its name in the reader’s language and by its code, the home one first', () => {
  assert.deepEqual(findRegions('en-US', 'philip', 'PH'), [{ code: 'PH', name: 'Philippines' }]);
  assert.deepEqual(findRegions('zh-CN', '菲律宾', 'PH'), [{ code: 'PH', name: '菲律宾' }]);
  assert.equal(findRegions('en-US', 'sg', 'PH').at(0)?.code, 'SG');
  assert.equal(findRegions('en-US', '', 'PH').at(0)?.code, 'PH');
  assert.equal(findRegions('en-US', '', 'PH').length, 20);
  assert.deepEqual(findRegions('en-US', 'nowhere at all', 'PH'), []);
});

test('a code that names no region is shown as it is', () => {
  assert.equal(regionName('en-US', 'PH'), 'Philippines');
  assert.equal(regionName('en-US', '??'), '??');
});
