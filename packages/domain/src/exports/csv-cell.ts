/**
 * Cells of exported files. A cell that a spreadsheet program would run as a formula begins with an apostrophe, so it
 * is shown and not run; quoting is RFC 4180's. Phones are exported without `+`, else this rule would damage them.
 */
const neutralise = (value: string): string => (/^[=+\-@\t\r\0]/.test(value) ? `'${value}` : value);

/** Returns one field, quoted where necessary. Numbers are written as they are: `-5` is a number, not a formula. */
export const csvCell = (value: string | number | bigint | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = neutralise(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One record with its line end. */
export const csvLine = (cells: readonly (string | number | bigint | null | undefined)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
