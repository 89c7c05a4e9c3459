import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileTemplate } from '@pahatid/domain';
import { checkRows } from './check-rows.ts';

const use = { template: compileTemplate('Hi {1}, you owe PHP {2}.'), variableColumns: [2, 1] };
const row = (...values: (string | null)[]) => ({ line: 7, msisdn: '639171234567', values });

test('fills the variables from their columns, in number order, and counts segments', () => {
  const checked = checkRows([row('', '5.00', 'Ana'), row('', '6.00', 'Juan Dela Cruz'.repeat(12))], use);
  assert.deepEqual(checked.recipients[0], { line: 7, msisdn: '639171234567', variables: ['Ana', '5.00'], segments: 1 });
  assert.equal(checked.segments, 3);
  assert.deepEqual(checked.rejects, []);
});

test('rejects rows that lack a value, make a link, hold a formula or grow too long, with the value to blame', () => {
  const rows = [
    row('', '5', ''),
    row('', '5'),
    row('', 'www.evil.com/?a=1', 'Ana'),
    row('', null, 'Ana'),
    row('', '5', 'x'.repeat(3_000)),
  ];
  assert.deepEqual(
    checkRows(rows, use).rejects.map(({ reason, variable, raw }) => [reason, variable, raw]),
    [
      ['MISSING_VALUE', 1, ''],
      ['MISSING_VALUE', 1, ''],
      ['VALUE_IS_LINK', 2, 'www.evil.com/?a=1'],
      ['VALUE_IS_FORMULA', 2, ''],
      ['TEXT_TOO_LONG', 0, ''],
    ],
  );
});

test('a name written like a host is kept and counted', () => {
  const checked = checkRows([row('', '5', 'Juan D.Co')], use);
  assert.deepEqual([checked.recipients.length, checked.ambiguousCount], [1, 1]);
});

test('a template without variables takes every row', () => {
  const checked = checkRows([row(''), row()], { template: compileTemplate('Hello'), variableColumns: [] });
  assert.equal(checked.recipients.length, 2);
});
