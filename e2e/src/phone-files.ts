/** Files of phones with three variables and rows of every kind that must not be sent to. */
import { utils, write } from '@e965/xlsx';

export interface PhoneFile {
  name: string;
  bytes: Buffer;
  /** Recipients in file order. */
  valid: { msisdn: string; values: [string, string, string] }[];
  rejected: number;
  duplicates: number;
}

type Row = [phone: string | number, name: string, order: string, branch: string];

const header = ['mobile', 'name', 'order', 'branch'];
const branches = ['Makati', 'Cebu', 'Davao'];
/** Globe, Smart, DITO and an unknown range, in four spellings. */
const spellings: ((national: string) => string)[] = [
  (n) => `0${n}`,
  (n) => `63${n}`,
  (n) => `+63 ${n.slice(0, 3)} ${n.slice(3, 6)} ${n.slice(6)}`,
  (n) => n,
];
const prefixes = ['917', '918', '991', '905'];

/** One bad row of each kind; the last one is a duplicate of the first good row. */
const badRows: Row[] = [
  ['0917123', 'Short', 'X-1', 'Makati'],
  ['9.17123E+09', 'Damaged', 'X-2', 'Makati'],
  ['(02) 8123 4567', 'Fixed line', 'X-3', 'Makati'],
  ['not a number', 'Words', 'X-4', 'Makati'],
  ['', 'Nobody', 'X-5', 'Makati'],
];

export type FileKind = 'csv' | 'xlsx' | 'xls';

/** `seed` keeps the phones of several files apart. */
export function makePhoneFile(kind: FileKind, count: number, seed: number): PhoneFile {
  const valid: PhoneFile['valid'] = [];
  const rows: Row[] = [];
  for (let i = 0; i < count; i++) {
    const national = `${prefixes[i % prefixes.length]}${String(seed * 1_000_000 + i).padStart(7, '0')}`;
    const values: [string, string, string] = [`Name ${i}`, `SM-${seed}-${i}`, branches[i % branches.length] ?? ''];
    valid.push({ msisdn: `63${national}`, values });
    rows.push([spellings[i % spellings.length]?.(national) ?? national, ...values]);
  }
  const copies = rows.slice(0, 3).map((row): Row => [...row]);
  const all = [...rows.slice(0, Math.floor(count / 2)), ...badRows, ...rows.slice(Math.floor(count / 2)), ...copies];
  return { name: `phones-${seed}.${kind}`, bytes: encode(kind, all), valid, rejected: badRows.length, duplicates: 3 };
}

function encode(kind: FileKind, rows: Row[]): Buffer {
  if (kind === 'csv') return Buffer.from([header, ...rows].map((row) => row.join(',')).join('\r\n'));
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([header, ...rows]), 'Phones');
  return write(book, { type: 'buffer', bookType: kind === 'xls' ? 'biff8' : 'xlsx' }) as Buffer;
}

/** A workbook of several sheets, each with its rows. */
export function makeWorkbook(
  name: string,
  sheets: Record<string, (string | number)[][]>,
): { name: string; bytes: Buffer } {
  const book = utils.book_new();
  for (const [title, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), title);
  return { name, bytes: write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer };
}
