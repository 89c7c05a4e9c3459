/**
 * The API returns a cursor to the next page, never to the previous one. The previous cursors are stored here until the
 * page is closed; after a reload in the middle of a list, "Newer" leads to its beginning.
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

/** Returns the number of pages before this one, or null if the path here is unknown. */
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
