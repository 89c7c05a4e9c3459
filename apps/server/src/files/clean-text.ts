const anyControl = /[\p{Cc}--[\t\n]]/v;
const controls = /[\p{Cc}--[\t\n]]/gv;

/**
 * Returns a cell as a value: trimmed, lines ended by LF, other control characters removed (PostgreSQL rejects NUL),
 * unpaired surrogates replaced by U+FFFD.
 */
export function cleanCell(cell: string): string {
  const trimmed = cell.trim();
  const text = trimmed.isWellFormed() ? trimmed : trimmed.toWellFormed();
  if (!anyControl.test(text)) return text;
  return text.replaceAll(/\r\n?/gu, '\n').replaceAll(controls, '');
}

/** The same for a list or report: on one line, at most `maxChars` long, never ending in half a character. */
export function cleanShown(cell: string, maxChars: number): string {
  const text = cleanCell(cell.slice(0, maxChars * 2)).replaceAll(/\s+/gu, ' ');
  return text.length > maxChars ? cleanCell(text.slice(0, maxChars).replace(/[\ud800-\udbff]$/u, '')) : text;
}
