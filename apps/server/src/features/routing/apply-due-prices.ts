/** Planned prices come into force at their time. */
import { withTransaction } from '@pahatid/db';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { applyDuePrices } from '@pahatid/db/queries/price-changes';
import type { JobContext } from '../../sending/job-context.ts';

/** True when any did. */
export async function applyPrices({ pool, log, offsetMs }: JobContext): Promise<boolean> {
  const applied = await withTransaction(pool, (tx) => applyDuePrices(tx, offsetMs));
  if (applied === 0) return false;
  log.info({ prices: applied }, 'scheduled prices applied');
  // Accepting processes read again within seconds without a notification.
  await notify(pool, ROUTING_CHANNEL, '').catch((err: unknown) =>
    log.warn({ err }, 'notification of applied prices failed, routing reloads later'),
  );
  return true;
}
