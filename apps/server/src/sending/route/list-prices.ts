import type pg from 'pg';
import { RoutingTable } from './routing-table.ts';

/** How old the list that visitors see may become. */
const refreshMs = 30_000;
/** An id of no customer: prices agreed with a single customer do not count. */
const nobody = '';

/** Price of a segment in the Philippines for a customer without own prices, 1/10,000 PHP. */
export type PriceOf = (carrier: string | null, smsType: number) => number;

/** Returns the list prices, read at most every 30 seconds; if the database is unreachable, the last ones read. */
export function makeListPrices(pool: pg.Pool): () => Promise<PriceOf> {
  let table: Promise<RoutingTable> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (table === null || performance.now() - readAt > refreshMs) {
      const before = table;
      readAt = performance.now();
      table = RoutingTable.load(pool).catch((error: unknown) => {
        readAt = Number.NEGATIVE_INFINITY;
        if (before !== null) return before;
        table = null;
        throw error;
      });
    }
    const prices = await table;
    return (carrier, smsType) => prices.price('PH', carrier, smsType, nobody);
  };
}
