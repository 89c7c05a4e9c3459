import type { RejectReason } from '@pahatid/domain';
import { type BlockRow, blockChars, blockRows } from './blocks.ts';
import { cleanCell, cleanShown } from './clean-text.ts';
import { type FileReading, getPhoneText, guessReading } from './file-reading.ts';
import type { FileRow, RowSink } from './file-row.ts';
import type { FileLimits } from './limits.ts';
import { MsisdnSet } from './msisdn-set.ts';
import { readPhone, weighPhone } from './phone-cell.ts';
import { FileProblemError } from './problem.ts';

export interface FileCounts {
  /** Rows with content, the header not counted: valid, duplicate and rejected together. */
  readonly totalRows: number;
  readonly validCount: number;
  readonly duplicateCount: number;
  readonly rejectedCount: number;
}

export interface FileColumn {
  readonly index: number;
  /** From the header, or the column's letter. */
  readonly name: string;
  /** The first row's value. */
  readonly first: string;
}

export interface FileSummary extends FileCounts {
  readonly reading: FileReading;
  readonly columns: readonly FileColumn[];
  /** The first rows as text, by column. */
  readonly sample: readonly (readonly string[])[];
}

/** A row that is no recipient. */
export interface RejectedRow {
  readonly line: number;
  /** Text found in the phone column, on one line, at most 64 characters. */
  readonly raw: string;
  readonly reason: RejectReason;
}

/** Destination of the collected rows; each call is awaited. */
export interface RecipientsOut {
  addBlock(rows: readonly BlockRow[]): Promise<void>;
  addRejects(rows: readonly RejectedRow[]): Promise<void>;
  progress(bytesRead: number, totalRows: number): Promise<void>;
}

/** Rows buffered until the columns are understood. */
const judgedRows = 200;
const sampleRows = 20;
const shownChars = 200;
const rawChars = 64;

type Full = { block: readonly BlockRow[] } | { rejects: readonly RejectedRow[] };

/**
 * Sorts the rows of a file into recipients, duplicates and rejects. The columns are understood from the first rows,
 * which are held until then; afterwards each row is dealt with as it comes.
 */
export class RecipientCollector implements RowSink {
  private readonly limits: FileLimits;
  private readonly out: RecipientsOut;
  private reading: FileReading | undefined;
  private held: FileRow[] | undefined = [];
  private header: FileRow | undefined;
  private readonly sample: string[][] = [];
  private width = 0;

  private readonly seen = new MsisdnSet();
  private totalRows = 0;
  private duplicateCount = 0;
  private rejectedCount = 0;
  private formulaCount = 0;
  private block: BlockRow[] = [];
  private blockChars = 0;
  private rejects: RejectedRow[] = [];
  private full: Full[] = [];

  constructor(limits: FileLimits, chosen: FileReading | undefined, out: RecipientsOut) {
    this.limits = limits;
    this.reading = chosen;
    this.out = out;
  }

  addRow(row: FileRow): void {
    if (isBlank(row)) return;
    if (this.held === undefined) {
      this.takeRow(row);
      return;
    }
    this.held.push(row);
    if (this.held.length > judgedRows) this.understand();
  }

  async settle(bytesRead: number): Promise<void> {
    await this.handOver();
    await this.out.progress(bytesRead, this.totalRows);
  }

  /** After the last row. */
  async finish(): Promise<FileSummary> {
    if (this.held !== undefined) this.understand();
    if (this.block.length > 0) this.full.push({ block: this.block });
    if (this.rejects.length > 0) this.full.push({ rejects: this.rejects });
    const { reading } = this;
    if (reading === undefined || this.totalRows === 0) throw new FileProblemError('FILE_EMPTY');
    if (this.formulaCount === this.totalRows) throw new FileProblemError('FILE_FORMULAS');
    if (reading.phoneColumn >= this.width) throw new FileProblemError('FILE_NO_PHONE_COLUMN');
    await this.handOver();
    return {
      totalRows: this.totalRows,
      validCount: this.seen.size,
      duplicateCount: this.duplicateCount,
      rejectedCount: this.rejectedCount,
      reading,
      columns: this.nameColumns(),
      sample: this.sample,
    };
  }

