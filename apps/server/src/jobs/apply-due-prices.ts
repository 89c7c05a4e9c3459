/** Planned prices come into force at their time. */
import { withTransaction } from '@pahatid/db';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { applyDuePrices } from '@pahatid/db/queries/price-changes';
import type { JobContext } from './context.ts';

/** True when any did. */
export async function applyPrices({ pool, log, offsetMs }: JobContext): Promise<boolean> {
  const applied = await withTransaction(pool, (tx) => applyDuePrices(tx, offsetMs));
  if (applied === 0) return false;
  log.info({ prices: applied }, 'planned prices in force');
  // Whoever accepts messages reads again within seconds without being told.
  await notify(pool, ROUTING_CHANNEL, '').catch((err: unknown) => log.warn({ err }, 'a change of prices was not told'));
  return true;
}
