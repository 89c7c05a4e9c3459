/** Limits on the cost of one file. Sizes are bytes unless the name says characters (UTF-16 units). */
export interface FileLimits {
  readonly maxBytes: number;
  /** Rows with content, the header not counted. */
  readonly maxRows: number;
  readonly maxColumns: number;
  readonly maxCellChars: number;
  /** All the cells of one row together; for csv the line as written, quotation marks included. */
  readonly maxLineChars: number;
  readonly maxZipEntries: number;
  readonly maxUnpackedBytes: number;
  /** Unpacked size over packed size, of any entry above 1 MiB. */
  readonly maxUnpackRatio: number;
  readonly maxSharedStrings: number;
  readonly maxSharedStringBytes: number;
  /** V8's old space; an .xls is built in memory as a whole, the others are streamed. */
  readonly heapMb: number;
  readonly xlsHeapMb: number;
  /** Resident memory at which the parser is killed. */
  readonly maxRssBytes: number;
  /** Wall time at which the parser is killed, storing of blocks included. */
  readonly timeoutMs: number;
}

const MiB = 1024 * 1024;

export const defaultFileLimits: FileLimits = {
  maxBytes: 200 * MiB,
  maxRows: 2_000_000,
  maxColumns: 256,
  // A spreadsheet's own limit is 32,767.
  maxCellChars: 32 * 1024,
  maxLineChars: MiB,
  maxZipEntries: 2_000,
  maxUnpackedBytes: 1024 * MiB,
  maxUnpackRatio: 200,
  maxSharedStrings: 8_000_000,
  maxSharedStringBytes: 128 * MiB,
  heapMb: 256,
  xlsHeapMb: 448,
  maxRssBytes: 640 * MiB,
  timeoutMs: 300_000,
};
