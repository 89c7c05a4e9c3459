/** Keeps balances of past days and statements fast: the ledger of ended days is folded into sums and snapshots. */
import { withTransaction } from '@pahatid/db';
import {
  deleteOldLedger,
  findLedgerFoldEnd,
  foldLedger,
  listOldLedgers,
  listUnfoldedLedgers,
} from '@pahatid/db/queries/ledger-folding';
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

/** As long as accounts must be kept. */
const keptYears = 10;

/** Deletes folded entries that are ten years old. Returns the number. */
export async function deleteOldEntries({ pool, log, offsetMs, signal }: JobContext, rows = 5_000): Promise<number> {
  const end = await findLedgerFoldEnd(pool, offsetMs);
  const before = `${Number(end.slice(0, 4)) - keptYears}-${end.slice(5, 7)}-01`;
  let deleted = 0;
  for (const customerId of await listOldLedgers(pool, before, customersAtOnce))
    for (let count = rows; count === rows && signal?.aborted !== true; deleted += count)
      count = await withTransaction(pool, (tx) => deleteOldLedger(tx, customerId, before, rows));
  if (deleted > 0) log.info({ deleted }, 'old entries of the ledger deleted');
  return deleted;
}
