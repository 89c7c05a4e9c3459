import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitLastLine } from './split-last-line.ts';

const lastLine = 'Reply T to unsubscribe';

test('what is put into a text comes before the line by which recipients leave', () => {
  assert.deepEqual(splitLastLine(`Sale today ${lastLine} `, lastLine), ['Sale today', ` ${lastLine}`]);
  assert.deepEqual(splitLastLine(`Sale today\n${lastLine}`, lastLine), ['Sale today', `\n${lastLine}`]);
  assert.deepEqual(splitLastLine(lastLine, lastLine), ['', ` ${lastLine}`]);
});

test('a text that ends otherwise is left as it is', () => {
  assert.deepEqual(splitLastLine('Sale today ', lastLine), ['Sale today ', '']);
  assert.deepEqual(splitLastLine('', lastLine), ['', '']);
});
