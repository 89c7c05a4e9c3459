/** Words that a page says for the one before it, which was left by a load; kept for this tab. */
const storeKey = 'pahatid.words';

export interface KeptWords {
  words: string;
  /** The language they are in. */
  lang: string;
}

export function keepWords(kept: KeptWords): void {
  try {
    sessionStorage.setItem(storeKey, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing: they go unsaid, and what they tell of is done all the same.
  }
}

/** What is to be said, once. */
export function takeKeptWords(): KeptWords | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storeKey) ?? 'null') as KeptWords | null;
    sessionStorage.removeItem(storeKey);
    return kept;
  } catch {
    return null;
  }
}
