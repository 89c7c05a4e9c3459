import { FileProblemError } from './problem.ts';

/**
 * A scanner for the XML inside workbooks: tags and text in document order, nothing built. Names come without prefix,
 * because some programs write `x:row` for `row`. A document type is refused, so no entity can be declared.
 */
export interface XmlHandler {
  /** `attributes` is the tag's text after its name; see `readAttribute`. An empty element is opened and closed. */
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Text as written; a consumer that needs entities decoded calls `decodeXmlText`. Never split. */
  text(raw: string, literal: boolean): void;
}

/** The longest single tag or text. A cell has at most 32 k characters, each of which may be written `&#x10FFFF;`. */
const maxTokenChars = 1024 * 1024;

export class XmlScanner {
  private readonly handler: XmlHandler;
  private rest = '';
  private depth = 0;
  private seen = false;

  constructor(handler: XmlHandler) {
    this.handler = handler;
  }

  push(piece: string): void {
    const text = this.rest === '' ? piece : this.rest + piece;
    let at = 0;
    for (;;) {
      const next = this.readToken(text, at);
      if (next === -1) break;
      at = next;
    }
    this.rest = text.slice(at);
    if (this.rest.length > maxTokenChars) throw new FileProblemError('FILE_UNREADABLE');
  }

  end(): void {
    if (this.depth !== 0 || this.rest.trim() !== '' || !this.seen) throw new FileProblemError('FILE_TRUNCATED');
  }

  /** Consumes the text up to the next tag and that tag; returns where the next token begins, -1 if it is incomplete. */
  private readToken(text: string, at: number): number {
    const left = text.indexOf('<', at);
    if (left === -1) return -1;
    const mark = text.charCodeAt(left + 1);
    if (mark === 0x21 || mark === 0x3f) return this.readSpecial(text, at, left);
    const right = tagEnd(text, left + 1);
    if (right === -1) return -1;
    if (left > at) this.handler.text(text.slice(at, left), false);
    if (mark === 0x2f) {
      this.depth -= 1;
      if (this.depth < 0) throw new FileProblemError('FILE_UNREADABLE');
      this.handler.close(localName(text, left + 2, right));
    } else {
      this.seen = true;
      this.readOpening(text, left + 1, right);
    }
    return right + 1;
  }

  private readOpening(text: string, from: number, right: number): void {
    const empty = text.charCodeAt(right - 1) === 0x2f;
    const end = empty ? right - 1 : right;
    let nameEnd = from;
    while (nameEnd < end && text.charCodeAt(nameEnd) > 0x20) nameEnd += 1;
    const name = localName(text, from, nameEnd);
    this.handler.open(name, nameEnd === end ? '' : text.slice(nameEnd, end));
    if (empty) this.handler.close(name);
    else this.depth += 1;
  }

  /** Comments and instructions are passed over, CDATA is text. */
  private readSpecial(text: string, at: number, left: number): number {
    for (const [opening, closing] of specials) {
      // Cut in the middle of the opening itself: wait for more.
      if (opening.startsWith(text.slice(left, left + opening.length)) && text.length < left + opening.length) return -1;
      if (!text.startsWith(opening, left)) continue;
      const end = text.indexOf(closing, left + opening.length);
      if (end === -1) return -1;
      if (left > at) this.handler.text(text.slice(at, left), false);
      if (opening === '<![CDATA[') this.handler.text(text.slice(left + opening.length, end), true);
      return end + closing.length;
    }
    throw new FileProblemError('FILE_UNREADABLE');
  }
}

const specials = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** The `>` that ends a tag; one inside an attribute's quotation marks does not. */
function tagEnd(text: string, from: number): number {
  let right = text.indexOf('>', from);
  while (right !== -1 && isInsideQuotes(text, from, right)) right = text.indexOf('>', right + 1);
  return right;
}

function isInsideQuotes(text: string, from: number, to: number): boolean {
  let open = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (open === 0 ? code === 0x22 || code === 0x27 : code === open) open = open === 0 ? code : 0;
  }
  return open !== 0;
}

function localName(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === 0x3a) start = at + 1;
  return text.slice(start, end);
}

/** The value of one attribute, decoded, or undefined. `name` is the name as written or its part after a prefix. */
export function readAttribute(attributes: string, name: string): string | undefined {
  for (let from = attributes.indexOf(name); from !== -1; from = attributes.indexOf(name, from + 1)) {
    const before = from === 0 ? 0x20 : attributes.charCodeAt(from - 1);
    let at = from + name.length;
    while (attributes.charCodeAt(at) <= 0x20) at += 1;
    if ((before > 0x20 && before !== 0x3a) || attributes.charCodeAt(at) !== 0x3d) continue;
    at += 1;
    while (attributes.charCodeAt(at) <= 0x20) at += 1;
    const mark = attributes.charCodeAt(at);
    if (mark !== 0x22 && mark !== 0x27) continue;
    const end = attributes.indexOf(mark === 0x22 ? '"' : "'", at + 1);
    return end === -1 ? undefined : decodeXmlText(attributes.slice(at + 1, end));
  }
  return undefined;
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five named entities and character numbers; anything else stays as written. */
function decodeXmlText(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/giu, (whole, hex, decimal, named) => {
    if (typeof named === 'string') return namedEntities[named.toLowerCase()] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** Spreadsheet programs write control characters as `_x000D_` (ECMA-376 Part 1, 22.9.2.19). */
export function decodeCellText(raw: string): string {
  const text = decodeXmlText(raw);
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/giu, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
