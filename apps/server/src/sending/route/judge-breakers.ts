/**
 * Opens and closes the breakers of supplier accounts by their answers, as all senders counted them. Every sender runs
 * this; the old state in the row decides which of them makes a change.
 */
import { loadRouting } from '@pahatid/db';
import { moveBreaker, readBreakers, type SupplierBreakerRow } from '@pahatid/db/queries/supplier-breakers';
import { type Breaker, chooseRoutes, listDestinations, nextBreaker } from '@pahatid/domain';
import type { Pool } from 'pg';
import type { Logger } from 'pino';

/** Returns whether any of them changed. */
export const judgeBreakers = async (pool: Pool, log: Logger): Promise<boolean> => {
  let hasMoved = false;
  for (const row of await readBreakers(pool)) {
    const next = await judge(pool, row);
    if (next === null || !(await moveBreaker(pool, row, next))) continue;
    hasMoved = true;
    report(log, row, next);
  }
  return hasMoved;
};

async function judge(pool: Pool, row: SupplierBreakerRow): Promise<Breaker | null> {
  const next = nextBreaker(row, true);
  // The routes are read only when it matters.
  if (next?.state !== 'open' || (await hasAlternative(pool, row.supplierId))) return next;
  return nextBreaker(row, false);
}

/** Whether some of what would go there has another route now. */
async function hasAlternative(pool: Pool, supplierId: string): Promise<boolean> {
  const { routes, prefixes, failingSuppliers = [] } = await loadRouting(pool);
  const others = new Set(failingSuppliers);
  others.delete(supplierId);
  const failing = new Set([...others, supplierId]);
  return listDestinations([...prefixes, ...routes]).some(
    (to) =>
      chooseRoutes(routes, to, others).routes.some((route) => route.supplierId === supplierId) &&
      !chooseRoutes(routes, to, failing).isFailing,
  );
}

function report(log: Logger, { supplierAccount: supplier, state, figures }: SupplierBreakerRow, next: Breaker): void {
  const { reason, openings } = next;
  if (next.state === 'open') log.error({ supplier, reason, openings, figures }, 'supplier suspended, answers are bad');
  else if (state === 'closed' && next.state === 'halfOpen')
    log.error({ supplier, reason, figures }, 'supplier slowed down to probes, answers are bad');
  else if (next.state === 'halfOpen') log.info({ supplier, reason }, 'supplier probed');
  else if (state !== 'closed') log.info({ supplier, reason }, 'supplier answers well again');
}
