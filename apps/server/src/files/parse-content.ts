import { type FileSummary, RecipientCollector, type RecipientsOut } from './collect-recipients.ts';
import { readCsv } from './csv-read.ts';
import type { FileReading } from './file-reading.ts';
import type { FileLimits } from './limits.ts';
import { weighPhone } from './phone-cell.ts';
import { sniffFile } from './sniff.ts';
import type { ChunkSource } from './source.ts';
import { readXlsx, type SheetsRead } from './xlsx-read.ts';

/** The author's choice of columns, and of the sheet in a workbook. */
export interface ChosenReading extends FileReading {
  readonly sheetName?: string | undefined;
}

export interface ParsedContent extends Omit<FileSummary, 'reading'> {
  readonly reading: ChosenReading;
  readonly sheetNames: readonly string[];
}

/**
 * The whole parse, without a process around it: everything but .xls is safe to call anywhere. Throws FileProblemError
 * where the file can't be used; rows already handed out are void then.
 */
export async function parseContent(
  fileName: string,
  source: ChunkSource,
  limits: FileLimits,
  chosen: ChosenReading | undefined,
  out: RecipientsOut,
): Promise<ParsedContent> {
  const kind = await sniffFile(fileName, source, limits);
  const collector = new RecipientCollector(limits, chosen, out);
  let sheets: SheetsRead = { sheetNames: [], sheetName: undefined };
  switch (kind) {
    case 'csv':
      await readCsv(source, limits, weighPhone, collector);
      break;
    case 'xlsx':
      sheets = await readXlsx(source, limits, chosen?.sheetName, collector);
      break;
    case 'xls': {
      // 1 MB of code that the other kinds need not load.
      const { readXls } = await import('./xls-read.ts');
      sheets = await readXls(source, limits, chosen?.sheetName, collector);
      break;
    }
  }
  const summary = await collector.finish();
  const { sheetNames, sheetName } = sheets;
  return { ...summary, sheetNames, reading: { ...summary.reading, ...(sheetName === undefined ? {} : { sheetName }) } };
}
