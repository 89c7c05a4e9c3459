/** The name of a chart in its tab: at most. */
export const longestName = 40;

/**
 * Proposes a name of what a chart shows and by what it is divided: as many metrics as have room, but at least the
 * first.
 */
export function proposeName(
  metrics: readonly string[],
  groups: readonly string[],
  list: (of: readonly string[]) => string,
): string {
  const nameWith = (count: number) =>
    [...(metrics.length > 0 ? [list(metrics.slice(0, count))] : []), ...groups].join(' · ');
  for (let count = metrics.length; count > 1; count--)
    if (nameWith(count).length <= longestName) return nameWith(count);
  return nameWith(1).slice(0, longestName).trim();
}
