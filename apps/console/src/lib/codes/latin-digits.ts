/** Decimal digits of a script are consecutive, beginning with its zero. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}

/** The digits of any script as ours: keyboards in Arabic, Persian or Hindi type their own, codes are sent in these. */
export const latinDigits = (text: string): string => text.replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)));
