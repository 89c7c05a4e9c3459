import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latinDigits } from './latin-digits.ts';

test('a code typed in the digits of any keyboard is the code that was sent', () => {
  for (const typed of ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '๐๑๒๓๔๕๖๗๘๙', '０１２３４５６７８９'])
    assert.equal(latinDigits(typed), '0123456789');
});

test('what is no digit stays as it was typed', () => {
  assert.equal(latinDigits(' ۱۲۳ ۴۵۶ AB-½ '), ' 123 456 AB-½ ');
});
