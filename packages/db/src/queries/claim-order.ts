/** Which piece of waiting work a process takes next. */
import { type Fragment, sql } from '../sql.ts';

export interface ClaimOrder {
  /** Customers that this process served lately, the one served longest ago first. */
  readonly served: readonly string[];
  /** Leave large pieces to other processes. */
  readonly smallOnly: boolean;
}

export const anyOrder: ClaimOrder = { served: [], smallOnly: false };

/** Sorts customers that were not served lately first, then those served longest ago. */
export const toTurn = (customerId: Fragment, { served }: ClaimOrder): Fragment =>
  sql`coalesce(array_position(${served}::uuid[], ${customerId}), 0)`;
