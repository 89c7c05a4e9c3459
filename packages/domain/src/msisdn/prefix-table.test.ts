import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMsisdn } from './parse-msisdn.ts';
import { compilePrefixes, prefixTable } from './prefix-table.ts';
import { formatMsisdn, maskMsisdn } from './show-msisdn.ts';

test('each range has one first holder, and only mobile ranges are listed', () => {
  assert.equal(new Set(prefixTable.map((row) => row.prefix)).size, prefixTable.length);
  for (const { prefix } of prefixTable) assert.ok(parseMsisdn(`${prefix}1234567`).ok, prefix);
});

test('returns the holder of a range, and null for an unlisted one', () => {
  const holderOf = compilePrefixes(prefixTable);
  assert.equal(holderOf('639171234567'), 'Globe');
  assert.equal(holderOf('639181234567'), 'Smart');
  assert.equal(holderOf('638951234567'), 'DITO');
  assert.equal(holderOf('639911234567'), 'DITO');
  assert.equal(holderOf('638171234567'), null);
  assert.equal(holderOf('14155552671'), null);
});

test('the longest prefix decides', () => {
  const holderOf = compilePrefixes([
    { prefix: '63917', carrier: 'Globe' },
    { prefix: '6391712', carrier: 'Other' },
  ]);
  assert.equal(holderOf('639171234567'), 'Other');
  assert.equal(holderOf('639170234567'), 'Globe');
});

test('shows numbers whole and masked', () => {
  assert.equal(formatMsisdn('639171234567'), '+63 917 123 4567');
  assert.equal(formatMsisdn('6581234567'), '+6581234567');
  assert.equal(maskMsisdn('639171234567'), '63******4567');
  assert.equal(maskMsisdn('14155552671'), '14*****2671');
  assert.equal(maskMsisdn('1234567'), '12*****');
});
