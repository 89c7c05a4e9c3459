import type { FileLimits } from './limits.ts';
import { oleMagic, readOleDirectory } from './ole-directory.ts';
import { FileProblemError } from './problem.ts';
import type { ChunkSource } from './source.ts';
import { guessTextEncoding } from './text-encoding.ts';

export type FileKind = 'csv' | 'xls' | 'xlsx';

/** How much of the beginning is looked at. */
const headBytes = 64 * 1024;

const zipMagic = Buffer.from('PK\u0003\u0004', 'latin1');
const emptyZipMagic = Buffer.from('PK\u0005\u0006', 'latin1');

/** Beginnings that are no table of text, though some of them are text. */
const foreignMagics: readonly (readonly [name: string, magic: Buffer])[] = [
  ['zip', Buffer.from('PK\u0003\u0004', 'latin1')],
  ['zip', emptyZipMagic],
  ['ole', oleMagic],
  ['exe', Buffer.from('MZ', 'latin1')],
  ['elf', Buffer.from('\u007fELF', 'latin1')],
  ['macho', Buffer.from('cffaedfe', 'hex')],
  ['class', Buffer.from('cafebabe', 'hex')],
  ['wasm', Buffer.from('\0asm', 'latin1')],
  ['pdf', Buffer.from('%PDF', 'latin1')],
  ['postscript', Buffer.from('%!PS', 'latin1')],
  ['rtf', Buffer.from('{\\rtf', 'latin1')],
  ['png', Buffer.from('\u0089PNG', 'latin1')],
  ['jpeg', Buffer.from('ffd8ff', 'hex')],
  ['gif', Buffer.from('GIF8', 'latin1')],
  ['riff', Buffer.from('RIFF', 'latin1')],
  ['gzip', Buffer.from('1f8b', 'hex')],
  ['bzip2', Buffer.from('BZh', 'latin1')],
  ['xz', Buffer.from('fd377a585a00', 'hex')],
  ['7z', Buffer.from('377abcaf271c', 'hex')],
  ['rar', Buffer.from('Rar!', 'latin1')],
  ['zstd', Buffer.from('28b52ffd', 'hex')],
  ['sqlite', Buffer.from('SQLite format 3', 'latin1')],
  ['script', Buffer.from('#!', 'latin1')],
];

/** Returns the kind implied by the file name, or undefined if the extension is none of the three. */
export function kindOfName(fileName: string): FileKind | undefined {
  const match = /\.(csv|xls|xlsx)$/iu.exec(fileName);
  return match?.[1]?.toLowerCase() as FileKind | undefined;
}

/**
 * Determines the file kind from the first bytes and throws if it does not match the name. Parses no content; a
 * workbook's own reader checks further.
 */
export async function sniffFile(fileName: string, source: ChunkSource, limits: FileLimits): Promise<FileKind> {
  const named = kindOfName(fileName);
  if (named === undefined) throw new FileProblemError('FILE_EXTENSION');
  if (source.size > limits.maxBytes) {
    throw new FileProblemError('FILE_TOO_LARGE', { limitMb: Math.floor(limits.maxBytes / (1024 * 1024)) });
  }
  if (source.size === 0) throw new FileProblemError('FILE_EMPTY');
  const head = await source.read(0, headBytes);
  if (startsWith(head, oleMagic)) return await judgeOle(named, source);
  switch (named) {
    case 'csv':
      assertText(head, source.size);
      return 'csv';
    case 'xlsx':
      if (startsWith(head, zipMagic)) return 'xlsx';
      throw mismatch(nameContent(head));
    case 'xls':
      throw mismatch(nameContent(head));
  }
}

async function judgeOle(named: FileKind, source: ChunkSource): Promise<FileKind> {
  if (named === 'csv') throw mismatch('ole');
  const { names, workbookHead } = await readOleDirectory(source);
  if (names.has('EncryptedPackage')) throw new FileProblemError('FILE_ENCRYPTED');
  if (workbookHead === undefined || named !== 'xls') throw mismatch(workbookHead === undefined ? 'ole' : 'xls');
  if (beginsWithFilePass(workbookHead)) throw new FileProblemError('FILE_ENCRYPTED');
  return 'xls';
}

/** [MS-XLS]: an encrypted workbook stream has FILEPASS (0x002F) among its first records. */
function beginsWithFilePass(head: Buffer): boolean {
  let at = 0;
  for (let records = 0; records < 8 && at + 4 <= head.length; records += 1) {
    if (head.readUInt16LE(at) === 0x2f) return true;
    at += 4 + head.readUInt16LE(at + 2);
  }
  return false;
}

function assertText(head: Buffer, size: number): void {
  const foreign = nameForeign(head);
  if (foreign !== undefined) throw mismatch(foreign);
  const encoding = guessTextEncoding(head, size > head.length);
  if (encoding === 'binary') throw mismatch('binary');
  if (encoding.startsWith('utf-16')) return;
  const text = head.toString('latin1', 0, 1024).replace(/^(?:ï»¿)?\s*/u, '');
  if (/^<(?:!doctype|!--|html|head|body|table|svg|script|\?xml|\?php)/iu.test(text)) throw mismatch('markup');
}

function nameContent(head: Buffer): string {
  return nameForeign(head) ?? (/^(?:ï»¿)?\s*</u.test(head.toString('latin1', 0, 1024)) ? 'markup' : 'other');
}

function nameForeign(head: Buffer): string | undefined {
  return foreignMagics.find(([, magic]) => startsWith(head, magic))?.[0];
}

function mismatch(found: string): FileProblemError {
  return new FileProblemError('FILE_CONTENT_MISMATCH', { found });
}

function startsWith(head: Buffer, magic: Buffer): boolean {
  return head.length >= magic.length && head.compare(magic, 0, magic.length, 0, magic.length) === 0;
}
