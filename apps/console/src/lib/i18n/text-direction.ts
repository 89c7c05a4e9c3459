import { directionOf } from './nearest-locale.ts';

/** Texts of two directions in one line (Unicode TR 9): which way a text runs, and values kept apart from the sentence around them. */
type Direction = 'ltr' | 'rtl';

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}]/u;
/** First strong isolate, left-to-right isolate, the end of either (§2.4), and the right-to-left mark (§2.6). */
const [FSI, LRI, PDI, RLM] = ['\u2068', '\u2066', '\u2069', '\u200F'];

/**
 * The direction of a text by its first letter, as `dir="auto"` finds it; undefined before there is one. Said in so many words
 * because an element that began empty on a page from right to left keeps that direction.
 */
export function directionOfText(text: string): Direction | undefined {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  if (letter === undefined) return undefined;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/**
 * A name, a date or an amount of another direction stands apart from the sentence it is put into, so that neither turns the
 * other round. In a sentence from right to left that is all but a bare number: ₱ and % would change sides.
 */
export function isolate<P extends object>(params: P, dir: Direction = 'ltr'): P {
  const turns = (value: string) => (dir === 'rtl' ? !/^[\d.,]*$/.test(value) : rightToLeft.test(value));
  const entries = Object.entries(params).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && turns(value) ? `${FSI}${value}${PDI}` : value,
  ]);
  return Object.fromEntries(entries) as P;
}

/** What `isolate` was given: a word that chooses between texts is compared, not read. */
export const withoutIsolate = (value: string): string =>
  value.startsWith(FSI) && value.endsWith(PDI) ? value.slice(FSI.length, -PDI.length) : value;

const numberInGroups = /\+\d+(?: \d+)*|\d+(?: \d+)+/;
/** Latin words that another number follows after a comma or the like, and isolates, which are left as they are. */
const wordsBeforeNumber = /[A-Za-z][\w./-]*(?: [\w./-]+)*(?=[^\p{L}\p{N}\u2066-\u2069]{2,}[₱+\u2212-]?\d)/u;
const apart = /[\u2066-\u2068][^\u2069]*\u2069/;
const kept = new RegExp(`(${apart.source})|${numberInGroups.source}|${wordsBeforeNumber.source}`, 'gu');

/**
 * For sentences from right to left. Groups of digits, as of a phone number, would follow each other from right to left, +63 917
 * as 917 63+; a number after a Latin word would be drawn to its side: `12 HEAD, 0 …` as `12 0 ,HEAD …`.
 */
export function keepGroups(text: string): string {
  return text.replaceAll(kept, (found, isApart: string | undefined) => (isApart ? found : `${LRI}${found}${PDI}`));
}

/** A sentence from right to left that is made of what stands apart alone gets a mark of its direction: nothing else tells it. */
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
