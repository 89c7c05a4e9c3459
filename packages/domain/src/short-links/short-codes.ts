/**
 * Codes of short links. All have one length, so that a text keeps its segments when one code replaces another, and none
 * contains a character that people mistake for another.
 */
const SHORT_CODE_LENGTH = 8;

/** Letters and digits of the GSM alphabet, without 0 O o 1 I l. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz';
/** Bytes from here on are not used; otherwise some characters would occur more often than others. */
const FAIR = Math.floor(256 / SIGNS.length) * SIGNS.length;
const CODE = /^[2-9A-HJ-NP-Za-kmnp-z]{8}$/;

export const isShortCode = (text: string): boolean => CODE.test(text);

/**
 * Makes codes from random bytes: knowing one does not reveal another. `randomBytes` returns the given number of bytes.
 */
export function makeShortCodes(count: number, randomBytes: (bytes: number) => Uint8Array): string[] {
  const codes: string[] = [];
  let signs = '';
  while (codes.length < count) {
    for (const byte of randomBytes((count - codes.length) * SHORT_CODE_LENGTH + 16)) {
      if (byte >= FAIR) continue;
      signs += SIGNS[byte % SIGNS.length]!;
      if (signs.length < SHORT_CODE_LENGTH) continue;
      codes.push(signs);
      signs = '';
      if (codes.length === count) break;
    }
  }
  return codes;
}

export interface ShortLinkPlace {
  code: string;
  /** UTF-16 offsets of the code alone. */
  from: number;
  to: number;
}

const PLACE = /\/s\/([2-9A-HJ-NP-Za-kmnp-z]{8})(?![A-Za-z0-9])/g;

/** Returns possible short links in a text: the text between "/s/" and any character that can't be part of a code. */
export function findShortLinks(text: string): ShortLinkPlace[] {
  if (!text.includes('/s/')) return [];
  return Array.from(text.matchAll(PLACE), (match) => {
    const from = match.index + 3;
    return { code: match[1]!, from, to: from + SHORT_CODE_LENGTH };
  });
}

/** Whether the link at a place follows this domain (host, optionally port and path; no scheme). */
export function isOnDomain(text: string, { from }: ShortLinkPlace, domain: string): boolean {
  const start = from - 3 - domain.length;
  if (start < 0 || text.slice(start, from - 3).toLowerCase() !== domain.toLowerCase()) return false;
  // Nothing before it that would make it the end of another name.
  return start === 0 || !/[A-Za-z0-9.@-]/.test(text[start - 1]!);
}

/** The text with another code at some places; lengths stay. */
export function replaceCodes(text: string, places: readonly { from: number; to: number; code: string }[]): string {
  let replaced = text;
  for (const { from, to, code } of places) replaced = replaced.slice(0, from) + code + replaced.slice(to);
  return replaced;
}

/** Returns host, and port and path if any, of the address in front of short links: the part a text must contain. */
export const toDomain = (shortUrl: string): string => shortUrl.replace(/^https?:\/\//, '').replace(/\/$/, '');
