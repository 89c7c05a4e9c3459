/**
 * Usage of templates: by tasks, whose counters are stored with them, and by software, whose messages are counted
 * elsewhere.
 */
import type { TemplateRow } from '@pahatid/db';
import { listSoftwareUsage, listTaskUsage, type TemplateUsageRow } from '@pahatid/db/queries/application-usage';
import type { Call } from '../../http/call.ts';

type Scopes = Pick<Call<'GET /templates'>, 'inScope' | 'inDataScope'>;

/** By template; one that nothing was sent with may be left out. */
export async function readUsage(
  { inScope, inDataScope }: Scopes,
  rows: readonly TemplateRow[],
): Promise<ReadonlyMap<string, TemplateUsageRow>> {
  if (rows.length === 0) return new Map();
  const both = [
    ...(await inScope((tx) => listTaskUsage(tx, rows))),
    ...(await inDataScope((tx) => listSoftwareUsage(tx, rows))),
  ];
  const usage = new Map<string, TemplateUsageRow>();
  for (const row of both) usage.set(row.templateId, add(usage.get(row.templateId), row));
  return usage;
}

const add = (a: TemplateUsageRow | undefined, b: TemplateUsageRow): TemplateUsageRow =>
  a === undefined
    ? b
    : {
        templateId: a.templateId,
        taskCount: a.taskCount + b.taskCount,
        accepted: a.accepted + b.accepted,
        delivered: a.delivered + b.delivered,
        undelivered: a.undelivered + b.undelivered,
        unknown: a.unknown + b.unknown,
        lastAt: laterOf(a.lastAt, b.lastAt),
      };

const laterOf = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a);
