/**
 * csv for people and their spreadsheets: RFC 4180 quoting, a byte order mark so that Excel reads UTF-8, and cells that
 * a spreadsheet would take for a formula begin with an apostrophe. Rows are made as they are sent, however many.
 */
import { Readable } from 'node:stream';

export type Language = 'zh-CN' | 'en-US';

export interface CsvColumn<Row> {
  head: Record<Language, string>;
  value: (row: Row) => string | number | bigint | null | undefined;
}

export interface CsvContent<Row> {
  /** Without the extension. */
  fileName: string;
  columns: readonly CsvColumn<Row>[];
  rows: AsyncIterable<Row>;
}

/** What a handler returns to answer with csv. Built by `csvAnswer`, which ties the columns to the rows' type. */
export class CsvAnswer {
  readonly fileName: string;
  readonly lines: (lang: Language) => AsyncGenerator<string>;

  constructor(fileName: string, lines: (lang: Language) => AsyncGenerator<string>) {
    this.fileName = fileName;
    this.lines = lines;
  }
}

export const csvAnswer = <Row>({ fileName, columns, rows }: CsvContent<Row>): CsvAnswer =>
  new CsvAnswer(fileName, async function* lines(lang) {
    yield `\ufeff${csvLine(columns.map(({ head }) => head[lang]))}`;
    for await (const row of rows) yield csvLine(columns.map(({ value }) => value(row)));
  });

/** One line with its end. */
export const csvLine = (cells: readonly (string | number | bigint | null | undefined)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/** Numbers stay numbers, whatever their sign; text that begins like a formula is defused. */
function csvCell(value: string | number | bigint | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r\0\uff0b\uff0d\uff1d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** All rows of a paged list: reads a page, hands its rows out, reads the next. */
export async function* eachRow<Row>(
  readPage: (cursor: string | undefined) => Promise<{ items: readonly Row[]; nextCursor: string | null }>,
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Bytes to send: lines gathered to 16 kB, so that a million rows are not a million writes. */
export const csvStream = (answer: CsvAnswer, lang: Language): Readable => {
  async function* chunks(): AsyncGenerator<Buffer> {
    let held = '';
    for await (const line of answer.lines(lang)) {
      held += line;
      if (held.length < 16_384) continue;
      yield Buffer.from(held);
      held = '';
    }
    if (held !== '') yield Buffer.from(held);
  }
  return Readable.from(chunks(), { objectMode: false });
};
