/** A number and its noun in English: 1 row, 2,000 rows. */
export const counted = (count: number, noun: string): string =>
  `${new Intl.NumberFormat('en-US').format(count)} ${noun}${count === 1 ? '' : 's'}`;
