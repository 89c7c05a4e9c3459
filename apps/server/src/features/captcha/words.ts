/**
 * The alternative puzzle, for users that cannot see or slide: a question as text. The preceding work makes guessing
 * expensive.
 */
import { randomInt } from 'node:crypto';
import { type CaptchaQuestion, captchaWords } from '@pahatid/contract';

export interface WordsPuzzle {
  readonly question: CaptchaQuestion;
  readonly answer: number;
}

export function makeWordsPuzzle(): WordsPuzzle {
  const kind = randomInt(3);
  if (kind === 0) {
    const numbers = [randomInt(2, 11), randomInt(2, 10)];
    return { question: { ask: 'sum', numbers }, answer: numbers[0]! + numbers[1]! };
  }
  if (kind === 1) {
    const less = randomInt(2, 10);
    const numbers = [less + randomInt(2, 11), less];
    return { question: { ask: 'difference', numbers }, answer: numbers[0]! - less };
  }
  const words = shuffled(captchaWords).slice(0, 4);
  const place = randomInt(words.length);
  return { question: { ask: 'place', words, word: words[place]! }, answer: place + 1 };
}

function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list];
  return list.map(() => left.splice(randomInt(left.length), 1)[0]!);
}

/** Digits of any script: full-width, Arabic, Devanagari … A number word is not accepted. */
export function readNumber(text: string): number | null {
  const digits = text
    .trim()
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  return /^\d{1,3}$/.test(digits) ? Number(digits) : null;
}

/** Decimal digits of a script are consecutive, beginning with its zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}
