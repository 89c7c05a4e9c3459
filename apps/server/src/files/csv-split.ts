import type { FileLimits } from './limits.ts';
import { FileProblemError } from './problem.ts';

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** `line` counts records, as a spreadsheet program does, not line ends inside quotation marks. */
export type OnRecord = (line: number, cells: string[]) => void;

/**
 * Splits text that arrives in pieces into records (RFC 4180 and its common variants): LF, CRLF or CR ends a record, a
 * quoted field may contain all of these, a quotation mark inside an unquoted field is an ordinary character. Memory is
 * bounded by one piece and one record.
 */
export class CsvSplitter {
  private text = '';
  private line = 0;
  private readonly delimiter: number;
  private readonly limits: FileLimits;
  private readonly onRecord: OnRecord;

  constructor(delimiter: string, limits: FileLimits, onRecord: OnRecord) {
    this.delimiter = delimiter.charCodeAt(0);
    this.limits = limits;
    this.onRecord = onRecord;
  }

  push(piece: string): void {
    this.scan(this.text === '' ? piece : this.text + piece, false);
  }

  end(): void {
    this.scan(this.text, true);
  }

  private scan(text: string, last: boolean): void {
    let start = 0;
    while (start < text.length) {
      const next = this.readRecord(text, start, last);
      if (next === -1) break;
      start = next;
    }
    this.text = text.slice(start);
    if (this.text.length > this.limits.maxLineChars) throw this.tooLong(this.text);
  }

  /** Returns where the next record begins, or -1 if this one is not complete yet. */
  private readRecord(text: string, start: number, last: boolean): number {
    const { delimiter } = this;
    const cells: string[] = [];
    const length = text.length;
    let at = start;
    for (;;) {
      let cell: string;
      if (text.charCodeAt(at) === quote) {
        const end = closingQuote(text, at + 1);
        if (end === -1) {
          if (last) throw new FileProblemError('FILE_QUOTE_UNCLOSED', { row: this.line + 1 });
          return -1;
        }
        cell = text.slice(at + 1, end);
        if (cell.includes('"')) cell = cell.replaceAll('""', '"');
        at = end + 1;
        const tail = at;
        while (at < length && !isBreak(text.charCodeAt(at), delimiter)) at += 1;
        if (at > tail) cell += text.slice(tail, at);
      } else {
        const from = at;
        while (at < length && !isBreak(text.charCodeAt(at), delimiter)) at += 1;
        cell = text.slice(from, at);
      }
      if (at === length && !last) return -1;
      if (cell.length > this.limits.maxCellChars) {
        if (at - start > this.limits.maxLineChars)
          throw new FileProblemError('FILE_LINE_TOO_LONG', { row: this.line + 1 });
        throw new FileProblemError('FILE_CELL_TOO_LONG', { row: this.line + 1 });
      }
      cells.push(cell);
      if (at === length || text.charCodeAt(at) !== delimiter) break;
      at += 1;
    }
    let next = at + 1;
    if (text.charCodeAt(at) === carriageReturn) {
      // The LF of a CRLF may be the first character of the next piece.
      if (next === length && !last) return -1;
      if (text.charCodeAt(next) === lineFeed) next += 1;
    }
    this.line += 1;
    if (at - start > this.limits.maxLineChars) {
      throw new FileProblemError('FILE_LINE_TOO_LONG', { row: this.line });
    }
    this.onRecord(this.line, cells);
    return next;
  }

  /** A mark that is never closed swallows the rest of the file, which then looks like one endless line. */
  private tooLong(rest: string): FileProblemError {
    const row = this.line + 1;
    const opened = rest.startsWith('"') || rest.includes(`${String.fromCharCode(this.delimiter)}"`);
    const swallowsLines = opened && /[\r\n]/u.test(rest);
    return new FileProblemError(swallowsLines ? 'FILE_QUOTE_UNCLOSED' : 'FILE_LINE_TOO_LONG', { row });
  }
}

function isBreak(code: number, delimiter: number): boolean {
  return code === delimiter || code === lineFeed || code === carriageReturn;
}

/**
 * Returns the position of the mark that ends a quoted field, or -1 if it has not arrived; a doubled mark is a literal
 * one.
 */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== quote) return at;
  }
  return -1;
}
