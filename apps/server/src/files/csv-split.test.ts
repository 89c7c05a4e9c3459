import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CsvSplitter } from './csv-split.ts';
import { defaultFileLimits } from './limits.ts';

function split(pieces: readonly string[], delimiter = ','): string[][] {
  const records: string[][] = [];
  const splitter = new CsvSplitter(delimiter, defaultFileLimits, (line, cells) => {
    assert.equal(line, records.length + 1);
    records.push(cells);
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return records;
}

const cases: readonly [string, string, string[][]][] = [
  [
    'LF with and without the last one',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'CRLF',
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'CR alone',
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['empty records keep their number', 'a\n\nb', [['a'], [''], ['b']]],
  ['empty fields', ',a,\n', [['', 'a', '']]],
  ['delimiter, line end and mark inside quotation marks', '"a,b","c\r\nd","e""f"\n', [['a,b', 'c\r\nd', 'e"f']]],
  ['an empty quoted field', '"",""\n', [['', '']]],
  ['a mark inside an unquoted field is a letter', '5" pipe,x\n', [['5" pipe', 'x']]],
  ['letters after a closing mark are kept', '"a"b,c\n', [['ab', 'c']]],
  ['a last field that is empty', 'a,', [['a', '']]],
];

for (const [name, text, expected] of cases) {
  test(`splits the same however the text is cut: ${name}`, () => {
    assert.deepEqual(split([text]), expected);
    assert.deepEqual(split(text.split('')), expected);
  });
}

test('what is written by the rules is read back, at any delimiter and cut anywhere', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'ñ') });
  const record = fc.array(cell, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(',', ';', '\t'),
      fc.nat(),
      (records, delimiter, cut) => {
        const text = records
          .map((cells) => cells.map((value) => `"${value.replaceAll('"', '""')}"`).join(delimiter))
          .join('\r\n');
        const at = cut % (text.length + 1);
        assert.deepEqual(split([text.slice(0, at), text.slice(at)], delimiter), records);
      },
    ),
    { numRuns: 500 },
  );
});
