import { useFormats } from './formats.ts';
import { useZone } from './zone.ts';
import { wallToInstant } from './zoned-time.ts';

/** Writes days of the calendar, which are the same for every reader: `2026-12-25` as 25 Dec 2026. */
export function useDayText(): (day: string) => string {
  const formats = useFormats();
  const zone = useZone();
  return (day) => formats.date(wallToInstant(`${day}T12:00`, zone), 'date');
}
