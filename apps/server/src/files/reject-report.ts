import { csvLine, type RejectReason } from '@pahatid/domain';

/** A row that is no recipient. */
export interface RejectedRow {
  readonly line: number;
  /** What is wrong as it stood in the file: the phone, or the value that spoils the text; at most 64 characters. */
  readonly raw: string;
  readonly reason: RejectReason;
}

export interface RejectReportWords {
  /** Headings of the four columns. */
  readonly line: string;
  readonly text: string;
  readonly code: string;
  readonly reason: string;
  readonly reasons: Readonly<Record<RejectReason, string>>;
}

/**
 * The rejected rows as csv, piece by piece: line, text as uploaded, code, and the reason in the reader's language. The
 * byte order mark makes spreadsheet programs read UTF-8; what would run as a formula there is shown instead.
 */
export async function* writeRejectReport(
  batches: AsyncIterable<readonly RejectedRow[]> | Iterable<readonly RejectedRow[]>,
  words: RejectReportWords,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine([words.line, words.text, words.code, words.reason])}`;
  for await (const rows of batches) {
    yield rows.map(({ line, raw, reason }) => csvLine([line, raw, reason, words.reasons[reason]])).join('');
  }
}
