/** What failed for one of several rows, and why. */
export interface BulkFailure<R> {
  row: R;
  error: unknown;
}

/** Calls that run at a time: as many rows as a page has would take the connections of the other reads. */
const atOnce = 4;

/** Acts on each row, a few at a time, whatever happens to the others; returns the failures in the order of the rows. */
export async function runForEach<R>(rows: readonly R[], act: (row: R) => Promise<unknown>): Promise<BulkFailure<R>[]> {
  const outcomes: (BulkFailure<R> | undefined)[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < rows.length; at = next++) {
      const row = rows[at]!;
      try {
        await act(row);
      } catch (error) {
        outcomes[at] = { row, error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, work));
  return outcomes.filter((outcome) => outcome !== undefined);
}
