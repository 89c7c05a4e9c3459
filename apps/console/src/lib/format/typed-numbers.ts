/**
 * Numbers as people type them: with the decimal and the group sign of their language, in its digits or in ours, and
 * with a decimal point everywhere, as prices are printed. Ambiguous input is read as the language writes.
 */
import { parseMoney } from '@pahatid/domain';
import { latinDigits } from '../codes/latin-digits.ts';

export interface TypedNumbers {
  /** As digits with a decimal point, no groups; invalid input is normalized, for a parser to refuse. */
  plain(text: string): string;
  /** In 1/10,000 peso; null if it is not an amount. */
  money(text: string): number | null;
  /** A number for a field: with the language's decimal sign and no groups, so that it can be parsed again. */
  write(value: number): string;
  /** An amount in 1/10,000 peso, for a field: two decimals, four if needed. */
  writeMoney(amount: number): string;
}

/** Marks of direction, which Intl writes around signs. */
const marks = /[\u061c\u200e\u200f\u2066-\u2069]/g;
const spaces = /[\s\u00a0\u2009\u202f]/g;
const pesoUnits = 10_000;

export function makeTypedNumbers(locale: string): TypedNumbers {
  const { decimal, group, sizes } = signsOf(locale);
  const plain = (text: string): string => {
    const tidy = tidied(text);
    const [, sign = '', body = ''] = /^(-?)\s*(.*)$/s.exec(tidy) ?? [];
    // Arabic signs are unambiguous, whatever the language of the screen.
    const signed = body.replaceAll('٬', group).replaceAll('٫', decimal).replaceAll('’', "'").replaceAll(spaces, ' ');
    const [whole = '', fraction = '', ...more] = signed.split(decimal);
    const digits = more.length > 0 || !/^\d*$/.test(fraction) ? null : ungrouped(whole, group, sizes);
    if (digits === null) return tidy;
    return `${sign}${digits}${fraction === '' ? '' : `.${fraction}`}`;
  };
  const write = (value: number): string => String(value).replace('.', decimal);
  return {
    plain,
    money: (text) => parseMoney(plain(text)),
    write,
    writeMoney: (amount) => (amount / pesoUnits).toFixed(amount % 100 === 0 ? 2 : 4).replace('.', decimal),
  };
}

interface Signs {
  decimal: string;
  /** Any space is normalized to a plain one, either apostrophe to the straight one. */
  group: string;
  /** Of the last group, and of those before it. */
  sizes: readonly [last: number, others: number];
}

function signsOf(locale: string): Signs {
  // In our own digits, as the screens write numbers.
  const parts = new Intl.NumberFormat(`${locale}-u-nu-latn`).formatToParts(1_234_567_890.5);
  const signOf = (type: string): string | undefined => parts.find((part) => part.type === type)?.value;
  const lengths = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  return {
    decimal: signOf('decimal') ?? '.',
    group: (signOf('group') ?? ',').replaceAll(spaces, ' ').replace('’', "'"),
    sizes: [lengths.at(-1) ?? 3, lengths.at(-2) ?? 3],
  };
}

/** Ours for every digit, a plain minus, without the peso's sign and without marks. */
function tidied(text: string): string {
  return latinDigits(text.replace(marks, ''))
    .replace('\u2212', '-')
    .trim()
    .replace(/^(-?)\s*₱\s*|\s*₱$/, '$1')
    .trim();
}

/** Returns the digits of a whole number if its groups are those of the language, else null. */
function ungrouped(whole: string, group: string, [last, others]: Signs['sizes']): string | null {
  if (/^\d+$/.test(whole)) return whole;
  const groups = whole.split(group);
  const first = groups[0] ?? '';
  // A nought at the head is no thousand: "0.350" is a price.
  if (groups.length < 2 || !/^[1-9]\d*$/.test(first) || first.length > others) return null;
  const isWhole = groups
    .slice(1)
    .every((each, at, rest) => /^\d+$/.test(each) && each.length === (at === rest.length - 1 ? last : others));
  return isWhole ? groups.join('') : null;
}
