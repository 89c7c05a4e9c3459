import type { ListOrder, OrderedList } from '../api/list-orders.ts';
import { makeListOrder } from './list-order.ts';
import { type SetSearchParams, useSearchParams } from './use-search-params.ts';

/**
 * The view state of a list in the address: its filters, its page, and other state of the screen (`open`); with `list`,
 * its order too. `query` is for the API, which validates values typed into the address. A list `byCustomer` also includes the customer that staff
 * chose in the shell, which clearing the filters does not change.
 */
export function useListView<const F extends string, const O extends string>(
  filters: readonly F[],
  others: readonly O[],
  { byCustomer = false, list }: { byCustomer?: boolean; list?: OrderedList } = {},
) {
  const [view, setView] = useSearchParams<F | O | 'cursor' | 'sort'>([...filters, ...others, 'cursor', 'sort']);
  const [{ customerId }] = useSearchParams(['customerId']);
  const values = view as Partial<Record<string, string>>;
  const query: Record<string, string> = {};
  for (const name of [...filters, 'cursor']) if (values[name] !== undefined) query[name] = values[name];
  if (byCustomer && customerId !== undefined) query['customerId'] = customerId;
  const filtered = filters.some((name) => values[name] !== undefined);

  let order: ListOrder | undefined;
  if (list !== undefined) {
    const made = makeListOrder(list, values['sort'], (sort) =>
      (setView as SetSearchParams<string>)({ sort, cursor: undefined }, { replace: true }),
    );
    order = made.order;
    if (made.sort !== undefined) query['sort'] = made.sort;
  }

  /** Sets filters and returns to the first page. */
  const narrow = (patch: Partial<Record<F, string | undefined>>): void =>
    (setView as SetSearchParams<string>)({ ...patch, cursor: undefined }, { replace: true });
  const clear = (): void =>
    narrow(Object.fromEntries(filters.map((name) => [name, undefined])) as Record<F, undefined>);

  return {
    view,
    setView,
    query: query as Partial<Record<F | 'cursor' | 'customerId' | 'sort', string>>,
    order,
    filtered,
    narrow,
    clear,
  };
}
