import { CsvSplitter } from './csv-split.ts';
import type { RowSink } from './file-row.ts';
import type { FileLimits } from './limits.ts';
import { FileProblemError } from './problem.ts';
import { type ChunkSource, streamSource } from './source.ts';
import { makeTextPieces } from './text-encoding.ts';

const delimiters = [',', ';', '\t'] as const;
/** Records of the beginning by which the delimiter is judged. */
const judgedRecords = 100;
const judgedChars = 64 * 1024;

/** Reads a csv from first byte to last into `sink`, one megabyte at a time. */
export async function readCsv(
  source: ChunkSource,
  limits: FileLimits,
  weigh: (cell: string) => number,
  sink: RowSink,
): Promise<void> {
  let pieces: ReturnType<typeof makeTextPieces> | undefined;
  let splitter: CsvSplitter | undefined;
  let bytesRead = 0;
  for await (const bytes of streamSource(source)) {
    bytesRead += bytes.length;
    const last = bytesRead === source.size;
    pieces ??= makeTextPieces(bytes, !last);
    const text = pieces.decode(bytes, last);
    splitter ??= makeSplitter(text, limits, weigh, sink);
    splitter.push(text);
    if (last) splitter.end();
    await sink.settle(bytesRead);
  }
}

function makeSplitter(text: string, limits: FileLimits, weigh: (cell: string) => number, sink: RowSink) {
  // A spreadsheet program's own first line, which names the delimiter and is no data.
  const declared = /^sep=([,;\t])\r?\n?/u.exec(text)?.[1];
  const delimiter = declared ?? guessDelimiter(text, limits, weigh);
  return new CsvSplitter(delimiter, limits, (line, cells) => {
    if (declared !== undefined && line === 1) return;
    if (cells.length > limits.maxColumns) assertColumns(cells, limits);
    sink.addRow({ line, cells, formulaColumns: null, storedNumbers: null });
  });
}

function assertColumns(cells: string[], limits: FileLimits): void {
  while (cells.length > 0 && cells.at(-1)?.trim() === '') cells.pop();
  if (cells.length > limits.maxColumns)
    throw new FileProblemError('FILE_TOO_MANY_COLUMNS', { limit: limits.maxColumns });
}

/**
 * Prefers the delimiter that produces phones: `Peña, Juan;09171234567` splits evenly at the comma, too, but not into a
 * phone. Next come how evenly the records split, then the number of fields; the comma if still undecided.
 */
function guessDelimiter(text: string, limits: FileLimits, weigh: (cell: string) => number): string {
  const beginning = text.slice(0, judgedChars);
  let best = { delimiter: ',', phones: 0, even: 0, width: 1 };
  for (const delimiter of delimiters) {
    const records = firstRecords(beginning, delimiter, limits);
    const width = medianWidth(records);
    const phones = records.filter((cells) => cells.some((cell) => weigh(cell) > 0)).length;
    const even = width > 1 ? records.filter((cells) => cells.length === width).length : 0;
    const better = phones - best.phones || even - best.even || width - best.width;
    if (better > 0) best = { delimiter, phones, even, width };
  }
  return best.delimiter;
}

function firstRecords(text: string, delimiter: string, limits: FileLimits): string[][] {
  const records: string[][] = [];
  const splitter = new CsvSplitter(delimiter, limits, (_line, cells) => {
    if (records.length < judgedRecords && cells.some((cell) => cell.trim() !== '')) records.push(cells);
  });
  try {
    splitter.push(text);
    // The last record is cut wherever the beginning ends, unless that is the whole file.
    if (text.length < judgedChars) splitter.end();
  } catch (error) {
    // Broken under this delimiter; the records read before the error still count.
    if (!(error instanceof FileProblemError)) throw error;
  }
  return records;
}

function medianWidth(records: readonly string[][]): number {
  const widths = records.map((cells) => cells.length).sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 1;
}
