import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestName, proposeName } from './propose-name.ts';

const list = (of: readonly string[]) => of.join(', ');

test('a name says what is counted and by what it is divided', () => {
  assert.equal(proposeName(['Delivery rate'], ['Carrier'], list), 'Delivery rate · Carrier');
  assert.equal(proposeName(['Requests', 'Accepted'], [], list), 'Requests, Accepted');
  assert.equal(proposeName([], ['Carrier'], list), 'Carrier');
});

test('metrics without room are left out, and a name is never too long to be stored', () => {
  assert.equal(
    proposeName(['Requests', 'Accepted', 'Delivered', 'Undelivered'], ['Carrier'], list),
    'Requests, Accepted, Delivered · Carrier',
  );
  const long = proposeName(['M'.repeat(30)], ['A'.repeat(30)], list);
  assert.equal(long.length, longestName);
});
