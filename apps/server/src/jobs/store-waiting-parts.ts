/** Long texts of which parts never came: stored as they are once they have waited long enough, and forgotten a day later. */
import { withTransaction } from '@pahatid/db';
import { listDueParts } from '@pahatid/db/queries/inbound-parts';
import { settleParts } from '../sending/inbound-parts.ts';
import type { JobContext } from './context.ts';

const textsAtOnce = 200;

/** True when there may be more. One that fails keeps none of the others waiting. */
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
  if (stored > 0) log.info({ stored }, 'texts of which parts are missing');
  if (failures.length > 0) throw failures[0];
  return due.length === textsAtOnce;
}
