/** A message of the previous page, left by a page load, that the next one shows; stored for this tab. */
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
    // A browser without storage: the message is not shown; the action it reports is done all the same.
  }
}

/** Returns the message to show, once. */
export function takeKeptWords(): KeptWords | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storeKey) ?? 'null') as KeptWords | null;
    sessionStorage.removeItem(storeKey);
    return kept;
  } catch {
    return null;
  }
}
