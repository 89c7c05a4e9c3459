import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect, getProblem } from './collect-for-test.ts';

const phones = ['639171234567', '639181234568', '639191234569'];
const rows = ['09171234567', '09181234568', '09191234569'];

const delimiters = [
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
] as const;
for (const [name, delimiter] of delimiters) {
  test(`finds the ${name} between the columns`, async () => {
    const text = rows.map((phone, index) => ['Peña, J.', phone, `1 ${index}`].join(delimiter)).join('\n');
    const quoted = delimiter === ',' ? text.replaceAll('Peña, J.', '"Peña, J."') : text;
    const { rows: found, parsed } = await collect('list.csv', quoted);
    assert.deepEqual(
      found.map(({ msisdn }) => msisdn),
      phones,
    );
    assert.deepEqual(found[1]?.values, ['Peña, J.', '', '1 1']);
    assert.deepEqual(parsed.reading, { hasHeader: false, phoneColumn: 1 });
  });
}

test("follows a spreadsheet's own line that names the delimiter, and still counts it", async () => {
  const { rows: found } = await collect('list.csv', `sep=;\r\nname;phone\r\nAna;${rows[0]}\r\n`);
  assert.deepEqual(found, [{ line: 3, msisdn: phones[0], values: ['Ana', ''] }]);
});

test('reads a list of bare phones without header or delimiter', async () => {
  const { parsed, rows: found } = await collect('list.csv', rows.join('\r'));
  assert.equal(parsed.validCount, 3);
  assert.deepEqual(
    found.map(({ line }) => line),
    [1, 2, 3],
  );
  assert.deepEqual(parsed.columns, [{ index: 0, name: 'A', first: rows[0] }]);
});

const text = `手机,姓名\r\n${rows[0]},陈大文\r\n${rows[1]},李小龙\r\n`;
const big5 = Buffer.concat([
  Buffer.from('phone,name\n09171234567,'),
  // 陳大文
  Buffer.from('b3afa46aa4e5', 'hex'),
  Buffer.from('\n'),
]);
// 手机,姓名 … as Windows in China saves a csv.
const gb18030 = Buffer.concat([
  Buffer.from('cad6bbfa2cd0d5c3fb0d0a', 'hex'),
  Buffer.from(`${rows[0]},`),
  Buffer.from('b3c2b4f3cec4', 'hex'),
  Buffer.from(`\r\n${rows[1]},`),
  Buffer.from('c0eed0a1c1fa', 'hex'),
  Buffer.from('\r\n'),
]);
const encoded: readonly [string, Buffer][] = [
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with byte order mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE with byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE with byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['UTF-16LE without', Buffer.from(text, 'utf16le')],
  ['UTF-16BE without', Buffer.from(text, 'utf16le').swap16()],
  ['GB18030', gb18030],
];
for (const [name, bytes] of encoded) {
  test(`S37 reads ${name}`, async () => {
    const { parsed, rows: found } = await collect('list.csv', bytes);
    assert.deepEqual(
      found.map(({ values }) => values[1]),
      ['陈大文', '李小龙'],
    );
    assert.deepEqual(
      parsed.columns.map((column) => column.name),
      ['手机', '姓名'],
    );
  });
}

test('S37 reads Big5', async () => {
  const { rows: found } = await collect('list.csv', big5);
  assert.equal(found[0]?.values[1], '陳大文');
});

test('reads the ñ that a western Windows writes as one byte, even megabytes after the beginning', async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `09${170_000_000 + index},plain name`).join('\n');
  const bytes = Buffer.concat([
    Buffer.from(`phone,name\n${many}\n${rows[0]},Pe`),
    Buffer.from('f1', 'hex'),
    Buffer.from('a\n'),
  ]);
  assert.ok(bytes.length > 1024 * 1024);
  const { rows: found, parsed } = await collect('list.csv', bytes);
  assert.equal(parsed.validCount, 60_001);
  assert.equal(found.at(-1)?.values[1], 'Peña');
});

test('a UTF-8 character cut by the boundary of two pieces stays whole', async () => {
  for (let shift = 0; shift < 4; shift += 1) {
    const filler = 'x'.repeat(30_000);
    const rowsBefore = Array.from({ length: 34 }, (_, index) => `09${170_000_000 + index},${filler}`).join('\n');
    const room = 1024 * 1024 - Buffer.byteLength(`${rowsBefore}\n${rows[0]},`) - shift;
    const bytes = Buffer.from(`${rowsBefore}\n${rows[0]},${'y'.repeat(room)}😀ñ陈\n${rows[1]},z\n`);
    const { rows: found } = await collect('list.csv', bytes);
    assert.equal(found.at(-2)?.values[1], `${'y'.repeat(room)}😀ñ陈`);
  }
});

test('S37 cells lose spaces around them, control characters and NUL, and keep their line breaks', async () => {
  const many = Array.from({ length: 9_000 }, (_, index) => `09${170_000_000 + index},n`).join('\n');
  const { rows: found } = await collect('list.csv', `${many}\n${rows[0]},"  a\u0000b\u001bc\r\nd "\n`);
  assert.equal(found.at(-1)?.values[1], 'abc\nd');
});

test('S38 a test virus is text like any other', async () => {
  const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
  const { rows: found } = await collect('list.csv', `phone,name\n${rows[0]},${eicar}\n`);
  assert.equal(found[0]?.values[1], eicar);
});

test('names of object internals are column names like any other', async () => {
  const { parsed } = await collect('list.csv', `phone,__proto__,constructor\n${rows[0]},a,b\n`);
  assert.deepEqual(
    parsed.columns.map(({ name }) => name),
    ['phone', '__proto__', 'constructor'],
  );
});

test('the same bytes give the same rows every time', async () => {
  const bytes = Buffer.from(`phone,name\n${rows.map((phone) => `${phone},x`).join('\n')}\n123,bad\n${rows[0]},again\n`);
  assert.deepEqual(await collect('list.csv', bytes), await collect('list.csv', bytes));
});

test('a file of nothing but spaces and commas is empty', async () => {
  assert.equal(await getProblem(collect('list.csv', ' \n,,\n\t\n')), 'FILE_EMPTY');
});
