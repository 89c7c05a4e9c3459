const held = new Set<() => boolean>();

const askBeforeUnload = (event: BeforeUnloadEvent): void => {
  if (hasUnsaved()) event.preventDefault();
};

/** Registers a part of the page that may have unsaved input; the browser asks before the page is left. */
export function holdUnsaved(isUnsaved: () => boolean): () => void {
  held.add(isUnsaved);
  // A page with such a listener is excluded from the back/forward cache, so it is registered only while needed.
  if (held.size === 1) globalThis.addEventListener?.('beforeunload', askBeforeUnload);
  return () => {
    held.delete(isUnsaved);
    if (held.size === 0) globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
  };
}

/** Whether leaving the page automatically would lose user input. */
export function hasUnsaved(): boolean {
  return [...held].some((isUnsaved) => isUnsaved());
}

/** The user decided to leave, or is no longer the one that entered it: nothing asks any more. */
export function releaseUnsaved(): void {
  held.clear();
  globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
}
