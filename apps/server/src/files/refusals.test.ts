import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { collect, getProblem } from './collect-for-test.ts';
import {
  makeCsv,
  makeXls,
  makeXlsOfFormulas,
  makeXlsx,
  makeZip,
  plainRows,
  testHeader,
  testRecipient,
  workbookParts,
} from './make-test-files.ts';
import type { FileProblemCode } from './problem.ts';

const rows = [testHeader, ...Array.from({ length: 50 }, (_, index) => testRecipient(index))];
const xlsx = await makeXlsx({ sheets: [{ name: 'List', rows: plainRows(rows) }] });
const xls = makeXls(rows);
const csv = makeCsv(50);
const node = (await readFile(process.execPath)).subarray(0, 200_000);
const html = '<html><body><table><tr><td>09171234567</td></tr></table></body></html>';

async function refuses(fileName: string, bytes: Buffer | string, code: FileProblemCode | 'none'): Promise<void> {
  assert.equal(await getProblem(collect(fileName, bytes)), code);
}

test('the files that the refusals below are made from are good', async () => {
  for (const [name, bytes] of [
    ['a.csv', csv],
    ['a.XLSX', xlsx],
    ['a.xls', xls],
  ] as const) {
    assert.equal((await collect(name, bytes)).parsed.validCount, 50);
  }
});

test('S34 refuses every other extension', async () => {
  for (const name of ['list.txt', 'list.xlsm', 'list.xlsb', 'list.csv.exe', 'list', 'csv', 'list.ods', 'list.csv ']) {
    await refuses(name, csv, 'FILE_EXTENSION');
  }
});

test('S34 rejects content that does not match the file name', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const pdf = '%PDF-1.7\n1 0 obj';
  const ole = Buffer.from(xls);
  ole.write('Werkbuch', ole.indexOf(Buffer.from('Workbook', 'utf16le')), 'utf16le');
  for (const name of ['list.csv', 'list.xls', 'list.xlsx']) {
    for (const bytes of [node, html, png, pdf, ole, '#!/bin/sh\necho 09171234567\n', '{\\rtf1 09171234567}']) {
      await refuses(name, bytes, 'FILE_CONTENT_MISMATCH');
    }
  }
  await refuses('list.xls', xlsx, 'FILE_CONTENT_MISMATCH');
  await refuses('list.csv', xlsx, 'FILE_CONTENT_MISMATCH');
  await refuses('list.xlsx', xls, 'FILE_CONTENT_MISMATCH');
  await refuses('list.csv', xls, 'FILE_CONTENT_MISMATCH');
  await refuses('list.xlsx', csv, 'FILE_CONTENT_MISMATCH');
  await refuses('list.xls', csv, 'FILE_CONTENT_MISMATCH');
  await refuses(
    'list.csv',
    Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 37) % 256)),
    'FILE_CONTENT_MISMATCH',
  );
});

test('S34 refuses a zip that holds no workbook, a document, and a binary workbook', async () => {
  await refuses('list.xlsx', await makeZip({ 'readme.txt': 'hello' }), 'FILE_CONTENT_MISMATCH');
  const parts = workbookParts({ sheets: [{ name: 'List', rows: plainRows(rows) }] });
  const rels = String(parts['_rels/.rels']);
  const document = {
    '_rels/.rels': rels.replace('xl/workbook.xml', 'word/document.xml'),
    'word/document.xml': '<w:document xmlns:w="w"/>',
  };
  await refuses('list.xlsx', await makeZip(document), 'FILE_CONTENT_MISMATCH');
  const binary = { '_rels/.rels': rels.replace('workbook.xml', 'workbook.bin'), 'xl/workbook.bin': 'BrtBeginBook' };
  await refuses('list.xlsx', await makeZip(binary), 'FILE_CONTENT_MISMATCH');
});

test('refuses encrypted workbooks of either kind', async () => {
  // What Excel writes for a workbook with a password: an OLE container with two streams.
  const container = Buffer.from(xls);
  container.write('EncryptedPackage', container.indexOf(Buffer.from('Workbook', 'utf16le')), 'utf16le');
  container.writeUInt16LE(34, container.indexOf(Buffer.from('EncryptedPackage', 'utf16le')) + 64);
  await refuses('list.xlsx', container, 'FILE_ENCRYPTED');
  await refuses('list.xls', container, 'FILE_ENCRYPTED');
  // BIFF8: the record after BOF is FILEPASS (0x2F).
  const biff = Buffer.from(xls);
  const bof = biff.indexOf(Buffer.from('09081000', 'hex'));
  biff.writeUInt16LE(0x2f, bof + 4 + biff.readUInt16LE(bof + 2));
  await refuses('list.xls', biff, 'FILE_ENCRYPTED');
  // A zip whose entries are encrypted (bit 0 of the flags).
  const zip = Buffer.from(xlsx);
  for (let at = zip.indexOf('PK\u0001\u0002'); at !== -1; at = zip.indexOf('PK\u0001\u0002', at + 4))
    zip.writeUInt16LE(1, at + 8);
  await refuses('list.xlsx', zip, 'FILE_ENCRYPTED');
});

