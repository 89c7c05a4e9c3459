import type { SavedFilter, SavedList } from '@pahatid/contract';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useZone } from '../../lib/format/zone.ts';
import { usePatchSearch, useSearchParams } from '../../lib/router/use-search-params.ts';
import { filterNames, isShown, type ListView, valuesToView, viewToValues } from './view-values.ts';

/** What opens a list without asking for a part of it. */
const places = new Set(['tab', 'customerId']);

/** A list's saved views, which of them it shows, and how to change to another. */
export function useListViews(list: SavedList, switched: readonly string[]) {
  const zone = useZone();
  const patchSearch = usePatchSearch();
  const [address] = useSearchParams([...filterNames(list), 'sort', 'saved']);
  const { sort, saved: viewId, ...view }: ListView = address;
  const read = useCall('GET /saved-filters', { query: { list } }, { staleTime: 60_000 });
  const items = read.data?.items ?? [];

  const isSame = (one: SavedFilter): boolean =>
    isShown(list, one.filters, view, zone) && (one.sort ?? undefined) === sort;
  const hasColumns = ({ columns }: SavedFilter): boolean => columns === null || isSameSet(columns, switched);
  const isNarrowed = sort !== undefined || filterNames(list).some((name) => view[name] !== undefined);
  const chosen = items.find(({ filterId }) => filterId === viewId);
  const isAsSaved = chosen !== undefined && isSame(chosen);
  const current =
    chosen === undefined ? (isNarrowed ? items.find(isSame) : undefined) : isAsSaved || isNarrowed ? chosen : undefined;
  const isChanged = current !== undefined && current === chosen && !(isAsSaved && hasColumns(chosen));

  const show = (one: SavedFilter | undefined, replace = false): void => {
    const filters = one === undefined ? {} : valuesToView(list, one.filters, zone);
    const none = Object.fromEntries(filterNames(list).map((name) => [name, undefined]));
    const rest = { sort: one?.sort ?? undefined, saved: one?.filterId, cursor: undefined, open: undefined };
    void patchSearch({ ...none, ...filters, ...rest }, { replace });
  };
  useDefault(read.data?.items, (first) => show(first, true));

  return {
    items,
    current,
    isChanged,
    /** Whether a phone number is among the filters, which is not saved. */
    hasPhone: (view['phoneAddress'] ?? view['mobileNumber']) !== undefined,
    show,
    content: () => ({ filters: viewToValues(list, view, zone), sort: sort ?? null, columns: [...switched] }),
  };
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each) => b.includes(each));

/** Shows the user's default view once, when the list is opened without asking for a part of it. */
function useDefault(items: readonly SavedFilter[] | undefined, show: (view: SavedFilter) => void): void {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const isAsked = Object.entries(search).some(([name, value]) => value !== undefined && !places.has(name));
  const isOpen = useRef(!isAsked);
  useEffect(() => {
    if (isAsked) isOpen.current = false;
    if (!isOpen.current || items === undefined) return;
    isOpen.current = false;
    const first = items.find(({ isDefault }) => isDefault === 1);
    if (first) show(first);
  });
}
