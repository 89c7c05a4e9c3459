import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileTemplate } from '../templates/compile-template.ts';
import { findUnmappedVariable, mapVariables } from './map-variables.ts';
import { renderRow } from './render-row.ts';

const columns = (...names: string[]) => names.map((name, index) => ({ index, name }));

test('columns fill variables in order, the phone column none', () => {
  assert.deepEqual(mapVariables(columns('Phone', 'Name', 'Amount'), 0, 2), [1, 2]);
  assert.deepEqual(mapVariables(columns('Name', 'Phone', 'Amount'), 1, 2), [0, 2]);
  assert.deepEqual(mapVariables(columns('Phone'), 0, 1), [null]);
  assert.deepEqual(mapVariables(columns('Phone', 'a', 'b', 'c'), 0, 2), [1, 2]);
});

test('a header with a number goes to its variable, the others fill what is left', () => {
  assert.deepEqual(mapVariables(columns('Phone', '{2}', '{1}'), 0, 2), [2, 1]);
  assert.deepEqual(mapVariables(columns('Phone', 'Var 3', 'Name', 'variable_1'), 0, 3), [3, 2, 1]);
  assert.deepEqual(mapVariables(columns('手机', '变量２', '参数1'), 0, 2), [2, 1]);
  assert.deepEqual(mapVariables(columns('Phone', '9', '1', '1'), 0, 2), [2, 1]);
});

test('names the first variable without a usable column', () => {
  const file = { variableCount: 2, columnCount: 3, phoneColumn: 0 };
  assert.equal(findUnmappedVariable([1, 2], file), null);
  assert.equal(findUnmappedVariable([1, 1], file), null);
  assert.equal(findUnmappedVariable([1], file), 2);
  assert.equal(findUnmappedVariable([0, 1], file), 1);
  assert.equal(findUnmappedVariable([1, 3], file), 2);
  assert.equal(findUnmappedVariable([null, 1], file), 1);
  assert.equal(findUnmappedVariable([], { ...file, variableCount: 0 }), null);
});

const template = compileTemplate('Hi {1}, pay {2} today');

test('a row makes its text, in the columns of the mapping', () => {
  assert.deepEqual(renderRow(template, [2, 0], ['PHP 5.00', '', ' Juan ']), {
    ok: true,
    text: 'Hi Juan, pay PHP 5.00 today',
    segments: 1,
    ambiguousVariable: 0,
  });
});

test('a row that cannot be sent has a reason and the invalid value', () => {
  const reasonOf = (cells: Array<string | null>) => {
    const row = renderRow(template, [0, 1], cells);
    return row.ok ? 'ok' : `${row.reason} ${row.variable}`;
  };
  assert.equal(reasonOf(['Juan']), 'MISSING_VALUE 2');
  assert.equal(reasonOf([' ', '5']), 'MISSING_VALUE 1');
  assert.equal(reasonOf(['Juan', null]), 'VALUE_IS_FORMULA 2');
  assert.equal(reasonOf(['Juan', 'bit.ly/x']), 'VALUE_IS_LINK 2');
  assert.equal(reasonOf(['Juan', 'a'.repeat(2_000)]), 'TEXT_TOO_LONG 0');
  assert.equal(reasonOf(['Juan D.Co', '5']), 'ok');
});

test('a name that looks like a host is kept and pointed out', () => {
  const row = renderRow(template, [0, 1], ['Juan D.Co', '5']);
  assert.equal(row.ok && row.ambiguousVariable, 1);
});
