import { directionOf } from './nearest-locale.ts';

/**
 * Texts of two directions in one line (Unicode TR 9): the direction of a text, and values isolated from the sentence
 * around them.
 */
type Direction = 'ltr' | 'rtl';

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}]/u;
/** First strong isolate, left-to-right isolate, the end of either (§2.4), and the right-to-left mark (§2.6). */
const [FSI, LRI, PDI, RLM] = ['\u2068', '\u2066', '\u2069', '\u200F'];

/**
 * Returns the direction of a text by its first letter, as `dir="auto"` determines it; undefined if there is none yet.
 * Set explicitly because an element that started empty on a right-to-left page keeps that direction.
 */
export function directionOfText(text: string): Direction | undefined {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  if (letter === undefined) return undefined;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/**
 * Isolates a name, a date or an amount of another direction from its sentence, so that neither reverses the other. In a
 * right-to-left sentence this applies to everything but a bare number: ₱ and % would change sides.
 */
export function isolate<P extends object>(params: P, dir: Direction = 'ltr'): P {
  const turns = (value: string) => (dir === 'rtl' ? !/^[\d.,]*$/.test(value) : rightToLeft.test(value));
  const entries = Object.entries(params).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && turns(value) ? `${FSI}${value}${PDI}` : value,
  ]);
  return Object.fromEntries(entries) as P;
}

/** Returns the input of `isolate`: a value that selects between texts is compared, not displayed. */
export const withoutIsolate = (value: string): string =>
  value.startsWith(FSI) && value.endsWith(PDI) ? value.slice(FSI.length, -PDI.length) : value;

const numberInGroups = /\+\d+(?: \d+)*|\d+(?: \d+)+/;
/** Latin words followed by another number after a comma or similar, and isolates, which are left as they are. */
const wordsBeforeNumber = /[A-Za-z][\w./-]*(?: [\w./-]+)*(?=[^\p{L}\p{N}\u2066-\u2069]{2,}[₱+\u2212-]?\d)/u;
const apart = /[\u2066-\u2068][^\u2069]*\u2069/;
const keptTogether = new RegExp(`(${apart.source})|${numberInGroups.source}|${wordsBeforeNumber.source}`, 'gu');

/**
 * For right-to-left sentences. Groups of digits, as of a phone number, would be ordered from right to left, +63 917 as
 * 917 63+; a number after a Latin word would move to its side: `12 HEAD, 0 …` as `12 0 ,HEAD …`.
 */
export function keepGroups(text: string): string {
  return text.replaceAll(keptTogether, (found, isApart: string | undefined) =>
    isApart ? found : `${LRI}${found}${PDI}`,
  );
}

/**
 * Adds a direction mark to a right-to-left sentence that consists only of isolates: nothing else determines its
 * direction.
 */
export function anchor(text: string): string {
  return apart.test(text) && !/\p{L}/u.test(text.replaceAll(new RegExp(apart, 'g'), '')) ? `${RLM}${text}` : text;
}

/** A list as the language parts it: `a, b`, `a、b`, `a، b`; on a page from right to left names in Latin letters keep their order. */
export function listText(values: readonly string[], locale: string): string {
  const comma = /^(zh|ja)/.test(locale) ? '、' : /^(ar|fa|ku)/.test(locale) ? '، ' : ', ';
  const isRightToLeft = directionOf(locale) === 'rtl';
  return values
    .map((value) => (isRightToLeft && directionOfText(value) !== 'rtl' ? `${FSI}${value}${PDI}` : value))
    .join(comma);
}
