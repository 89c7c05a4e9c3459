import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { collect } from './collect-for-test.ts';
import { makeXls, makeXlsOfFormulas } from './make-test-files.ts';

test('reads texts, numbers and gaps of an .xls with the row numbers of the sheet', async () => {
  const bytes = makeXls([
    ['name', null, 'Mobile No.'],
    ['Peña', null, 9_171_234_567],
    [null],
    ['陈', 1.5, '0918 123 4567'],
  ]);
  const { rows, parsed } = await collect('list.xls', bytes);
  assert.deepEqual(parsed.reading, { hasHeader: true, phoneColumn: 2, sheetName: 'Sheet1' });
  assert.deepEqual(rows, [
    { line: 2, msisdn: '639171234567', values: ['Peña', '', ''] },
    { line: 4, msisdn: '639181234567', values: ['陈', '1.5', ''] },
  ]);
});

test('formats numbers and dates of an .xls as those of an .xlsx', async () => {
  const sheet = utils.aoa_to_sheet([['09171234567', 46_347, 1_234.5, 0.25]]);
  Object.assign(sheet.B1 as object, { z: 'm/d/yy' });
  Object.assign(sheet.C1 as object, { z: '#,##0.00' });
  Object.assign(sheet.D1 as object, { z: '0%' });
  const bytes = write(utils.book_new(sheet, 'List'), { type: 'buffer', bookType: 'biff8' }) as Buffer;
  assert.deepEqual((await collect('list.xls', bytes)).rows[0]?.values, ['', '2026-11-21', '1,234.50', '25%']);
});

test('takes the first sheet with content, or the one that is named', async () => {
  const book = utils.book_new(utils.aoa_to_sheet([]), 'Empty');
  utils.book_append_sheet(book, utils.aoa_to_sheet([['09171111111']]), 'One');
  utils.book_append_sheet(book, utils.aoa_to_sheet([['09172222222']]), 'Two');
  const bytes = write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
  const first = await collect('list.xls', bytes);
  assert.deepEqual([first.parsed.reading.sheetName, first.rows[0]?.msisdn], ['One', '639171111111']);
  const reading = { hasHeader: false, phoneColumn: 0, sheetName: 'Two' };
  assert.equal((await collect('list.xls', bytes, { reading })).rows[0]?.msisdn, '639172222222');
});

test('the result of a formula is null as a value', async () => {
  const { rows } = await collect('list.xls', makeXlsOfFormulas([['09171234567', 'a', 5.5]]));
  assert.deepEqual(rows[0]?.values, ['', 'a', null]);
});
