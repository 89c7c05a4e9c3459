import type { FileRow } from './file-row.ts';
import type { FileLimits } from './limits.ts';
import { formatNumber, generalFormat, plainNumber } from './number-format.ts';
import { FileProblemError } from './problem.ts';
import type { StringStore } from './string-store.ts';
import type { Workbook } from './xlsx-workbook.ts';
import { decodeCellText, readAttribute, type XmlHandler } from './xml-scan.ts';

/** Columns a sheet can have; a reference beyond is damage. */
const lastColumn = 16_384;

/** Turns a worksheet's elements into rows. Gaps are filled by the cells' references, which may also be left out. */
export class SheetHandler implements XmlHandler {
  private readonly workbook: Pick<Workbook, 'formats' | 'date1904'>;
  private readonly strings: StringStore | undefined;
  private readonly limits: FileLimits;
  private readonly onRow: (row: FileRow) => void;

  private inSheetData = false;
  private line = 0;
  private cells: string[] = [];
  private rowChars = 0;
  private formulaColumns: Set<number> | null = null;
  private storedNumbers: Map<number, string> | null = null;

  private column = -1;
  private inCell = false;
  private type = '';
  private style = 0;
  private hasFormula = false;
  private value = '';
  private inValue = false;
  private inPhonetic = false;

  constructor(
    workbook: Pick<Workbook, 'formats' | 'date1904'>,
    strings: StringStore | undefined,
    limits: FileLimits,
    onRow: (row: FileRow) => void,
  ) {
    this.workbook = workbook;
    this.strings = strings;
    this.limits = limits;
    this.onRow = onRow;
  }

  open(name: string, attributes: string): void {
    switch (name) {
      case 'c':
        if (this.inSheetData) this.beginCell(attributes);
        break;
      case 'v':
        this.inValue = this.inCell;
        break;
      case 't':
        this.inValue = this.inCell && !this.inPhonetic;
        break;
      case 'f':
        this.hasFormula = this.inCell;
        break;
      case 'row':
        if (this.inSheetData) this.beginRow(attributes);
        break;
      case 'rPh':
        this.inPhonetic = true;
        break;
      case 'sheetData':
        this.inSheetData = true;
        break;
      default:
    }
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.inValue = false;
        break;
      case 'c':
        if (this.inCell) this.endCell();
        break;
      case 'row':
        if (this.inSheetData) this.endRow();
        break;
      case 'rPh':
        this.inPhonetic = false;
        break;
      case 'sheetData':
        this.inSheetData = false;
        break;
      default:
    }
  }

  text(raw: string, literal: boolean): void {
    if (!this.inValue || this.value.length > this.limits.maxCellChars) return;
    const text = literal ? raw : decodeCellText(raw);
    this.value = this.value === '' ? text : this.value + text;
  }

  private beginRow(attributes: string): void {
    const stated = Number(readAttribute(attributes, 'r') ?? 0);
    this.line = Number.isSafeInteger(stated) && stated > 0 ? stated : this.line + 1;
    this.cells = [];
    this.rowChars = 0;
    this.formulaColumns = null;
    this.storedNumbers = null;
    this.column = -1;
  }

  private endRow(): void {
    const { cells, formulaColumns, storedNumbers } = this;
    if (cells.length > 0 || formulaColumns) this.onRow({ line: this.line, cells, formulaColumns, storedNumbers });
  }

  private beginCell(attributes: string): void {
    const reference = readAttribute(attributes, 'r');
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (this.column >= lastColumn || this.column < 0) throw new FileProblemError('FILE_UNREADABLE');
    this.type = readAttribute(attributes, 't') ?? 'n';
    const style = readAttribute(attributes, 's');
    this.style = style === undefined ? -1 : Number(style);
    this.inCell = true;
    this.hasFormula = false;
    this.value = '';
  }

  private endCell(): void {
    this.inCell = false;
    this.inValue = false;
    if (this.value === '' && !this.hasFormula) return;
    const text = this.value === '' ? '' : this.textOfValue();
    if (text === '' && !this.hasFormula) return;
    const { column, limits } = this;
    if (column >= limits.maxColumns) throw new FileProblemError('FILE_TOO_MANY_COLUMNS', { limit: limits.maxColumns });
    if (text.length > limits.maxCellChars) throw new FileProblemError('FILE_CELL_TOO_LONG', { row: this.line });
    this.rowChars += text.length;
    if (this.rowChars > limits.maxLineChars) throw new FileProblemError('FILE_LINE_TOO_LONG', { row: this.line });
    while (this.cells.length < column) this.cells.push('');
    this.cells[column] = text;
    if (this.hasFormula) {
      this.formulaColumns ??= new Set();
      this.formulaColumns.add(column);
    }
  }

  private textOfValue(): string {
    switch (this.type) {
      case 's':
        return this.sharedString();
      case 'n':
        return this.numberText();
      case 'b':
        return this.value.trim() === '1' ? 'TRUE' : 'FALSE';
      default:
        return this.value;
    }
  }

  private sharedString(): string {
    const text = this.strings?.get(Number(this.value));
    if (text === undefined) throw new FileProblemError('FILE_UNREADABLE');
    return text;
  }

  private numberText(): string {
    const raw = this.value.trim();
    const stored = plainNumber(raw);
    const format = this.style < 0 ? generalFormat : (this.workbook.formats[this.style] ?? generalFormat);
    if (format.kind === 'general') return stored;
    const shown = formatNumber(raw, format, this.workbook.date1904);
    if (shown !== stored) {
      this.storedNumbers ??= new Map();
      this.storedNumbers.set(this.column, stored);
    }
    return shown;
  }
}

/** `AB12` → 27. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) & 0xdf;
    if (letter < 0x41 || letter > 0x5a) break;
    column = column * 26 + letter - 0x40;
    if (column > lastColumn) break;
  }
  return column - 1;
}
