/**
 * Splits the unsent rest of a batch whose supplier is failing. A batch is a range of IDs with one route, so the rest is
 * cut where the next route changes: into runs of consecutive messages with the same route.
 */

export interface UnsentMessage<Way> {
  /** Place in the batch. */
  readonly position: number;
  /** The routes it may take now, as a name that equal choices share; null: none, it stays. */
  readonly way: Way | null;
}

export interface BatchRun<Way> {
  /** First position; the run extends to the next one's, or to the end of the batch. */
  readonly from: number;
  readonly way: Way | null;
}

/** Runs in order, the first of which begins at `from`; messages in between that are not unsent belong to the run before. */
export const cutIntoRuns = <Way>(
  unsent: readonly UnsentMessage<Way>[],
  isSame: (a: Way | null, b: Way | null) => boolean,
): BatchRun<Way>[] => {
  const runs: BatchRun<Way>[] = [];
  for (const { position, way } of unsent) {
    const last = runs.at(-1);
    if (last === undefined || !isSame(last.way, way)) runs.push({ from: position, way });
  }
  return runs;
};
