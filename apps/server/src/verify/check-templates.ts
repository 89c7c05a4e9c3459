/** Counters of templates against the messages that software sent with them, by whole UTC days. */
import { noTemplateDelta, type TemplateDelta } from '@pahatid/db';
import type { MessageSums } from '@pahatid/db/queries/verify/batches';
import type { TemplateDayRow } from '@pahatid/db/queries/verify/counters';
import type { Findings } from './difference.ts';

const columns = Object.keys(noTemplateDelta()) as (keyof TemplateDelta)[];

/** What a stretch of messages adds up to, by template and day. */
export class DerivedTemplates {
  private readonly days = new Map<string, TemplateDelta>();

  add({ templateId, minuteMs, success, delivered, undelivered, unknown }: MessageSums): void {
    if (templateId === null) return;
    const key = keyOf(templateId, new Date(minuteMs).toISOString().slice(0, 10));
    const sum = this.days.get(key) ?? noTemplateDelta();
    sum.success += success;
    sum.delivered += delivered;
    sum.undelivered += undelivered;
    sum.unknown += unknown;
    this.days.set(key, sum);
  }

  /** Compares from the day `since` on: `2026-01-31`. A missing counter equals zeros. */
  compare(findings: Findings, customerId: string, stored: readonly TemplateDayRow[], since: string): void {
    const kept = new Map(stored.map((row) => [keyOf(row.templateId, row.day), row]));
    for (const key of new Set([...kept.keys(), ...this.days.keys()])) {
      const [day = '', templateId = ''] = key.split(' ');
      if (day < since) continue;
      const was = kept.get(key) ?? noTemplateDelta();
      const is = this.days.get(key) ?? noTemplateDelta();
      for (const column of columns) {
        const delta = { ...noTemplateDelta(), [column]: is[column] - was[column] };
        const fix = { how: 'templateCounts', customerId, templateId, day, delta } as const;
        const at = { check: 'templateCounts', customerId, templateId, what: `${column} on ${day}`, fix } as const;
        findings.compare(at, was[column], is[column]);
      }
    }
  }
}

const keyOf = (templateId: string, day: string): string => `${day} ${templateId}`;
