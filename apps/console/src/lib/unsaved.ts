const held = new Set<() => boolean>();

/** Something on the page may hold what was entered and is not saved; called when it goes. */
export function holdUnsaved(isUnsaved: () => boolean): () => void {
  held.add(isUnsaved);
  return () => {
    held.delete(isUnsaved);
  };
}

/** Whether leaving the page by itself would lose what somebody entered. */
export function hasUnsaved(): boolean {
  return [...held].some((isUnsaved) => isUnsaved());
}
