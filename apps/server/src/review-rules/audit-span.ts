import type { Span } from '@pahatid/contract';

/** The place in a text that a rejection is about, as it is stored. */
export const toAuditSpan = (row: { auditFrom: number | null; auditTo: number | null }): Span | null =>
  row.auditFrom === null || row.auditTo === null ? null : { from: row.auditFrom, to: row.auditTo };
