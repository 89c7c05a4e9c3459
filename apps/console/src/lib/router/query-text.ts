/** Whole query string of a view: plain strings, an absent key is `undefined`. */
export type SearchParams = Record<string, string | undefined>;

/**
 * Parses `?a=1&b=x`, nothing JSON-like, so that addresses can be read, typed and shared. The last of duplicate keys
 * counts.
 */
export function parseSearchParams(query: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(query));
}

export function stringifySearchParams(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) params.set(key, `${value}`);
  }
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}
