/** Hours of the statistics against the minutes that were folded into them, and those of all customers against each one's. */
import type { HourFault } from '@pahatid/db/queries/hour-folding';
import type { Findings } from './difference.ts';

/** `customerId` null: hours of all customers together. */
export function checkHours(findings: Findings, customerId: string | null, faults: readonly HourFault[]): void {
  for (const { hour, kept, derived } of faults)
    findings.add({
      check: 'hourCounts',
      customerId,
      minute: hour.toISOString().slice(0, 16),
      // The requests may agree where another sum or a key does not.
      what: customerId === null ? 'hour of all customers' : 'hour',
      kept: `${kept} requests`,
      derived: `${derived} requests`,
      fix: { how: 'hourCounts', customerId, hour },
    });
}
