/** Marks as wide as a Han character, which hold their own space: 。：！？ */
const wideEnd = /[\u3000-\u303F\uFF00-\uFFEF]$/u;

/** What parts a sentence from the next one. */
export const spaceAfter = (sentence: string): string => (wideEnd.test(sentence) ? '' : ' ');

/** Joins sentences; missing ones are left out. */
export const joinSentences = (sentences: readonly (string | null | undefined)[]): string =>
  sentences
    .filter((sentence) => sentence !== null && sentence !== undefined && sentence !== '')
    .reduce<string>((text, next) => (text === '' ? (next ?? '') : `${text}${spaceAfter(text)}${next}`), '');
