import type pg from 'pg';
import { RoutingTable } from './routing-table.ts';

/** How old the list that visitors see may become. */
const refreshMs = 30_000;
/** Nobody's id: no price agreed with one customer counts. */
const nobody = '';

/** Price of a segment in the Philippines for who has no price of their own, 1/10,000 PHP. */
export type PriceOf = (carrier: string | null, smsType: number) => number;

/** The list prices, read at most every 30 seconds; while the database is away, those read last. */
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
