import type { ListOrder } from '../../lib/api/list-orders.ts';

/** One column's part in a list's order. */
interface ColumnOrder {
  /** The direction of the list by this column; null while another column decides. */
  direction: 'ascending' | 'descending' | null;
  /** The order that a press of the column's header changes to; null if there is no other. */
  next: string | null;
}

/**
 * Returns null for a column that the list has no order for. Presses go through the column's orders, the first of the
 * list first, and then back to the usual one.
 */
export function toColumnOrder(field: string, { orders, current }: ListOrder): ColumnOrder | null {
  const own = orders.filter((order) => order === field || order === `-${field}`);
  if (own.length === 0) return null;
  const usual = orders[0]!;
  const steps = own.includes(usual) ? own : [...own, usual];
  const at = own.indexOf(current);
  const next = steps[(at + 1) % steps.length]!;
  return {
    direction: at === -1 ? null : toDirection(current),
    next: next === current ? null : next,
  };
}

export const toDirection = (order: string) => (order.startsWith('-') ? 'descending' : 'ascending');
