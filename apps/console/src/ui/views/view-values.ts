import { type SavedFilterValues, type SavedList, savedListFilters } from '@pahatid/contract';
import { dayStart } from '../../lib/format/zoned-time.ts';

/** Filters of a list as in the address. */
export type ListView = Partial<Record<string, string | undefined>>;

/** Filters of lists that no saved view holds: what looks for one number, one message, one reference. */
const neverSaved = ['phoneAddress', 'messageId', 'clientRef', 'mobileNumber', 'requestId', 'search'] as const;

export const isSavedList = (name: string): name is SavedList => name in savedListFilters;

/** Every filter that a list of this name may have in the address. */
export const filterNames = (list: SavedList): readonly string[] => [
  ...new Set<string>([...neverSaved, ...savedListFilters[list]]),
];

/** Days of the period presets; today is one. */
const presetDays = [1, 7, 14, 30, 90];

/**
 * The part of a view that is saved under a name. A period that ends now is saved as its number of days, so that it
 * moves on with the calendar; a phone number, a message or a reference is not saved.
 */
export function viewToValues(
  list: SavedList,
  view: ListView,
  zone: string,
  now: number = Date.now(),
): SavedFilterValues {
  const { from, to } = view;
  const days =
    from !== undefined && to === undefined
      ? presetDays.find((each) => dayStart(zone, each - 1, now) === from)
      : undefined;
  const values: Record<string, string | number> = {};
  for (const name of savedListFilters[list]) {
    const value = view[name];
    if (value !== undefined && value !== '' && (days === undefined || name !== 'from')) values[name] = value;
  }
  // The API validates values typed into the address.
  return { ...values, ...(days !== undefined && { days }) };
}

/** The address of a saved view: every filter, set or taken away. */
export function valuesToView(
  list: SavedList,
  { days, ...values }: SavedFilterValues,
  zone: string,
  now: number = Date.now(),
): ListView {
  const view: ListView = {};
  for (const name of filterNames(list)) view[name] = (values as ListView)[name];
  return days === undefined ? view : { ...view, from: dayStart(zone, days - 1, now) };
}

/** Whether a list's filters equal those of a saved view, however they were reached. */
export function isShown(list: SavedList, values: SavedFilterValues, view: ListView, zone: string): boolean {
  const saved = valuesToView(list, values, zone);
  return filterNames(list).every((name) => (saved[name] ?? '') === (view[name] ?? ''));
}
