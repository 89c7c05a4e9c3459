import type { ErrorCode } from '@pahatid/contract';

/**
 * Why a whole file is rejected. Each cause has a separate code, so that the console can show the author exactly what to
 * fix; an error in a single row is a reject, not a problem.
 */
const fileProblemCodes = [
  /** The name ends in something else than .csv, .xls or .xlsx. */
  'FILE_EXTENSION',
  /** The content does not match the extension: a renamed program, picture, web page, archive or other document. */
  'FILE_CONTENT_MISMATCH',
  /** A workbook that needs a password. */
  'FILE_ENCRYPTED',
  /** Unpacks to more than the limits allow, or to more than its directory states. */
  'FILE_ZIP_BOMB',
  /** The end of the file is missing. */
  'FILE_TRUNCATED',
  /** No bytes, no rows, or a header row and nothing below it. */
  'FILE_EMPTY',
  'FILE_NO_PHONE_COLUMN',
  /** The workbook has no sheet of the chosen name. */
  'FILE_NO_SUCH_SHEET',
  'FILE_TOO_LARGE',
  'FILE_TOO_MANY_ROWS',
  'FILE_TOO_MANY_COLUMNS',
  'FILE_CELL_TOO_LONG',
  'FILE_LINE_TOO_LONG',
  /** A quotation mark is opened and never closed (csv). */
  'FILE_QUOTE_UNCLOSED',
  /** Every phone is the result of a formula. */
  'FILE_FORMULAS',
  /** Damaged in some other way. */
  'FILE_UNREADABLE',
  'FILE_TIMEOUT',
  'FILE_MEMORY',
  /** The parser was ended from outside: no fault of the file, which can be parsed again. Never shown to an author. */
  'FILE_PARSER_STOPPED',
] as const satisfies readonly (ErrorCode | 'FILE_PARSER_STOPPED')[];

export type FileProblemCode = (typeof fileProblemCodes)[number];

export interface FileProblem {
  readonly code: FileProblemCode;
  /** Parameters of the message: `row`, `limit`, `limitMb`, `sheetName`, `found`. */
  readonly params: Readonly<Record<string, string | number>>;
  /** Of a workbook that could be opened: another sheet may do. */
  readonly sheetNames?: readonly string[];
}

/** Thrown inside the parser to leave its loops; the parser program and `parseFile` turn it into a value. */
export class FileProblemError extends Error {
  readonly problem: FileProblem;

  constructor(
    code: FileProblemCode,
    params: FileProblem['params'] = {},
    options?: ErrorOptions,
    sheetNames?: readonly string[],
  ) {
    super(code, options);
    this.name = 'FileProblemError';
    this.problem = { code, params, ...(sheetNames && { sheetNames }) };
  }
}

/** More are not listed: no user looks through them. */
const maxSheets = 1_000;

const codes: ReadonlySet<string> = new Set(fileProblemCodes);

/** Reads a problem that another process wrote. */
export function toFileProblem(value: unknown): FileProblem | undefined {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('params' in value)) return undefined;
  const { code, params } = value;
  if (typeof code !== 'string' || !codes.has(code) || typeof params !== 'object' || params === null) return undefined;
  const kept = Object.entries(params).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  const problem = { code: code as FileProblemCode, params: Object.fromEntries(kept) };
  if (!('sheetNames' in value) || !Array.isArray(value.sheetNames)) return problem;
  const sheetNames = value.sheetNames.filter((name): name is string => typeof name === 'string').slice(0, maxSheets);
  return { ...problem, sheetNames };
}
