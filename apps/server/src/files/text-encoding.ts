/**
 * Detects the encoding of a csv and decodes it piece by piece. Order of evidence: byte order mark, parity of NUL bytes,
 * strict UTF-8, share of GB2312 pairs, Big5's lead bytes, and last windows-1252, which is what a spreadsheet program on
 * a western Windows writes (ñ of a Filipino name is one byte 0xF1 there).
 *
 * The beginning of a file may be plain ASCII and the first distinguishing byte come megabytes later, so a decoder that
 * has seen only ASCII decides at the first other byte.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'big5' | 'windows-1252';

/** Returns the encoding of the beginning of a file; `more` means that the piece may end inside a character. */
export function guessTextEncoding(head: Buffer, more: boolean): TextEncodingName | 'ascii' | 'binary' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const nuls = countNuls(head);
  const half = head.length / 2;
  if (nuls.odd > half * 0.3 && nuls.even < half * 0.05) return 'utf-16le';
  if (nuls.even > half * 0.3 && nuls.odd < half * 0.05) return 'utf-16be';
  if (nuls.odd + nuls.even > 0 || countControls(head) > head.length * 0.05) return 'binary';
  if (isAscii(head)) return 'ascii';
  const whole = more ? head.subarray(0, head.length - incompleteTail(head)) : head;
  return isUtf8(whole) ? 'utf-8' : guessLegacyEncoding(head);
}

function countNuls(bytes: Buffer): { odd: number; even: number } {
  const count = { odd: 0, even: 0 };
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) count[at % 2 === 0 ? 'even' : 'odd'] += 1;
  return count;
}

function countControls(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) count += 1;
  return count;
}

/** For bytes known not to be UTF-8. */
function guessLegacyEncoding(bytes: Buffer): 'gb18030' | 'big5' | 'windows-1252' {
  let pairs = 0;
  let gb2312 = 0;
  let big5 = 0;
  for (let at = 0; at + 1 < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[at + 1] ?? 0;
    pairs += 1;
    if (lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1) gb2312 += 1;
    // Big5's 5,401 frequent characters have lead bytes A4 to C6.
    if (lead >= 0xa1 && lead <= 0xc6 && ((trail >= 0x40 && trail <= 0x7e) || trail >= 0xa1)) big5 += 1;
    if (trail >= 0x40) at += 1;
  }
  if (pairs === 0) return 'windows-1252';
  if (big5 >= pairs * 0.9 && gb2312 < pairs * 0.9) return 'big5';
  return gb2312 >= pairs * 0.6 ? 'gb18030' : 'windows-1252';
}

/** Bytes at the end (0 to 3) that begin a UTF-8 character and do not finish it. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
  }
  return 0;
}

export interface TextPieces {
  /** What has been decided so far; `ascii` as long as nothing else was seen. */
  readonly encoding: TextEncodingName | 'ascii';
  /** Text of the next bytes; `last` ends the text. Broken sequences become U+FFFD. */
  decode(bytes: Buffer, last: boolean): string;
}

export function makeTextPieces(head: Buffer, more: boolean): TextPieces {
  const guessed = guessTextEncoding(head, more);
  return new PieceDecoder(guessed === 'binary' ? 'utf-8' : guessed);
}

class PieceDecoder implements TextPieces {
  encoding: TextEncodingName | 'ascii';
  private decoder: TextDecoder | undefined;

  constructor(encoding: TextEncodingName | 'ascii') {
    this.encoding = encoding;
    if (encoding !== 'ascii') this.decoder = new TextDecoder(encoding);
  }

  decode(bytes: Buffer, last: boolean): string {
    if (this.decoder === undefined) {
      if (isAscii(bytes)) return bytes.toString('latin1');
      const whole = last ? bytes : bytes.subarray(0, bytes.length - incompleteTail(bytes));
      this.encoding = isUtf8(whole) ? 'utf-8' : guessLegacyEncoding(bytes);
      this.decoder = new TextDecoder(this.encoding);
    }
    return this.decoder.decode(bytes, { stream: !last });
  }
}

/** Pieces of UTF-8 (UTF-16 with its byte order mark) known to be so, as the parts of a workbook are. */
export class XmlPieces {
  private carried: Buffer | undefined;
  private wide: TextDecoder | undefined;
  private begun = false;

  decode(piece: Buffer): string {
    const bytes = this.carried ? Buffer.concat([this.carried, piece]) : piece;
    this.carried = undefined;
    if (!this.begun) this.begin(bytes);
    if (this.wide) return this.wide.decode(bytes, { stream: true });
    if (isAscii(bytes)) return bytes.toString('latin1');
    const cut = bytes.length - incompleteTail(bytes);
    if (cut < bytes.length) this.carried = Buffer.from(bytes.subarray(cut));
    return bytes.toString('utf8', 0, cut);
  }

  private begin(bytes: Buffer): void {
    this.begun = true;
    const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
    if (mark === 0xfffe) this.wide = new TextDecoder('utf-16le');
    if (mark === 0xfeff) this.wide = new TextDecoder('utf-16be');
  }
}
