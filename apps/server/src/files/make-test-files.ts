/**
 * Files for tests and measurements, built part by part so that every oddity of a format can be produced deliberately.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { CFB, utils, write } from '@e965/xlsx';
import { ZipFile } from 'yazl';

const spreadsheetNs = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRel = 'http://schemas.openxmlformats.org/package/2006/relationships';

export async function makeZip(parts: Readonly<Record<string, string | Buffer>>, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) {
    zip.addBuffer(typeof content === 'string' ? Buffer.from(content) : content, name, { compress });
  }
  zip.end();
  return await buffer(zip.outputStream);
}

export interface TestSheet {
  readonly name: string;
  /** Content of `sheetData`. */
  readonly rows: string;
  readonly state?: 'hidden';
}

export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** Content of `sst`. */
  readonly strings?: string;
  /** Number formats by style number: one of the built-in ids or a code. */
  readonly formats?: readonly (number | string)[];
  readonly date1904?: boolean;
  /** `x` writes `<x:row>` for `<row>`. */
  readonly prefix?: string;
  readonly extraParts?: Readonly<Record<string, string | Buffer>>;
}

/** Returns the parts of an .xlsx, for `makeZip`; tests change or omit the part under test. */
export function workbookParts(workbook: TestWorkbook): Record<string, string | Buffer> {
  const { sheets, prefix, formats = [] } = workbook;
  const tag = prefix === undefined ? (xml: string) => xml : (xml: string) => addPrefix(xml, prefix);
  const ns = prefix === undefined ? `xmlns="${spreadsheetNs}"` : `xmlns:${prefix}="${spreadsheetNs}"`;
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const codes = formats.map((format, index) => (typeof format === 'number' ? undefined : { id: 164 + index, format }));
  const parts: Record<string, string | Buffer> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageRel}"><Relationship Id="rId1" Type="${officeRel}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      head +
      tag(
        `<workbook ${ns} xmlns:r="${officeRel}"><workbookPr${workbook.date1904 ? ' date1904="1"' : ''}/><sheets>${sheets
          .map(({ name, state }, index) => {
            const hidden = state === undefined ? '' : ` state="${state}"`;
            return `<sheet name="${name}" sheetId="${index + 1}"${hidden} r:id="rId${index + 1}"/>`;
          })
          .join('')}</sheets></workbook>`,
      ),
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packageRel}">${sheets
      .map(
        (_sheet, index) =>
          `<Relationship Id="rId${index + 1}" Type="${officeRel}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="rIdS" Type="${officeRel}/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="rIdT" Type="${officeRel}/styles" Target="styles.xml"/></Relationships>`,
  };
  sheets.forEach(({ rows }, index) => {
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      head + tag(`<worksheet ${ns}><dimension ref="A1:D3"/><sheetData>${rows}</sheetData></worksheet>`);
  });
  if (workbook.strings !== undefined) {
    parts['xl/sharedStrings.xml'] = head + tag(`<sst ${ns}>${workbook.strings}</sst>`);
  }
  if (formats.length > 0) {
    parts['xl/styles.xml'] =
      head +
      tag(
        `<styleSheet ${ns}><numFmts>${codes
          .map((code) => (code ? `<numFmt numFmtId="${code.id}" formatCode="${escapeXml(code.format)}"/>` : ''))
          .join('')}</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs>${formats
          .map((format, index) => `<xf numFmtId="${typeof format === 'number' ? format : 164 + index}"/>`)
          .join('')}</cellXfs></styleSheet>`,
      );
  }
  return { ...parts, ...workbook.extraParts };
}

export function makeXlsx(workbook: TestWorkbook): Promise<Buffer> {
  return makeZip(workbookParts(workbook));
}

