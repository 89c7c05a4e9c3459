import { type FileSummary, RecipientCollector, type RecipientsOut } from './collect-recipients.ts';
import { readCsv } from './csv-read.ts';
import type { FileReading } from './file-reading.ts';
import type { FileLimits } from './limits.ts';
import { weighPhone } from './phone-cell.ts';
import { FileProblemError } from './problem.ts';
import { sniffFile } from './sniff.ts';
import type { ChunkSource } from './source.ts';
import { readXlsx, type SheetsRead } from './xlsx-read.ts';

/** The author's choice: the sheet of a workbook, and both columns or neither, in which case they are detected. */
export interface ChosenReading extends Partial<FileReading> {
  readonly sheetName?: string | undefined;
}

export interface ParsedContent extends Omit<FileSummary, 'reading'> {
  readonly reading: FileReading & Pick<ChosenReading, 'sheetName'>;
  readonly sheetNames: readonly string[];
}

/**
 * Runs the whole parse, without a separate process: everything but .xls is safe to call anywhere. Throws
 * FileProblemError if the file can't be used; rows already delivered are void then.
 */
export async function parseContent(
  fileName: string,
  source: ChunkSource,
  limits: FileLimits,
  chosen: ChosenReading | undefined,
  out: RecipientsOut,
): Promise<ParsedContent> {
  const kind = await sniffFile(fileName, source, limits);
  const collector = new RecipientCollector(limits, columnsOf(chosen), out);
  let sheetNames: readonly string[] = [];
  const readSheets = async (read: typeof readXlsx): Promise<SheetsRead> =>
    read(source, limits, chosen?.sheetName, collector, (names) => {
      sheetNames = names;
    });
  let sheets: SheetsRead = { sheetName: undefined };
  try {
    if (kind === 'csv') await readCsv(source, limits, weighPhone, collector);
    // SheetJS is 1 MB of code that the other kinds do not need.
    else sheets = await readSheets(kind === 'xlsx' ? readXlsx : (await import('./xls-read.ts')).readXls);
    const summary = await collector.finish();
    const { sheetName } = sheets;
    return {
      ...summary,
      sheetNames,
      reading: { ...summary.reading, ...(sheetName === undefined ? {} : { sheetName }) },
    };
  } catch (error) {
    throw error instanceof FileProblemError && sheetNames.length > 1 ? withSheets(error, sheetNames) : error;
  }
}

function columnsOf(chosen: ChosenReading | undefined): FileReading | undefined {
  const { hasHeader, phoneColumn } = chosen ?? {};
  return hasHeader === undefined || phoneColumn === undefined ? undefined : { hasHeader, phoneColumn };
}

/** The same problem, with the sheets among which the author may choose another. */
function withSheets(error: FileProblemError, sheetNames: readonly string[]): FileProblemError {
  const { code, params } = error.problem;
  return new FileProblemError(code, params, { cause: error }, sheetNames);
}
