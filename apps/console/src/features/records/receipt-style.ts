import type { DateStyle, Formats } from '../../lib/format/make-formats.ts';

/** How the time of a receipt stands beside that of its request: with its day where that is another one in the zone. */
export const receiptStyle = (requested: string, received: string | null, { date }: Pick<Formats, 'date'>): DateStyle =>
  received !== null && date(requested, 'date') !== date(received, 'date') ? 'moment' : 'time';
