/** Rows that are read for every call: in memory for a second, then read again. */

const freshForMs = 1_000;
/** Rows in memory. */
const knownLimit = 5_000;

/** Returns the row: at most a second old, or current if `mustBeNew`. */
export type FindFresh<Row> = (id: string, mustBeNew?: boolean) => Promise<Row | null>;

export function makeFreshRows<Row>(read: (id: string) => Promise<Row | null>): FindFresh<Row> {
  const known = new Map<string, { readonly row: Promise<Row | null>; readonly atMs: number }>();
  return (id, mustBeNew = false) => {
    const nowMs = performance.now();
    const before = known.get(id);
    if (!mustBeNew && before !== undefined && nowMs - before.atMs < freshForMs) return before.row;
    const entry = { row: read(id), atMs: nowMs };
    known.delete(id);
    known.set(id, entry);
    if (known.size > knownLimit) known.delete(known.keys().next().value ?? '');
    // Neither a failure nor an absence is remembered: the next call reads again, and ids that do not exist fill nothing.
    const forget = (): void => {
      if (known.get(id) === entry) known.delete(id);
    };
    entry.row.then((row) => row ?? forget(), forget);
    return entry.row;
  };
}

/** The time of last use is noted so often. */
const touchEveryMs = 60_000;

/** Returns whether a use is to be noted: once a minute for each id. `lastMs`: the last one that the database has. */
export function makeTouches(): (id: string, nowMs: number, lastMs: number | null) => boolean {
  const touched = new Map<string, number>();
  return (id, nowMs, lastMs) => {
    if (nowMs - (touched.get(id) ?? lastMs ?? 0) < touchEveryMs) return false;
    if (touched.size > knownLimit) touched.clear();
    touched.set(id, nowMs);
    return true;
  };
}
