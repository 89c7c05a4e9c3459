import type { SavedFilterValues } from '@pahatid/contract';
import { dayStart } from '../../lib/format/zoned-time.ts';

/** Filters of the list as named in the address. */
export const recordFilterNames = [
  ...(['phoneAddress', 'messageId', 'from', 'to', 'clientStatus', 'sendStatus', 'carrier', 'smsType'] as const),
  ...(['clientSid', 'taskId', 'templateId', 'appId', 'areaCode', 'customerId', 'routeId', 'clientRef'] as const),
] as const;

export type RecordFilterName = (typeof recordFilterNames)[number];
export type RecordView = Partial<Record<RecordFilterName, string | undefined>>;

/** Days of the period presets; today is one. */
const presetDays = [1, 7, 14, 30, 90];

/**
 * The part of a view that is saved under a name. A period that ends now is saved as its number of days, so that it
 * moves on with the calendar; a phone number, a message or a reference is not saved.
 */
export function viewToValues(view: RecordView, zone: string, now: number = Date.now()): SavedFilterValues {
  const { phoneAddress: _, messageId: __, clientRef: ___, from, to, ...others } = view;
  const days =
    from !== undefined && to === undefined
      ? presetDays.find((each) => dayStart(zone, each - 1, now) === from)
      : undefined;
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries({ ...others, ...(days === undefined && { from, to }) }))
    if (value !== undefined && value !== '') values[name] = value;
  // The API validates values typed into the address.
  return { ...values, ...(days !== undefined && { days }) };
}

/** The address of a saved filter: every filter, set or taken away. */
export function valuesToView(
  { days, ...values }: SavedFilterValues,
  zone: string,
  now: number = Date.now(),
): RecordView {
  const view: RecordView = {};
  for (const name of recordFilterNames) view[name] = (values as RecordView)[name];
  return days === undefined ? view : { ...view, from: dayStart(zone, days - 1, now) };
}

/** Whether a view equals the saved filter, however it was reached. */
export function isShown(values: SavedFilterValues, view: RecordView, zone: string): boolean {
  const saved = valuesToView(values, zone);
  return recordFilterNames.every((name) => (saved[name] ?? '') === (view[name] ?? ''));
}
