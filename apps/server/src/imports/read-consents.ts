/** The consents of a file, row by row: each at the time of its cell, or at that of the whole file. */
import type { NewConsent } from '@pahatid/db/queries/consents';
import type { BlockRow } from '../files/blocks.ts';

/** `2026-03-01`, `2026-03-01 14:05`, `2026-03-01T14:05:00+08:00`; without a zone it is a time in Manila. */
const timePattern = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Null: it is no time, or one after `now`. */
export function readConsentTime(cell: string, now: Date): Date | null {
  const [, day, minute = '00:00', second = ':00', zone = '+08:00'] = timePattern.exec(cell.trim()) ?? [];
  if (day === undefined) return null;
  const at = new Date(`${day}T${minute}${second}${zone}`);
  // A day that the month does not have is moved to the next month.
  const isReal = !Number.isNaN(at.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return isReal && at <= now ? at : null;
}

/** Null: a cell cannot be read. */
export function readConsents(
  rows: readonly BlockRow[],
  { givenAt, timeColumn, now }: { givenAt: Date; timeColumn: number | undefined; now: Date },
): NewConsent[] | null {
  const consents: NewConsent[] = [];
  for (const { msisdn, values } of rows) {
    // Erased since the upload.
    if (msisdn === '') continue;
    const cell = timeColumn === undefined ? '' : (values[timeColumn] ?? '');
    const at = cell.trim() === '' ? givenAt : readConsentTime(cell, now);
    if (at === null) return null;
    consents.push({ msisdn, givenAt: at });
  }
  return consents;
}
