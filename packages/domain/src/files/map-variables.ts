/** "1", "{1}", "var 1", "变量1": a header that names a variable by its number. */
const NUMBERED =
  /^[{[(<]?(?:var(?:iable)?|param(?:eter)?|value|field|col(?:umn)?|text|v|p|x|baryabol|变量|變量|变数|變數|参数|參數|值)?(\d{1,2})[}\])>]?$/;

/**
 * Assigns columns to variables: `[2, 4]` fills {1} from column 2 and {2} from column 4; null if no column is left.
 * Headers that name a number come first, the other columns follow in order. The MSISDN column fills nothing.
 */
export function mapVariables(
  columns: readonly { index: number; name: string }[],
  phoneColumn: number,
  variableCount: number,
): Array<number | null> {
  const mapping: Array<number | null> = Array.from({ length: variableCount }, () => null);
  const rest: number[] = [];
  for (const { index, name } of columns) {
    if (index === phoneColumn) continue;
    const number = readNumber(name);
    if (number !== null && number <= variableCount && mapping[number - 1] === null) mapping[number - 1] = index;
    else rest.push(index);
  }
  return mapping.map((column) => column ?? rest.shift() ?? null);
}

function readNumber(name: string): number | null {
  if (name.length > 40) return null;
  const text = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._#:-]+/g, '');
  const number = Number(NUMBERED.exec(text)?.[1] ?? 0);
  return number === 0 ? null : number;
}

/** Returns the first variable that a mapping leaves without a usable column, or null if all are filled. */
export function findUnmappedVariable(
  mapping: readonly (number | null)[],
  file: { variableCount: number; columnCount: number; phoneColumn: number },
): number | null {
  for (let i = 0; i < file.variableCount; i++) {
    const column = mapping[i] ?? null;
    const isUsable =
      column !== null &&
      Number.isInteger(column) &&
      column >= 0 &&
      column < file.columnCount &&
      column !== file.phoneColumn;
    if (!isUsable) return i + 1;
  }
  return null;
}
