/**
 * What becomes of the unsent rest of a batch whose supplier fails. A batch is a range of ids with one route, so the rest
 * is cut where the next route changes: into runs of messages that follow each other and go the same way.
 */

export interface UnsentMessage<Way> {
  /** Place in the batch. */
  readonly position: number;
  /** The routes it may take now, as a name that equal choices share; null: none, it stays. */
  readonly way: Way | null;
}

export interface BatchRun<Way> {
  /** First position; the run goes on to the next one's, or to the end of the batch. */
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
