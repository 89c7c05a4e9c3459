/**
 * The API hands out a cursor to the page after, never to the one before. The way back is remembered here while the
 * page lives; after a reload in the middle of a list, "Newer" leads to its beginning.
 */
const trail = new Map<string, string>();
const most = 500;

const keyOf = (list: string, cursor: string) => `${list}\n${cursor}`;

export function rememberStep(list: string, from: string | undefined, to: string) {
  if (trail.size >= most) trail.delete(trail.keys().next().value ?? '');
  trail.set(keyOf(list, to), from ?? '');
}

/** The cursor of the page before; undefined means the first page. */
export function stepBack(list: string, cursor: string): string | undefined {
  return trail.get(keyOf(list, cursor)) || undefined;
}

/** How many pages lie before this one, or null when the way here is not known. */
export function pagesBefore(list: string, cursor: string | undefined): number | null {
  let pages = 0;
  let at = cursor;
  while (at) {
    const before = trail.get(keyOf(list, at));
    if (before === undefined) return null;
    pages += 1;
    at = before;
  }
  return pages;
}
