import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileReading, guessReading } from './file-reading.ts';
import { weighPhone } from './phone-cell.ts';

const guess = (...rows: string[][]): FileReading | undefined =>
  guessReading(
    rows.map((cells, index) => ({ line: index + 1, cells, formulaColumns: null, storedNumbers: null })),
    weighPhone,
  );

const column = (phoneColumn: number, hasHeader: boolean): FileReading => ({ phoneColumn, hasHeader });

test('knows a header from a first row of data', () => {
  assert.deepEqual(guess(['name', 'phone'], ['Ana', '09171234567']), column(1, true));
  assert.deepEqual(guess(['Ana', '09171234567'], ['Juan', '09181234567']), column(1, false));
  assert.deepEqual(guess(['09171234567']), column(0, false));
  assert.deepEqual(guess(['Customer', 'Reach them at'], ['Ana', '09171234567']), column(1, true));
});

test('a spoilt phone in the first row is no header', () => {
  assert.deepEqual(guess(['0917123', 'Ana'], ['09181234567', 'Juan'], ['09191234567', 'Luz']), column(0, false));
  assert.deepEqual(guess(['9.17123E+09', 'Ana'], ['09181234567', 'Juan']), column(0, false));
});

test('a descriptive name decides between columns that both look like phones, in any user language', () => {
  const rows = (name: string) => [
    ['account', 'landline', name],
    ['9171234567', '(02) 8123 4567', '09171234567'],
    ['9181234567', '(02) 8123 4568', '09181234567'],
  ];
  for (const name of [
    'Mobile No.',
    'PHONE',
    'Cellphone number',
    'MSISDN',
    'Contact #',
    '手机号码',
    '電話',
    'mobile_number',
  ]) {
    assert.deepEqual(guess(...rows(name)), column(2, true), name);
  }
});

test('mobiles take precedence over landlines', () => {
  assert.deepEqual(guess(['(02) 8123 4567', '09171234567'], ['(02) 8123 4568', '09181234567']), column(1, false));
});

test('a fully damaged column is still the phone column, so that each row gets a reason', () => {
  assert.deepEqual(guess(['9.17123E+09', 'Ana'], ['9.18123E+09', 'Juan']), column(0, false));
  assert.deepEqual(guess(['phone', 'name'], ['n/a', 'Ana'], ['none', 'Juan']), column(0, true));
});

test('amounts, dates, sentences and sheer size make no phone column', () => {
  assert.equal(guess(['100.00', '2026-12-01'], ['250.00', '2026-12-02']), undefined);
  assert.equal(guess(['call 09171234567 now']), undefined);
  assert.equal(guess(['1'.repeat(30_000)]), undefined);
});
