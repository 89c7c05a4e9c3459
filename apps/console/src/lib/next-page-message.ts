/** A message of the previous page, left by a page load, that the next one shows; stored for this tab. */
const storeKey = 'pahatid.message';

export interface NextPageMessage {
  text: string;
  /** The language of the text. */
  lang: string;
}

export function storeNextPageMessage(message: NextPageMessage): void {
  try {
    sessionStorage.setItem(storeKey, JSON.stringify(message));
  } catch {
    // A browser without storage: the message is not shown; the action it reports is done all the same.
  }
}

/** Returns the message to show, once. */
export function takeNextPageMessage(): NextPageMessage | null {
  try {
    const message = JSON.parse(sessionStorage.getItem(storeKey) ?? 'null') as NextPageMessage | null;
    sessionStorage.removeItem(storeKey);
    return message;
  } catch {
    return null;
  }
}
