import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, utils } from '@e965/xlsx';
import { type RejectReason, rejectReasons } from '@pahatid/domain';
import { type RejectedRow, writeRejectReport } from './reject-report.ts';

const reasons = Object.fromEntries(rejectReasons.map((reason) => [reason, `why: ${reason}`])) as Record<
  RejectReason,
  string
>;
const words = { line: 'Line', text: 'Text', code: 'Code', reason: 'Reason', reasons };

async function write(batches: RejectedRow[][]): Promise<string> {
  let report = '';
  for await (const piece of writeRejectReport(batches, words)) report += piece;
  return report;
}

test('lists line, text, code and reason in the words given', async () => {
  const report = await write([
    [{ line: 2, raw: '0917', reason: 'TOO_SHORT' }],
    [{ line: 9, raw: 'a, "b"', reason: 'NOT_A_NUMBER' }],
  ]);
  assert.equal(
    report,
    '\ufeffLine,Text,Code,Reason\r\n2,0917,TOO_SHORT,why: TOO_SHORT\r\n9,"a, ""b""",NOT_A_NUMBER,why: NOT_A_NUMBER\r\n',
  );
});

test('a spreadsheet program opens it with no formula inside', async () => {
  const hostile = ['=1+1', '+639171234567', '-2+3', '@SUM(A1)', '\t=1', '=HYPERLINK("http://x","y")'];
  const report = await write([hostile.map((raw, index) => ({ line: index + 2, raw, reason: 'FORMULA' as const }))]);
  const sheet = read(report, { type: 'string', raw: true }).Sheets['Sheet1'];
  assert.ok(sheet);
  for (const [place, cell] of Object.entries(sheet)) if (!place.startsWith('!')) assert.equal(cell.f, undefined);
  assert.deepEqual(
    utils
      .sheet_to_json<string[]>(sheet, { header: 1, raw: true })
      .slice(1)
      .map((row) => String(row[1])),
    hostile.map((text) => `'${text}`),
  );
});
