import { listPausedLanes } from '@pahatid/db/queries/restores';
import type { Pool } from 'pg';

/** A released lane is noticed after so long. Lanes are paused only while nothing runs. */
const KEPT_MS = 5_000;

/** Lanes that are paused because the database was restored. */
export function makePausedLanes(pool: Pool): () => Promise<ReadonlySet<number>> {
  let lanes: Promise<ReadonlySet<number>> | null = null;
  let readAt = 0;
  const read = async (): Promise<ReadonlySet<number>> => {
    try {
      return new Set(await listPausedLanes(pool));
    } catch (error) {
      lanes = null;
      throw error;
    }
  };
  return () => {
    if (lanes === null || performance.now() - readAt > KEPT_MS) {
      readAt = performance.now();
      lanes = read();
    }
    return lanes;
  };
}
