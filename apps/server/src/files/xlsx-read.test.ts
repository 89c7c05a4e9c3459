import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { collect } from './collect-for-test.ts';
import { makeXlsx, makeZip, plainRows, type TestWorkbook, workbookParts } from './make-test-files.ts';

async function readRows(workbook: Omit<TestWorkbook, 'sheets'>, rows: string) {
  const bytes = await makeXlsx({ ...workbook, sheets: [{ name: 'List', rows }] });
  return await collect('list.xlsx', bytes);
}

const phoneCell = '<c t="inlineStr"><is><t>09171234567</t></is></c>';
const row = (cells: string) => `<row>${phoneCell}${cells}</row>`;

test('reads shared strings, their runs joined and their phonetic readings left out', async () => {
  const strings =
    '<si><t>plain</t></si><si><r><rPr><b/></rPr><t>bold </t></r><r><t xml:space="preserve">and &amp; not</t></r></si>' +
    '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si><si/>';
  const cells = [0, 1, 2, 3].map((index) => `<c t="s"><v>${index}</v></c>`).join('');
  const { rows } = await readRows({ strings }, row(cells));
  assert.deepEqual(rows[0]?.values, ['', 'plain', 'bold and & not', '東京']);
});

test('decodes entities, character numbers, CDATA and the escapes of spreadsheet programs', async () => {
  const { rows } = await readRows(
    {},
    row(
      '<c t="inlineStr"><is><t>&lt;&gt;&amp;&quot;&apos; &#65;&#x4e2d;&#x1F600;</t></is></c>' +
        '<c t="inlineStr"><is><t><![CDATA[<b>&amp;]]></t></is></c>' +
        '<c t="inlineStr"><is><t>a_x000D__x000A_b _x005F_x41_ &unknown;</t></is></c>',
    ),
  );
  assert.deepEqual(rows[0]?.values.slice(1), [`<>&"' A中😀`, '<b>&amp;', 'a\nb _x41_ &unknown;']);
});

test('reads prefixed elements, comments, and `>` inside an attribute', async () => {
  const bytes = await makeXlsx({
    prefix: 'x',
    strings: '<si><t>shared</t></si>',
    sheets: [
      { name: 'List', rows: `<!-- <row> --><row note="a>b" r='1'>${phoneCell}<c r="B1" t="s"><v>0</v></c></row>` },
    ],
  });
  assert.deepEqual((await collect('list.xlsx', bytes)).rows, [
    { line: 1, msisdn: '639171234567', values: ['', 'shared'] },
  ]);
});

test('gaps are filled by references, of cells and of rows', async () => {
  const { rows, parsed } = await readRows(
    {},
    '<row r="3"><c r="C3"><v>9171234567</v></c><c r="F3"><v>1</v></c></row><row r="10"><c r="A10"><v>2</v></c><c r="C10"><v>9181234567</v></c></row>',
  );
  assert.deepEqual(rows, [
    { line: 3, msisdn: '639171234567', values: ['', '', '', '', '', '1'] },
    { line: 10, msisdn: '639181234567', values: ['2', '', '', '', '', ''] },
  ]);
  assert.equal(parsed.reading.phoneColumn, 2);
});

test('a merged range has its text in the first cell and gaps in the others', async () => {
  const bytes = await makeXlsx({
    sheets: [{ name: 'List', rows: `<row r="1">${phoneCell}<c r="B1"><v>7</v></c><c r="C1" s="0"/><c r="D1"/></row>` }],
  });
  assert.deepEqual((await collect('list.xlsx', bytes)).rows[0]?.values, ['', '7']);
});

test('a number that lost its leading 0 is a phone; one that lost digits is refused and shown as written', async () => {
  const { rows, rejects } = await readRows(
    { formats: [0, '#,##0', '00000000000'] },
    '<row><c><v>9171234567</v></c></row><row><c><v>9.171234568E9</v></c></row><row><c s="1"><v>9171234569</v></c></row>' +
      '<row><c s="2"><v>9171234570</v></c></row><row><c><v>9171234571.0</v></c></row>' +
      '<row><c><v>9.17123E+09</v></c></row><row><c t="inlineStr"><is><t>9.17123E+09</t></is></c></row>',
  );
  assert.deepEqual(
    rows.map(({ msisdn }) => msisdn),
    ['639171234567', '639171234568', '639171234569', '639171234570', '639171234571'],
  );
  assert.deepEqual(
    rejects.map(({ line, raw }) => [line, raw]),
    [
      [6, '9.17123E+09'],
      [7, '9.17123E+09'],
    ],
  );
});

test('numbers and dates read as their author sees them, in both calendars', async () => {
  const formats = [
    'General',
    2,
    4,
    9,
    14,
    22,
    20,
    '"₱"#,##0.00',
    '00000',
    '[$-409]d\\-mmm\\-yyyy;@',
    'yyyy"年"m"月"',
    '[Red]#,##0',
  ];
  const numbers = [
    '0.30000000000000004',
    '7',
    '1234567.891',
    '0.25',
    '46347',
    '46347.75',
    '0.5',
    '1500',
    '42',
    '46347',
    '46347',
    '-1234',
  ];
  const cells = numbers.map((number, style) => `<c s="${style}"><v>${number}</v></c>`).join('');
  const { rows } = await readRows({ formats }, row(cells));
  const shown = [
    '0.3',
    '7.00',
    '1,234,567.89',
    '25%',
    '2026-11-21',
    '2026-11-21 18:00',
    '12:00',
    '₱1,500.00',
    '00042',
    '2026-11-21',
    '2026-11-21',
    '-1,234',
  ];
  assert.deepEqual(rows[0]?.values.slice(1), shown);
  const old = await readRows({ formats, date1904: true }, row('<c s="4"><v>44885</v></c>'));
  assert.deepEqual(old.rows[0]?.values.slice(1), ['2026-11-21']);
});

