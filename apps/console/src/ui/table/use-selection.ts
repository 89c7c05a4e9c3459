import { useState } from 'react';

/**
 * Returns the selection after a press on the row `at`; with `from`, the row pressed before, all rows between the two
 * become as that press left the pressed one.
 */
export function pressRow(
  keys: readonly string[],
  selected: ReadonlySet<string>,
  at: string,
  from: string | null,
): Set<string> {
  const next = new Set(selected);
  const isOn = !next.has(at);
  const [a, b] = [keys.indexOf(at), from === null ? -1 : keys.indexOf(from)];
  const pressed = b === -1 ? [at] : keys.slice(Math.min(a, b), Math.max(a, b) + 1);
  for (const key of pressed) {
    if (isOn) next.add(key);
    else next.delete(key);
  }
  return next;
}

export interface Selection<R> {
  /** Selected rows of the page that is shown; rows that left the page are no longer selected. */
  rows: R[];
  has: (key: string) => boolean;
  /** `isRange`: from the row pressed before to this one. */
  press: (key: string, isRange: boolean) => void;
  /** Selects the whole page, or none of it. */
  pressAll: () => void;
  /** Leaves only these. */
  keep: (keys: readonly string[]) => void;
}

/** Selected rows of a page of a list. */
export function useSelection<R>(items: readonly R[], rowKey: (row: R) => string): Selection<R> {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const keys = items.map(rowKey);
  const shown = new Set(keys.filter((key) => selected.has(key)));
  // A row that left the page must not come back selected.
  if (shown.size < selected.size) setSelected(shown);
  return {
    rows: items.filter((row) => shown.has(rowKey(row))),
    has: (key) => shown.has(key),
    press: (key, isRange) => {
      setSelected(pressRow(keys, shown, key, isRange ? last : null));
      setLast(key);
    },
    pressAll: () => setSelected(shown.size === keys.length ? new Set() : new Set(keys)),
    keep: (kept) => setSelected(new Set(kept)),
  };
}
