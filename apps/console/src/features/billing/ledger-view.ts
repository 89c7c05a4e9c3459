import type { useListView } from '../../lib/router/use-list-view.ts';

/** Filters of the ledger, and what else of the screen is in the address. */
export type LedgerView = ReturnType<
  typeof useListView<'kind' | 'from' | 'to' | 'taskId', 'customerId' | 'range' | 'by'>
>;