test('S35 refuses zip bombs by what they declare: ratio, size in all, number of entries', async () => {
  const parts = workbookParts({ sheets: [{ name: 'List', rows: plainRows(rows) }] });
  const bomb = await makeZip({ ...parts, 'xl/media/bomb.xml': Buffer.alloc(30 * 1024 * 1024, 'a') });
  assert.ok(bomb.length < 100_000);
  await refuses('list.xlsx', bomb, 'FILE_ZIP_BOMB');
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`xl/media/${index}.xml`, '']));
  await refuses('list.xlsx', await makeZip({ ...parts, ...many }), 'FILE_ZIP_BOMB');
  const sized = collect('list.xlsx', xlsx, { limits: { maxUnpackedBytes: 10_000 } });
  assert.equal(await getProblem(sized), 'FILE_ZIP_BOMB');
});

test('S35 refuses a zip bomb that declares itself small, while it unpacks', async () => {
  const rowsXml = plainRows(rows);
  const honest = workbookParts({ sheets: [{ name: 'List', rows: rowsXml }] });
  const sheet = 'xl/worksheets/sheet1.xml';
  const packed = deflateRawSync(
    Buffer.from(String(honest[sheet]).replace('</sheetData>', `${' '.repeat(20_000_000)}</sheetData>`)),
  );
  const zip = await makeZip({ ...honest, [sheet]: packed }, false);
  // The stored entry is marked deflated with its size unchanged: inconsistent.
  for (const [magic, methodAt, nameAt] of [
    ['PK\u0003\u0004', 8, 30],
    ['PK\u0001\u0002', 10, 46],
  ] as const) {
    for (let at = zip.indexOf(magic); at !== -1; at = zip.indexOf(magic, at + 4)) {
      if (zip.toString('latin1', at + nameAt, at + nameAt + sheet.length) === sheet)
        zip.writeUInt16LE(8, at + methodAt);
    }
  }
  await refuses('list.xlsx', zip, 'FILE_ZIP_BOMB');
});

test('refuses a workbook cut anywhere', async () => {
  for (const share of [0.02, 0.1, 0.5, 0.9, 0.99, 0.999]) {
    const cut = Math.floor(xlsx.length * share);
    assert.ok(
      ['FILE_TRUNCATED', 'FILE_UNREADABLE'].includes(await getProblem(collect('list.xlsx', xlsx.subarray(0, cut)))),
      `xlsx at ${cut}`,
    );
  }
  await refuses('list.xlsx', xlsx.subarray(0, xlsx.length - 1), 'FILE_TRUNCATED');
  const larger = makeXls(Array.from({ length: 2_000 }, (_, index) => testRecipient(index)));
  for (const share of [0.02, 0.1, 0.5, 0.9]) {
    await refuses('list.xls', larger.subarray(0, Math.floor(larger.length * share)), 'FILE_TRUNCATED');
  }
});

test('rejects a workbook whose sheet ends too early inside an intact zip', async () => {
  const parts = workbookParts({ sheets: [{ name: 'List', rows: plainRows(rows) }] });
  const sheet = String(parts['xl/worksheets/sheet1.xml']);
  for (const length of [sheet.length - 1, sheet.length - 14, sheet.length - 200]) {
    await refuses(
      'list.xlsx',
      await makeZip({ ...parts, 'xl/worksheets/sheet1.xml': sheet.slice(0, length) }),
      'FILE_TRUNCATED',
    );
  }
});

test('refuses a damaged byte inside packed data, by its checksum', async () => {
  const stored = await makeZip(workbookParts({ sheets: [{ name: 'List', rows: plainRows(rows) }] }), false);
  const at = stored.indexOf('Santos');
  stored.write('Zantos', at);
  await refuses('list.xlsx', stored, 'FILE_UNREADABLE');
});

test('S36 refuses a document type, so that no entity is ever declared', async () => {
  const parts = workbookParts({ sheets: [{ name: 'List', rows: plainRows(rows) }] });
  const sheet = String(parts['xl/worksheets/sheet1.xml']);
  const doctype = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]>';
  const spoiled = sheet.replace('<worksheet', `${doctype}<worksheet`);
  await refuses('list.xlsx', await makeZip({ ...parts, 'xl/worksheets/sheet1.xml': spoiled }), 'FILE_UNREADABLE');
});

test('refuses empty files of each kind', async () => {
  for (const name of ['list.csv', 'list.xls', 'list.xlsx']) await refuses(name, '', 'FILE_EMPTY');
  await refuses('list.csv', 'phone,name\n', 'FILE_EMPTY');
  await refuses('list.csv', '\ufeff\n\n', 'FILE_EMPTY');
  await refuses('list.xlsx', await makeXlsx({ sheets: [{ name: 'List', rows: '' }] }), 'FILE_EMPTY');
  await refuses(
    'list.xlsx',
    await makeXlsx({ sheets: [{ name: 'List', rows: plainRows([testHeader]) }] }),
    'FILE_EMPTY',
  );
  await refuses('list.xls', makeXls([]), 'FILE_EMPTY');
});