  private async handOver(): Promise<void> {
    const { full } = this;
    this.full = [];
    for (const item of full) {
      if ('block' in item) await this.out.addBlock(item.block);
      else await this.out.addRejects(item.rejects);
    }
  }

  private understand(): void {
    const rows = this.held ?? [];
    this.held = undefined;
    if (rows.length === 0) throw new FileProblemError('FILE_EMPTY');
    this.reading ??= guessReading(rows, weighPhone);
    if (this.reading === undefined)
      throw new FileProblemError(mostlyFormulas(rows) ? 'FILE_FORMULAS' : 'FILE_NO_PHONE_COLUMN');
    if (this.reading.hasHeader) {
      this.header = rows.shift();
      this.width = this.header?.cells.length ?? 0;
    }
    for (const row of rows) this.takeRow(row);
  }

  private takeRow(row: FileRow): void {
    const { limits } = this;
    this.totalRows += 1;
    if (this.totalRows > limits.maxRows) throw new FileProblemError('FILE_TOO_MANY_ROWS', { limit: limits.maxRows });
    if (row.cells.length > this.width) this.width = row.cells.length;
    if (this.sample.length < sampleRows) this.sample.push(row.cells.map((cell) => cleanShown(cell, shownChars)));
    const column = this.reading?.phoneColumn ?? 0;
    const text = getPhoneText(row, column);
    const phone = readPhone(text, row.formulaColumns?.has(column) ?? false);
    if (!phone.ok) {
      if (phone.reason === 'FORMULA') this.formulaCount += 1;
      this.reject({ line: row.line, raw: cleanShown(text, rawChars), reason: phone.reason });
    } else if (this.seen.add(phone.msisdn)) {
      this.keep(row, phone.msisdn, column);
    } else {
      this.duplicateCount += 1;
    }
  }

  private keep(row: FileRow, msisdn: string, phoneColumn: number): void {
    const { cells, formulaColumns } = row;
    const values: (string | null)[] = [];
    let chars = 0;
    for (let column = 0; column < cells.length; column += 1) {
      const value = column === phoneColumn ? '' : cleanCell(cells[column] ?? '');
      chars += value.length;
      values.push(formulaColumns?.has(column) ? null : value);
    }
    this.block.push({ line: row.line, msisdn, values });
    this.blockChars += chars;
    if (this.block.length === blockRows || this.blockChars >= blockChars) {
      this.full.push({ block: this.block });
      this.block = [];
      this.blockChars = 0;
    }
  }

  private reject(row: RejectedRow): void {
    this.rejectedCount += 1;
    this.rejects.push(row);
    if (this.rejects.length < blockRows) return;
    this.full.push({ rejects: this.rejects });
    this.rejects = [];
  }

  private nameColumns(): FileColumn[] {
    return Array.from({ length: this.width }, (_, index) => ({
      index,
      name: cleanShown(this.header?.cells[index] ?? '', shownChars) || columnLetters(index),
      first: this.sample[0]?.[index] ?? '',
    }));
  }
}

function isBlank(row: FileRow): boolean {
  if (row.formulaColumns !== null) return false;
  for (const cell of row.cells) if (cell !== '' && cell.trim() !== '') return false;
  return true;
}

/** Whether there is no phone column, but a column of formulas without even a cached result. */
function mostlyFormulas(rows: readonly FileRow[]): boolean {
  const uncached = rows.filter((row) => [...(row.formulaColumns ?? [])].some((column) => row.cells[column] === ''));
  return uncached.length * 2 >= rows.length;
}

/** 0 → A, 26 → AA. */
function columnLetters(index: number): string {
  const letter = String.fromCharCode(0x41 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
