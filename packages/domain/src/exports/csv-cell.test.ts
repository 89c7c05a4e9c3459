import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvCell, csvLine } from './csv-cell.ts';

test('no text cell begins with what a spreadsheet would run', () => {
  for (const bad of ['=1+1', '+639171234567', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\0=1'])
    assert.match(csvCell(bad), /^"?'/, JSON.stringify(bad));
  assert.equal(csvCell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
});

test('fields with commas, quotes or line ends are quoted, others are left alone', () => {
  assert.equal(
    csvLine(['a', 'b,c', 'd"e', 'f\ng', null, -5, 639171234567n]),
    'a,"b,c","d""e","f\ng",,-5,639171234567\r\n',
  );
});