test('refuses files without a column of phones', async () => {
  await refuses('list.csv', 'name,city\nJuan,Cebu\nAna,Davao\n', 'FILE_NO_PHONE_COLUMN');
  await refuses('list.csv', 'It was a dark and stormy night.\nThe rain fell in torrents.\n', 'FILE_NO_PHONE_COLUMN');
  const beyond = collect('list.csv', csv, { reading: { hasHeader: true, phoneColumn: 9 } });
  assert.equal(await getProblem(beyond), 'FILE_NO_PHONE_COLUMN');
});

test('S35 refuses more than the limits', async () => {
  const wide = Array.from({ length: 5_000 }, (_, index) => `c${index}`).join(',');
  await refuses('list.csv', `${wide}\n${wide}\n`, 'FILE_TOO_MANY_COLUMNS');
  await refuses('list.csv', `09171234567,${'x'.repeat(32_769)}\n`, 'FILE_CELL_TOO_LONG');
  await refuses('list.csv', `09171234567\n${'y'.repeat(2_000_000)}\n`, 'FILE_LINE_TOO_LONG');
  await refuses('list.csv', `09171234567\n${'y '.repeat(1_000_000)}`, 'FILE_LINE_TOO_LONG');
  assert.equal(await getProblem(collect('list.csv', csv, { limits: { maxRows: 49 } })), 'FILE_TOO_MANY_ROWS');
  assert.equal(await getProblem(collect('list.csv', csv, { limits: { maxRows: 50 } })), 'none');
  assert.equal(await getProblem(collect('list.csv', csv, { limits: { maxBytes: csv.length - 1 } })), 'FILE_TOO_LARGE');
  const cell = (reference: string, text: string) =>
    `<row r="1"><c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const sheet = (xml: string) => makeXlsx({ sheets: [{ name: 'List', rows: xml }] });
  await refuses('list.xlsx', await sheet(cell('XFD1', 'x')), 'FILE_TOO_MANY_COLUMNS');
  await refuses('list.xlsx', await sheet(cell('ZZZZZZ1', 'x')), 'FILE_UNREADABLE');
  await refuses('list.xlsx', await sheet(cell('A1', 'x'.repeat(40_000))), 'FILE_CELL_TOO_LONG');
  const strings = {
    strings: `<si><t>${'x'.repeat(40_000)}</t></si>`,
    sheets: [{ name: 'L', rows: '<row><c t="s"><v>0</v></c></row>' }],
  };
  await refuses('list.xlsx', await makeXlsx(strings), 'FILE_CELL_TOO_LONG');
  assert.equal(
    await getProblem(collect('list.xlsx', await makeXlsx(strings), { limits: { maxSharedStrings: 0 } })),
    'FILE_MEMORY',
  );
});

test('the row of an overlong line is reported', async () => {
  await assert.rejects(
    collect('list.csv', `09171234567\n${'y '.repeat(1_000_000)}`),
    (error: Error & { problem?: unknown }) => {
      assert.deepEqual(error.problem, { code: 'FILE_LINE_TOO_LONG', params: { row: 2 } });
      return true;
    },
  );
});

test('S37 refuses a quotation mark that is never closed', async () => {
  await refuses('list.csv', '09171234567,"oops\n09181234567,x\n', 'FILE_QUOTE_UNCLOSED');
  const swallowed = Array.from({ length: 60_000 }, (_, index) => `09${170_000_000 + index},some name`).join('\n');
  await refuses('list.csv', `09171234567,"oops\n${swallowed}\n`, 'FILE_QUOTE_UNCLOSED');
});

test('refuses a phone column made of formulas, with results stored or not', async () => {
  const formulas = (cached: string) =>
    Array.from(
      { length: 5 },
      (_, index) => `<row><c t="str"><f>CONCAT("0917",B${index})</f>${cached}</c><c><v>${index}</v></c></row>`,
    ).join('');
  for (const cached of ['<v>09171234567</v>', '']) {
    const bytes = await makeXlsx({ sheets: [{ name: 'List', rows: formulas(cached) }] });
    await refuses('list.xlsx', bytes, 'FILE_FORMULAS');
  }
  await refuses('list.xls', makeXlsOfFormulas([['phone'], [9_171_234_567.5], [9_181_234_567.5]]), 'FILE_FORMULAS');
  await refuses('list.csv', 'phone\n="09171234567"\n="09181234567"\n', 'FILE_FORMULAS');
});

test('refuses a sheet that is not there', async () => {
  const reading = { hasHeader: true, phoneColumn: 0, sheetName: 'Elsewhere' };
  assert.equal(await getProblem(collect('list.xlsx', xlsx, { reading })), 'FILE_NO_SUCH_SHEET');
  assert.equal(await getProblem(collect('list.xls', xls, { reading })), 'FILE_NO_SUCH_SHEET');
});
