import type { FileRow } from './file-row.ts';

/** How the columns are read: chosen by the author, or guessed from the first rows. */
export interface FileReading {
  readonly hasHeader: boolean;
  /** From 0. */
  readonly phoneColumn: number;
}

/** Names people give the column, in the languages of the product's users; compared without case, spaces and marks. */
const phoneNames =
  /^(?:(?:customer|recipient|client|contact|member)?(?:mobile|phone|cell(?:ular)?|cellphone|mobilephone|telephone|tel|msisdn|contact|numero|selpon)(?:no|num|number|nr|numbers|phone)?|number|手机|手机号|手机号码|手機|手機號碼|电话|电话号码|電話|電話號碼|号码|號碼|联系电话|聯絡電話)$/iu;

/** Returns the phone as stored if the cell's format shows it differently (1,234 for 1234). */
export function getPhoneText(row: FileRow, column: number): string {
  return row.storedNumbers?.get(column) ?? row.cells[column] ?? '';
}

/**
 * Returns the column with the largest share of phones, where a matching header weighs as much as a third of them;
 * undefined if no column has either. Formula results count here: formulas are reported afterwards, row by row.
 */
export function guessReading(rows: readonly FileRow[], weigh: (cell: string) => number): FileReading | undefined {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const [first, ...others] = rows;
  if (first === undefined) return undefined;
  let best: { column: number; score: number } | undefined;
  for (let column = 0; column < width; column += 1) {
    const named = isPhoneName(first.cells[column] ?? '');
    const phones = others.reduce((sum, row) => sum + weigh(getPhoneText(row, column)), 0);
    // The first row counts only for the better: it may be the header.
    const withFirst = (phones + weigh(getPhoneText(first, column))) / rows.length;
    const share = Math.max(withFirst, others.length === 0 ? 0 : phones / others.length);
    const score = share + (named ? 1 / 3 : 0);
    if ((named || share >= 0.3) && score > (best?.score ?? 0)) best = { column, score };
  }
  if (best === undefined) return undefined;
  return { phoneColumn: best.column, hasHeader: isHeader(first, best.column, weigh) };
}

function isPhoneName(cell: string): boolean {
  return cell.length <= 40 && phoneNames.test(cell.replaceAll(/[\s._#:：*()/-]+/gu, ''));
}

/** A damaged phone in the first row is no header: a name has no long row of digits. */
function isHeader(first: FileRow, column: number, weigh: (cell: string) => number): boolean {
  const text = getPhoneText(first, column).trim();
  if (text === '' || first.formulaColumns?.has(column)) return false;
  return weigh(text) === 0 && (isPhoneName(text) || !/\d[\d\s.+-]{3,}/u.test(text));
}
