import { type CellObject, read, type WorkSheet } from '@e965/xlsx';
import type { FileRow, RowSink } from './file-row.ts';
import type { FileLimits } from './limits.ts';
import { formatNumber, generalFormat, type NumberFormat, parseNumberFormat } from './number-format.ts';
import { FileProblemError } from './problem.ts';
import { type ChunkSource, streamSource } from './source.ts';
import type { SheetsRead } from './xlsx-read.ts';

/** Rows handed over between two waits for the receiver. */
const rowsAStep = 5_000;

/**
 * Reads an .xls (BIFF in an OLE container, at most 65,536 rows) through SheetJS, which builds the whole workbook in
 * memory and can be driven into endless loops by damaged files: only the killable parser process may call this.
 */
export async function readXls(
  source: ChunkSource,
  limits: FileLimits,
  sheetName: string | undefined,
  sink: RowSink,
  onSheets: (names: readonly string[]) => void,
): Promise<SheetsRead> {
  const pieces: Buffer[] = [];
  for await (const bytes of streamSource(source)) pieces.push(bytes);
  const workbook = readWorkbook(Buffer.concat(pieces));
  const hidden = new Set(workbook.Workbook?.Sheets?.filter(({ Hidden }) => Hidden).map(({ name }) => name));
  const sheetNames = [...workbook.SheetNames].sort((a, b) => Number(hidden.has(a)) - Number(hidden.has(b)));
  onSheets(sheetNames);
  if (sheetName !== undefined && !sheetNames.includes(sheetName)) {
    throw new FileProblemError('FILE_NO_SUCH_SHEET', { sheetName });
  }
  const date1904 = workbook.Workbook?.WBProps?.date1904 ?? false;
  const toRow = makeRowReader(date1904, limits);
  for (const name of sheetName === undefined ? sheetNames : [sheetName]) {
    const data = denseRows(workbook.Sheets[name]);
    let found = 0;
    for (let index = 0; index < data.length; index += 1) {
      const cells = data[index];
      const row = cells && toRow(index + 1, cells);
      if (row) {
        found += 1;
        sink.addRow(row);
      }
      if (index % rowsAStep === 0) await sink.settle(Math.floor((source.size * (index + 1)) / data.length));
    }
    await sink.settle(source.size);
    if (found > 0) return { sheetName: name };
  }
  return { sheetName: undefined };
}

function readWorkbook(bytes: Buffer): ReturnType<typeof read> {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellDates: false,
    });
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    const code = /password|encrypt/iu.test(words) ? 'FILE_ENCRYPTED' : 'FILE_UNREADABLE';
    throw new FileProblemError(code, {}, { cause: error });
  }
}

/** SheetJS keeps the rows of a dense sheet in an array with holes; its range is not to be trusted. */
function denseRows(sheet: WorkSheet | undefined): readonly (readonly (CellObject | undefined)[] | undefined)[] {
  const data: unknown = sheet?.['!data'];
  return Array.isArray(data) ? data : [];
}

function makeRowReader(date1904: boolean, limits: FileLimits) {
  const formats = new Map<string, NumberFormat>();
  const formatOf = (code: string | number | undefined): NumberFormat => {
    if (typeof code !== 'string' || code === 'General' || code.length > 255) return generalFormat;
    let format = formats.get(code);
    if (format === undefined) {
      format = parseNumberFormat(code);
      formats.set(code, format);
    }
    return format;
  };
  return (line: number, data: readonly (CellObject | undefined)[]): FileRow | undefined => {
    const cells: string[] = [];
    let chars = 0;
    let formulaColumns: Set<number> | null = null;
    let storedNumbers: Map<number, string> | null = null;
    for (let column = 0; column < data.length; column += 1) {
      const cell = data[column];
      if (cell === undefined || (cell.v === undefined && cell.f === undefined) || cell.t === 'z') continue;
      const stored = textOf(cell);
      const text = cell.t === 'n' ? formatNumber(stored, formatOf(cell.z), date1904) : stored;
      if (text === '' && cell.f === undefined) continue;
      if (column >= limits.maxColumns)
        throw new FileProblemError('FILE_TOO_MANY_COLUMNS', { limit: limits.maxColumns });
      chars += text.length;
      if (text.length > limits.maxCellChars) throw new FileProblemError('FILE_CELL_TOO_LONG', { row: line });
      if (chars > limits.maxLineChars) throw new FileProblemError('FILE_LINE_TOO_LONG', { row: line });
      while (cells.length < column) cells.push('');
      cells[column] = text;
      if (text !== stored) {
        storedNumbers ??= new Map();
        storedNumbers.set(column, stored);
      }
      if (cell.f !== undefined) {
        formulaColumns ??= new Set();
        formulaColumns.add(column);
      }
    }
    if (cells.length === 0) return undefined;
    return { line, cells, formulaColumns, storedNumbers };
  };
}

function textOf(cell: CellObject): string {
  if (cell.t === 'b') return cell.v === true ? 'TRUE' : 'FALSE';
  if (cell.t === 'e') return cell.w ?? '#ERROR';
  return cell.v === undefined ? '' : String(cell.v);
}
