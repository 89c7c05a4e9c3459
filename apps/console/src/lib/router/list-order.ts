import { type ListOrder, listOrders, type OrderedList } from '../api/list-orders.ts';

/** Returns a list's order from its parameter of the address; text that is no order of the list means the usual one. */
export function makeListOrder(
  list: OrderedList,
  chosen: string | undefined,
  onChange: ListOrder['onChange'],
): { order: ListOrder; sort: string | undefined } {
  const orders: readonly string[] = listOrders[list];
  const usual = orders[0]!;
  const current = chosen !== undefined && orders.includes(chosen) ? chosen : usual;
  return {
    order: { orders, current, onChange: (next) => onChange(next === usual ? undefined : next) },
    sort: current === usual ? undefined : current,
  };
}
