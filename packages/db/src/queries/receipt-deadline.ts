import { sql } from '../sql.ts';

/** How long receipts of the supplier account `s` are waited for. */
export const receiptDeadline = sql.raw('make_interval(hours => s.receipt_hours)');
