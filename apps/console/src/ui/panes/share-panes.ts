/** `done` delivered, `half` handed over and awaiting, `bad` failed, `now` moving this moment, `held` waiting on purpose. */
export type PaneKind = 'done' | 'half' | 'bad' | 'now' | 'held' | 'grey';

export interface PanePart {
  kind: PaneKind;
  count: number;
}

/**
 * Shares `panes` panes among the parts of `total` by largest remainder. A part that is not empty gets at least one
 * pane (one failure in a million must be seen), taken from the largest. What remains is empty panes.
 */
export function sharePanes(parts: readonly PanePart[], total: number, panes: number): PaneKind[] {
  if (total <= 0) return [];
  const exact = parts.map((part) => Math.max(0, part.count) * (panes / total));
  const shares = exact.map((value) => Math.floor(value));
  const filled = Math.min(panes, Math.round(exact.reduce((sum, value) => sum + value, 0)));
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder);
  let left = filled - shares.reduce((sum, value) => sum + value, 0);
  for (const { index } of byRemainder) {
    if (left <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  parts.forEach((part, index) => {
    if (part.count <= 0 || (shares[index] ?? 0) > 0) return;
    shares[index] = 1;
    const used = shares.reduce((sum, value) => sum + value, 0);
    if (used <= panes) return;
    const largest = shares.indexOf(Math.max(...shares));
    shares[largest] = (shares[largest] ?? 1) - 1;
  });
  return parts.flatMap((part, index) => Array.from({ length: shares[index] ?? 0 }, () => part.kind));
}

/**
 * Returns the places that a narrow strip omits: of each two neighbours the one whose kind has more panes, but never the
 * last of a kind, so that everything visible on a wide screen is visible on a phone. `kinds` ends before the empty
 * panes.
 */
export function sparePanes(kinds: readonly PaneKind[], panes: number): Set<number> {
  const kindAt = (place: number): PaneKind | 'empty' => kinds[place] ?? 'empty';
  const left = new Map<string, number>();
  for (let place = 0; place < panes; place += 1) left.set(kindAt(place), (left.get(kindAt(place)) ?? 0) + 1);
  const leftOf = (place: number): number => left.get(kindAt(place)) ?? 0;
  const spare = new Set<number>();
  for (let place = 0; place + 1 < panes; place += 2) {
    const least = leftOf(place) > leftOf(place + 1) ? place : place + 1;
    if (leftOf(least) < 2) continue;
    spare.add(least);
    left.set(kindAt(least), leftOf(least) - 1);
  }
  return spare;
}
