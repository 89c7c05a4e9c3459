/** Keeps balances of past days and statements fast: the ledger of ended days is folded into sums and snapshots. */
import { withTransaction } from '@pahatid/db';
import { findLedgerFoldEnd, foldLedger, listUnfoldedLedgers } from '@pahatid/db/queries/ledger-folding';
import type { JobContext } from '../../sending/job-context.ts';

/** Entries in one transaction, with the rest of their day. */
const rowsAtOnce = 20_000;
const customersAtOnce = 1_000;

/** Folds all that is due, customer by customer. Returns the number of folds. */
export async function foldLedgers({ pool, log, offsetMs, signal }: JobContext, rows = rowsAtOnce): Promise<number> {
  const end = await findLedgerFoldEnd(pool, offsetMs);
  let folds = 0;
  let after: string | null = null;
  for (;;) {
    const customers = await listUnfoldedLedgers(pool, end, after, customersAtOnce);
    for (const customerId of customers)
      while (signal?.aborted !== true && (await withTransaction(pool, (tx) => foldLedger(tx, customerId, end, rows))))
        folds += 1;
    after = customers.at(-1) ?? null;
    if (customers.length < customersAtOnce || signal?.aborted === true) break;
  }
  if (folds > 0) log.debug({ folds }, 'ledger folded by day');
  return folds;
}