/** A workbook of many rows, written as a stream: phones as numbers, texts as shared strings, each its own. */
export async function writeLargeXlsx(path: string, rowCount: number): Promise<void> {
  const zip = new ZipFile();
  const { 'xl/worksheets/sheet1.xml': sheet, ...parts } = workbookParts({
    sheets: [{ name: 'List', rows: plainRows([testHeader]).replace('</row>', '</row>#') }],
    strings: '#',
  });
  const streamed = {
    'xl/worksheets/sheet1.xml': String(sheet),
    'xl/sharedStrings.xml': String(parts['xl/sharedStrings.xml']),
  };
  for (const [name, content] of Object.entries(parts)) {
    if (!(name in streamed)) zip.addBuffer(Buffer.from(content), name);
  }
  const addStreamed = (name: keyof typeof streamed, makeRow: (index: number) => string): void => {
    zip.addReadStream(Readable.from(fillIn(streamed[name], rowCount, makeRow), { objectMode: false }), name);
  };
  addStreamed('xl/worksheets/sheet1.xml', (index) => {
    const line = index + 2;
    const [phone, , amount] = testRecipient(index);
    return `<row r="${line}" spans="1:4"><c r="A${line}"><v>${Number(phone)}</v></c><c r="B${line}" t="s"><v>${2 * index}</v></c><c r="C${line}"><v>${amount}</v></c><c r="D${line}" t="s"><v>${2 * index + 1}</v></c></row>`;
  });
  addStreamed('xl/sharedStrings.xml', (index) => {
    const [, name, , dueDate] = testRecipient(index);
    return `<si><t>${name}</t></si><si><t>${dueDate} no. ${index}</t></si>`;
  });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

/** The template with `#` replaced by the rows, in pieces of some 64 kB. */
function* fillIn(template: string, rowCount: number, makeRow: (index: number) => string): Generator<Buffer> {
  const [before = '', after = ''] = template.split('#');
  let piece = before;
  for (let index = 0; index < rowCount; index += 1) {
    piece += makeRow(index);
    if (piece.length < 64 * 1024) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece + after);
}

/** A csv of many rows, written as a stream. */
export async function writeLargeCsv(path: string, rowCount: number): Promise<void> {
  const rows = fillIn(`${testHeader.join(',')}\n#`, rowCount, (index) => `${testRecipient(index).join(',')}\n`);
  await pipeline(Readable.from(rows), createWriteStream(path));
}

/** Rows of inline strings, numbers as numbers. */
export function plainRows(rows: readonly (readonly (string | number)[])[]): string {
  return rows
    .map((cells, index) => {
      const written = cells.map((cell) =>
        typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`,
      );
      return `<row r="${index + 1}">${written.join('')}</row>`;
    })
    .join('');
}

/** An .xls (BIFF8) as SheetJS writes it. */
export function makeXls(rows: readonly (readonly (string | number | null)[])[], sheetName = 'Sheet1'): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), sheetName);
  return write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
}

/** The same with every number the result of a formula, which SheetJS reads and does not write. */
export function makeXlsOfFormulas(rows: readonly (readonly (string | number | null)[])[]): Buffer {
  return rewriteStream(makeXls(rows), (records) =>
    records.map((record) => (record.readUInt16LE(0) === 0x0203 ? toFormulaRecord(record) : record)),
  );
}

/**
 * An .xls of many rows. SheetJS takes 14 s and 4 GB to write 60,000, so the records of the cells (LABEL, [MS-XLS]
 * 2.4.148 as older versions wrote it) are made here and put into a small file of its making.
 */
export function makeLargeXls(rows: Iterable<readonly string[]>): Buffer {
  return rewriteStream(makeXls([['x']]), (records) => {
    const cells: Buffer[] = [];
    let line = 0;
    for (const row of rows) {
      row.forEach((text, column) => void cells.push(makeLabelRecord(line, column, text)));
      line += 1;
    }
    // The last record ends the sheet; the one cell of the small file stays out.
    return [...records.slice(0, -1).filter((record) => !isCell(record)), ...cells, ...records.slice(-1)];
  });
}

const isCell = (record: Buffer): boolean => [0x0203, 0x0204, 0x00fd, 0x027e].includes(record.readUInt16LE(0));

function makeLabelRecord(line: number, column: number, text: string): Buffer {
  const letters = Buffer.from(text, 'utf16le');
  const record = Buffer.alloc(4 + 9 + letters.length);
  record.writeUInt16LE(0x0204, 0);
  record.writeUInt16LE(9 + letters.length, 2);
  record.writeUInt16LE(line, 4);
  record.writeUInt16LE(column, 6);
  record.writeUInt16LE(text.length, 10);
  record.writeUInt8(1, 12);
  letters.copy(record, 13);
  return record;
}

function rewriteStream(xls: Buffer, rewrite: (records: Buffer[]) => Buffer[]): Buffer {
  const container = CFB.read(xls, { type: 'buffer' });
  const entry = CFB.find(container, '/Workbook');
  if (!entry) throw new Error('no workbook stream');
  const stream = Buffer.from(entry.content);
  const records: Buffer[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    records.push(stream.subarray(at, end));
    at = end;
  }
  entry.content = Buffer.concat(rewrite(records));
  entry.size = entry.content.length;
  return CFB.write(container, { type: 'buffer' }) as Buffer;
}

/** NUMBER (place, format, value) becomes FORMULA, [MS-XLS] 2.4.127: flags, the expression `1+2`. */
function toFormulaRecord(record: Buffer): Buffer {
  const expression = Buffer.from('1e01001e020003', 'hex');
  const tail = Buffer.alloc(8);
  tail.writeUInt16LE(expression.length, 6);
  const body = Buffer.concat([record.subarray(4), tail, expression]);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(0x0006, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
}

/** Phones and three variables, as a bank's collections list might have them. */
export function testRecipient(index: number): [phone: string, name: string, amount: string, dueDate: string] {
  // 7,919 is prime and shares no factor with nine million, so that many phones are distinct.
  const phone = `09${170_000_000 + ((index * 7_919) % 9_000_000)}`;
  const names = ['Juan', 'Maria', 'Jose', 'Ana', 'Pedro', 'Luz'];
  const day = String(1 + (index % 28)).padStart(2, '0');
  return [phone, `${names[index % 6]} Santos ${index}`, `${(index * 37) % 10_000}.50`, `2026-12-${day}`];
}

export const testHeader = ['phone', 'name', 'amount', 'due date'] as const;

export function makeCsv(rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, index) => testRecipient(index).join(','));
  return `${[testHeader.join(','), ...rows].join('\n')}\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function addPrefix(xml: string, prefix: string): string {
  return xml.replaceAll(/<(\/?)([A-Za-z])/gu, `<$1${prefix}:$2`);
}
