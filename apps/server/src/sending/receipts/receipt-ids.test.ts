import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idForms, storedId } from './receipt-ids.ts';

test('C12: one id in two spellings is one id: case, leading zeros, spaces', () => {
  for (const id of ['38601fa', '38601FA', '00038601fa', ' 38601fa ']) assert.equal(storedId(id), '38601fa');
  assert.equal(storedId('0000'), '0000');
});

test('C12: the response hex id is found by the receipt decimal, and vice versa', () => {
  assert.ok(idForms('0059113978').includes(storedId('38601fa')));
  assert.ok(idForms('38601fa').includes(storedId('0059113978')));
  assert.deepEqual(idForms('59113978', 'hex')[0], '38601fa');
  assert.deepEqual(idForms('59113978', 'dec')[0], '59113978');
});

test('C12: ids that are plain text are never read as numbers', () => {
  assert.deepEqual(idForms('59113978', 'text'), ['59113978']);
  assert.deepEqual(idForms('6f1c0c7e-2f43-4c9b-9f0e-1b2d3c4e5f60'), ['6f1c0c7e-2f43-4c9b-9f0e-1b2d3c4e5f60']);
});
