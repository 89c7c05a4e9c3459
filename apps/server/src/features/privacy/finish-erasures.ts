/** Erasures that waited for messages in progress: checked every minute until nothing of the number is left. */
import { claimErasures } from '@pahatid/db/queries/erasures';
import type { Secrets } from '../../secrets/secrets.ts';
import type { JobContext } from '../../sending/job-context.ts';
import { eraseNumber } from './erase-number.ts';

const everyMs = 60_000;

export async function finishErasures(
  { pool, log, offsetMs }: JobContext,
  secrets: Pick<Secrets, 'open' | 'hashNumber'>,
): Promise<boolean> {
  const open = await claimErasures(pool, everyMs, offsetMs);
  for (const { erasureId, customerId, numberSealed: sealed } of open) {
    if (sealed === null) continue;
    const msisdn = secrets.open('erased-number', sealed);
    const hash = secrets.hashNumber(customerId, msisdn);
    const now = new Date(Date.now() + offsetMs);
    const done = await eraseNumber(pool, { erasureId, customerId, msisdn, hash, now });
    log.info({ erasureId, done }, 'number erased');
  }
  return open.length > 0;
}
