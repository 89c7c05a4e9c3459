/** Erasures that were asked for after a backup, asked for again on the database restored from it. */
import { findCustomer, uuidV7, withTransaction } from '@pahatid/db';
import { takeErasure } from '@pahatid/db/queries/erasures';
import { findUserName } from '@pahatid/db/queries/restores';
import { maskMsisdn } from '@pahatid/domain';
import type { Pool } from 'pg';
import type { ListedErasure } from '../../process/erasure-list.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { eraseNumber } from './erase-number.ts';

/** Older requests may have been committed after the state that came back. */
const MARGIN_MS = 300_000;

/**
 * Erases what the tables have of each number; messages under way, in doubt ones among them, go when they have ended.
 * Returns how many requests there were.
 */
export async function replayErasures(
  pool: Pool,
  secrets: Pick<Secrets, 'seal' | 'hashNumber'>,
  listed: readonly ListedErasure[],
  backupAt: Date,
): Promise<number> {
  let replayed = 0;
  for (const { customerId, msisdn, askedBy, at } of listed) {
    if (new Date(at).getTime() < backupAt.getTime() - MARGIN_MS) continue;
    // A customer that the backup does not know has no numbers there.
    if ((await findCustomer(pool, customerId)) === null) continue;
    const hash = secrets.hashNumber(customerId, msisdn);
    const { erasureId } = await withTransaction(pool, async (tx) =>
      takeErasure(tx, {
        erasureId: uuidV7(),
        customerId,
        shownNumber: maskMsisdn(msisdn),
        hash,
        sealed: secrets.seal('erased-number', msisdn),
        askedBy: (await findUserName(tx, askedBy)) === null ? null : askedBy,
        at: new Date(at),
      }),
    );
    await eraseNumber(pool, { erasureId, customerId, msisdn, hash, now: new Date() });
    replayed += 1;
  }
  return replayed;
}
