import type { RowSink } from './file-row.ts';
import type { FileLimits } from './limits.ts';
import { FileProblemError } from './problem.ts';
import type { ChunkSource } from './source.ts';
import { XmlPieces } from './text-encoding.ts';
import { SheetHandler } from './xlsx-sheet.ts';
import { readSharedStrings, readWorkbook } from './xlsx-workbook.ts';
import { XmlScanner } from './xml-scan.ts';
import { ZipArchive } from './zip-archive.ts';

export interface SheetsRead {
  /** The sheet whose rows were read; undefined if all are empty. */
  readonly sheetName: string | undefined;
}

/** Reads the chosen worksheet, or else the first that has any content, as a stream. */
export async function readXlsx(
  source: ChunkSource,
  limits: FileLimits,
  sheetName: string | undefined,
  sink: RowSink,
  onSheets: (names: readonly string[]) => void,
): Promise<SheetsRead> {
  const counted = countReads(source);
  const zip = await ZipArchive.open(counted, limits);
  try {
    const workbook = await readWorkbook(zip);
    onSheets(workbook.sheets.map(({ name }) => name));
    const wanted = sheetName === undefined ? workbook.sheets : workbook.sheets.filter(({ name }) => name === sheetName);
    if (wanted.length === 0 && sheetName !== undefined) throw new FileProblemError('FILE_NO_SUCH_SHEET', { sheetName });
    const { stringsPart } = workbook;
    const strings = stringsPart === undefined ? undefined : await readSharedStrings(zip, stringsPart, limits);
    for (const sheet of wanted) {
      let rows = 0;
      const handler = new SheetHandler(workbook, strings, limits, (row) => {
        rows += 1;
        sink.addRow(row);
      });
      const pieces = new XmlPieces();
      const scanner = new XmlScanner(handler);
      for await (const bytes of zip.read(sheet.part)) {
        scanner.push(pieces.decode(bytes));
        await sink.settle(counted.bytesRead());
      }
      scanner.end();
      if (rows > 0) return { sheetName: sheet.name };
    }
    return { sheetName: undefined };
  } finally {
    zip.close();
  }
}

/** The furthest share of the file that has been asked for; the parts of a workbook are not read in order. */
function countReads(source: ChunkSource): ChunkSource & { bytesRead(): number } {
  let total = 0;
  return {
    size: source.size,
    read(offset, length) {
      total += Math.min(length, source.size - offset);
      return source.read(offset, length);
    },
    bytesRead: () => Math.min(total, source.size),
  };
}
