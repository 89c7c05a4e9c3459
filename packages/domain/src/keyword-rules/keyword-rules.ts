/**
 * Which keyword rule answers a phone's text. A keyword is compared with the whole text, without regard to case, spaces
 * and marks at the ends; `*` in it stands for any text. It is searched for from left to right without going back, so no
 * keyword takes longer than its length times that of the text.
 */
import { isOptOut } from '../opt-outs/opt-out-words.ts';
import { manilaHour } from '../quiet-hours/quiet-hours.ts';

export interface KeywordMatcher {
  readonly keywords: readonly string[];
  /** Hours of the Manila day, from the first up to the second, over midnight too; null: all day. */
  readonly hours: { readonly from: number; readonly to: number } | null;
}

/** As texts and keywords are compared. */
const toCompared = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[.,!?]+|[.,!?]+$/g, '')
    .trim();

/** A keyword that can match: something in it is compared, or it stands for any text. */
export const isKeyword = (keyword: string): boolean => toCompared(keyword) !== '';

/** An opt-out word is never answered, so it is no keyword. */
export const isOptOutKeyword = (keyword: string): boolean => isOptOut(keyword) || isOptOut(toCompared(keyword));

export function matchesKeyword(keyword: string, text: string): boolean {
  const [first = '', ...rest] = toCompared(keyword).split('*');
  const compared = toCompared(text);
  const last = rest.pop();
  if (last === undefined) return compared === first;
  if (!compared.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = compared.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return compared.length - last.length >= at && compared.endsWith(last);
}

const isActive = ({ hours }: KeywordMatcher, unixMs: number): boolean => {
  if (hours === null) return true;
  const hour = manilaHour(unixMs);
  const { from, to } = hours;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
};

/** The first rule that is active and has a keyword for the text; none for a text that opts out. */
export function chooseKeywordRule<R extends KeywordMatcher>(
  rules: readonly R[],
  text: string,
  unixMs: number,
): { rule: R; keyword: string } | null {
  if (isOptOut(text)) return null;
  for (const rule of rules) {
    if (!isActive(rule, unixMs)) continue;
    const keyword = rule.keywords.find((each) => matchesKeyword(each, text));
    if (keyword !== undefined) return { rule, keyword };
  }
  return null;
}
