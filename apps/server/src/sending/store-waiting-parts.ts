/** Long texts of which parts never came: stored as they are once they have waited long enough, and forgotten a day later. */
import { withTransaction } from '@pahatid/db';
import { listDueParts } from '@pahatid/db/queries/inbound-parts';
import type { JobContext } from './job-context.ts';
import { settleParts } from './replies/inbound-parts.ts';

const textsAtOnce = 200;

/** Returns true if there may be more. A failing item does not delay the others. */
export async function storeWaitingParts({ pool, log, offsetMs }: JobContext): Promise<boolean> {
  const due = await listDueParts(pool, textsAtOnce, offsetMs);
  const failures: unknown[] = [];
  let stored = 0;
  for (const key of due) {
    try {
      const done = await withTransaction(pool, (tx) => settleParts(tx, key, offsetMs, log));
      if (done === 'stored') stored += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (stored > 0) log.info({ stored }, 'incomplete replies stored, parts missing');
  if (failures.length > 0) throw failures[0];
  return due.length === textsAtOnce;
}
