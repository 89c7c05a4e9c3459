/**
 * csv for spreadsheets, with a byte order mark so that Excel reads UTF-8. Rows are generated as they are sent, however
 * many.
 */
import { Readable } from 'node:stream';
import { csvLine, type Language } from '@pahatid/domain';

export interface CsvColumn<Row> {
  head: Record<Language, string>;
  value: (row: Row, lang: Language) => string | number | bigint | null | undefined;
}

/** A column with its heading in Chinese and in English. */
export const column = <Row>(zh: string, en: string, value: CsvColumn<Row>['value']): CsvColumn<Row> => ({
  head: { 'zh-CN': zh, 'en-US': en },
  value,
});

export interface CsvContent<Row> {
  /** Without the extension. */
  fileName: string;
  columns: readonly CsvColumn<Row>[];
  rows: AsyncIterable<Row>;
  /** The handler has already audited the export with its own entry. */
  isOnRecord?: boolean;
}

/** What a handler returns to respond with csv. Built by `csvAnswer`, which ties the columns to the rows' type. */
export class CsvAnswer {
  readonly fileName: string;
  readonly lines: (lang: Language) => AsyncGenerator<string>;
  readonly isOnRecord: boolean;

  constructor(fileName: string, lines: (lang: Language) => AsyncGenerator<string>, isOnRecord: boolean) {
    this.fileName = fileName;
    this.lines = lines;
    this.isOnRecord = isOnRecord;
  }
}

export const csvAnswer = <Row>({ fileName, columns, rows, isOnRecord = false }: CsvContent<Row>): CsvAnswer =>
  new CsvAnswer(
    fileName,
    async function* lines(lang) {
      yield `\ufeff${csvLine(columns.map(({ head }) => head[lang]))}`;
      for await (const row of rows) yield csvLine(columns.map(({ value }) => value(row, lang)));
    },
    isOnRecord,
  );

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

/** Returns the bytes to send: lines buffered to 16 kB, so that a million rows are not a million writes. */
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
