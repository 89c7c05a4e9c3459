/**
 * The line through values at equal distances, from the lowest at the bottom to the highest; null where one value has
 * nothing to be drawn to. Missing values are left out: the line goes on from where it stopped.
 */
export function sparkPath(
  values: readonly (number | null)[],
  { width, height }: { width: number; height: number },
): string | null {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const yOf = (value: number): number => (high === low ? height / 2 : height - ((value - low) / (high - low)) * height);
  const step = width / (values.length - 1);
  let path = '';
  for (const [index, value] of values.entries())
    if (value !== null) path += `${path === '' ? 'M' : 'L'}${round(index * step)} ${round(yOf(value))}`;
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;
