const held = new Set<() => boolean>();

const askBeforeUnload = (event: BeforeUnloadEvent): void => {
  if (hasUnsaved()) event.preventDefault();
};

/** Something on the page may hold what was entered and is not saved; the browser asks before the page is left. */
export function holdUnsaved(isUnsaved: () => boolean): () => void {
  held.add(isUnsaved);
  // A page with such a listener is not kept for the Back button, so it is there only while it may be needed.
  if (held.size === 1) globalThis.addEventListener?.('beforeunload', askBeforeUnload);
  return () => {
    held.delete(isUnsaved);
    if (held.size === 0) globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
  };
}

/** Whether leaving the page by itself would lose what somebody entered. */
export function hasUnsaved(): boolean {
  return [...held].some((isUnsaved) => isUnsaved());
}

/** The user decided to leave, or is no longer the one that entered it: nothing asks any more. */
export function releaseUnsaved(): void {
  held.clear();
  globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
}
