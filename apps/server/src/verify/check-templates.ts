/** Days of templates against the messages that software sent with them. */
import { noTemplateDelta, type TemplateDelta } from '@pahatid/db';
import type { TemplateDayRow } from '@pahatid/db/queries/verify/counters';
import type { Findings } from './difference.ts';

const columns = Object.keys(noTemplateDelta()) as (keyof TemplateDelta)[];

export function checkTemplates(findings: Findings, customerId: string, faults: readonly TemplateDayRow[]): void {
  for (const { templateId, day, kept, derived } of faults) {
    for (const column of columns) {
      const delta = { ...noTemplateDelta(), [column]: derived[column] - kept[column] };
      const fix = { how: 'templateCounts', customerId, templateId, day, delta } as const;
      const at = { check: 'templateCounts', customerId, templateId, what: `${column} on ${day}`, fix } as const;
      findings.compare(at, kept[column], derived[column]);
    }
  }
}
