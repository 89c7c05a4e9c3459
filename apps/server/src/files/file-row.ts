/** One row with content, for any kind of file. */
export interface FileRow {
  /** Its number as a spreadsheet program shows it, from 1, header and empty rows counted. */
  readonly line: number;
  /** Text by column as the author sees it; '' for a gap. */
  readonly cells: readonly string[];
  /** Columns whose cell is a formula; the cell text is the cached result, which is not trusted. */
  readonly formulaColumns: ReadonlySet<number> | null;
  /** Numbers as stored, for columns whose cell format shows them differently. */
  readonly storedNumbers: ReadonlyMap<number, string> | null;
}

/** Receives the rows of a reader. */
export interface RowSink {
  addRow(row: FileRow): void;
  /** Called between pieces of the file; resolves when more rows may come. `bytesRead` is the progress so far. */
  settle(bytesRead: number): Promise<void>;
}
