/**
 * Items that a user opened by the palette, newest first, stored on this device for this user only. Phone numbers are
 * never stored: a message is identified by its id.
 */
export interface RecentItem {
  kind: string;
  id: string;
  title: string;
}

const most = 5;
const keyOf = (userId: string) => `pahatid_recent_${userId}`;

const isItem = (value: unknown): value is RecentItem =>
  typeof value === 'object' &&
  value !== null &&
  (['kind', 'id', 'title'] as const).every((field) => typeof (value as Record<string, unknown>)[field] === 'string');

export function readRecent(userId: string): RecentItem[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isItem).slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberRecent(userId: string, item: RecentItem): void {
  const others = readRecent(userId).filter(({ kind, id }) => kind !== item.kind || id !== item.id);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify([item, ...others].slice(0, most)));
  } catch {
    // Nothing is remembered then.
  }
}
