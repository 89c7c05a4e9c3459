import type { DateStyle, Formats } from '../../lib/format/make-formats.ts';

/** Returns the format of a receipt's time next to that of its request: with its day if that differs in the zone. */
export const receiptStyle = (requested: string, received: string | null, { date }: Pick<Formats, 'date'>): DateStyle =>
  received !== null && date(requested, 'date') !== date(received, 'date') ? 'moment' : 'time';
