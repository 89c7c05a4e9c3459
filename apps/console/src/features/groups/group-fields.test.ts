import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesIn, readPaste } from './group-fields.ts';

test('names are divided by commas of any script', () => {
  assert.deepEqual(namesIn(' name, city，points、 ;'), ['name', 'city', 'points']);
});

test('a paste is a number a line, with values behind it as a spreadsheet copies them', () => {
  assert.deepEqual(readPaste('0917 123 4567\tAna, Maria\tCebu\r\n\n09181234567,Ben\n +63 917-123-4567 '), [
    { line: 1, mobileNumber: '0917 123 4567', values: ['Ana, Maria', 'Cebu'] },
    { line: 3, mobileNumber: '09181234567', values: ['Ben'] },
    { line: 4, mobileNumber: '+63 917-123-4567', values: [] },
  ]);
});