test('booleans, errors and ISO dates are text', async () => {
  const { rows } = await readRows(
    {},
    row('<c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2026-11-21</v></c>'),
  );
  assert.deepEqual(rows[0]?.values.slice(1), ['TRUE', '#N/A', '2026-11-21']);
});

test('a formula in the phone column rejects its row; in another column its value is null', async () => {
  const formula = '<c t="str"><f>"0918"&amp;1234567</f><v>09181234567</v></c>';
  const { rows, rejects } = await readRows(
    {},
    [row('<c><f t="shared" si="0"/><v>5</v></c>'), `<row>${formula}</row>`].join(''),
  );
  assert.deepEqual(rows, [{ line: 1, msisdn: '639171234567', values: ['', null] }]);
  assert.deepEqual(rejects, [{ line: 2, raw: '09181234567', reason: 'FORMULA' }]);
});

test('takes the first sheet with content, hidden ones last, or the one that is named', async () => {
  const bytes = await makeXlsx({
    sheets: [
      { name: 'Secret', rows: plainRows([['09171111111']]), state: 'hidden' },
      { name: 'Cover', rows: '<row r="1"><c r="A1" s="0"/></row>' },
      { name: 'A &amp; B', rows: plainRows([['09172222222']]) },
      { name: 'Other', rows: plainRows([['09173333333']]) },
    ],
  });
  const first = await collect('list.xlsx', bytes);
  assert.deepEqual(first.parsed.sheetNames, ['Cover', 'A & B', 'Other', 'Secret']);
  assert.equal(first.parsed.reading.sheetName, 'A & B');
  assert.equal(first.rows[0]?.msisdn, '639172222222');
  const reading = { hasHeader: false, phoneColumn: 0, sheetName: 'Other' };
  assert.equal((await collect('list.xlsx', bytes, { reading })).rows[0]?.msisdn, '639173333333');
});

test('finds parts by their relationships, with any names, in both editions of the standard', async () => {
  const parts = workbookParts({ sheets: [{ name: 'List', rows: plainRows([['09171234567']]) }] });
  const renamed: Record<string, string | Buffer> = {};
  for (const [name, content] of Object.entries(parts)) {
    const text = String(content)
      .replaceAll(
        'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
        'http://purl.oclc.org/ooxml/officeDocument/relationships',
      )
      .replaceAll('xl/workbook.xml', '/Buch/Mappe.xml')
      .replaceAll('worksheets/sheet1.xml', './../Buch/blatt.xml');
    renamed[
      name
        .replace('xl/_rels/workbook.xml', 'Buch/_rels/Mappe.xml')
        .replace('xl/workbook.xml', 'Buch/Mappe.xml')
        .replace('xl/worksheets/sheet1', 'Buch/Blatt')
    ] = text;
  }
  assert.equal((await collect('list.xlsx', await makeZip(renamed))).parsed.validCount, 1);
});

test('reads UTF-16 parts and characters cut between two pieces', async () => {
  const parts = workbookParts({ sheets: [{ name: 'List', rows: plainRows([['09171234567', '陈ñ']]) }] });
  const sheet = 'xl/worksheets/sheet1.xml';
  const wide = Buffer.from(`\ufeff${String(parts[sheet])}`, 'utf16le');
  assert.equal((await collect('list.xlsx', await makeZip({ ...parts, [sheet]: wide }))).rows[0]?.values[1], '陈ñ');
  const many = plainRows(
    Array.from({ length: 20_000 }, (_, index) => [`09${170_000_000 + index}`, `陈大文ñ😀${index}`]),
  );
  const { rows } = await collect('list.xlsx', await makeXlsx({ sheets: [{ name: 'List', rows: many }] }));
  assert.equal(rows.length, 20_000);
  assert.ok(rows.every(({ values }, index) => values[1] === `陈大文ñ😀${index}`));
});

test('agrees with SheetJS on what SheetJS writes', async () => {
  const data = Array.from({ length: 300 }, (_, index) => [
    `09${170_000_000 + index}`,
    `n <${index}> & "x"`,
    index * 1.5,
    index % 2 ? '' : 'y',
  ]);
  const book = utils.book_new(utils.aoa_to_sheet([['mobile no.', 'name', 'amount', 'note'], ...data]), 'List');
  for (const bookSST of [true, false]) {
    const { rows } = await collect('list.xlsx', write(book, { type: 'buffer', bookType: 'xlsx', bookSST }) as Buffer);
    assert.deepEqual(
      rows.map(({ values }) => values.slice(1).map((value) => value ?? null)),
      data.map(([, name, amount, note]) => [name, String(amount), note]),
    );
  }
});
