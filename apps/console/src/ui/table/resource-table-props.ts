import type { ReactNode } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import type { ListOrder } from '../../lib/api/list-orders.ts';
import type { PageSearch } from '../../lib/api/use-filled-page.ts';
import type { BulkActions } from './bulk-action.ts';
import type { RowActions } from './row-action.ts';

export interface Column<R> {
  key: string;
  title: string;
  cell: (row: R) => ReactNode;
  /** Numbers are aligned to the end. */
  align?: 'end';
  /** The field of the list's orders that this column shows, if it is not `key`. */
  sort?: string;
  /** Takes the remaining width and is truncated with an ellipsis; at most one. */
  long?: boolean;
  /** Not shown until chosen in the columns menu. */
  hidden?: boolean;
  /** Always shown, not in the columns menu. */
  fixed?: boolean;
  /**
   * Its place on the card a row becomes on a phone: `title` and `state` share the first line, `body` is a line without
   * its name, `actions` the last, `hide` is left out; by default a line with the column's name.
   */
  card?: 'title' | 'state' | 'body' | 'actions' | 'hide';
}

export interface ListData<R> {
  items: R[];
  nextCursor: string | null;
  total?: number | undefined;
}

export interface ResourceTableProps<R> {
  /** Key of the list under which this device stores columns and density: one word. */
  name: string;
  /** Caption for screen readers. */
  label: string;
  columns: readonly Column<R>[];
  rowKey: (row: R) => string;
  /** The result of `useCall(…, { keepPrevious: true })`. */
  list: {
    data: ListData<R> | undefined;
    error: ApiError | null;
    isFetching: boolean;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  /** Its order; the columns that have one become buttons that change it. */
  order?: ListOrder | undefined;
  /** Makes rows selectable: what can be done with several at a time. */
  bulk?: BulkActions<R> | undefined;
  /** What can be done with one row without opening it: on hover and focus, on a phone in the row's menu. */
  rowActions?: RowActions<R> | undefined;
  /** A `FilterBar`: on the line above the list, before its settings. */
  filters?: ReactNode;
  /** Opens a row (set a search parameter). The first column, or the one with card `title`, becomes its button. */
  onOpen?: (row: R) => void;
  /** Key of the row that is open, from `open` in the address. */
  openKey?: string | undefined;
  /** Rows are not peeked at: an opened one is taken by its reader. */
  noPeek?: boolean;
  /** The cursor in the address, and how to change it. Leave out for lists without pages. */
  cursor?: string | undefined;
  onCursor?: (cursor: string | undefined) => void;
  /** Rows a page, for "21–40 of 144,150". */
  limit?: number;
  /** Left of the bar: a count as text; by default "N rows" if the total is known. */
  fact?: ReactNode;
  /** Sums of the list, first of the line below it: a `TotalsLine`. */
  totals?: ReactNode;
  /** Whether a filter is set: then an empty list reports it and offers to clear it. */
  filtered?: boolean;
  onClearFilters?: () => void;
  /** A search that continues beyond one page: "nothing matches" is shown only once it is done. */
  search?: PageSearch;
  /** Shown when the list is empty and no filter is set: an `EmptyState` with one action. */
  empty: ReactNode;
  /** Rows that arrived since; they wait behind a link. */
  fresh?: { count: number; onShow: () => void };
  /** Starts a csv export; may be asynchronous. Receives the keys of the columns if the selection is not the default. */
  onExport?: (chosen: readonly string[] | undefined) => unknown;
}
