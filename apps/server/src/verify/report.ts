/** Output of verify: a table for people, or JSON. */
import { CHECKS, type Check, type Difference, type Findings } from './difference.ts';
import { describePlace } from './repair.ts';

const heads = ['CHECK', 'CUSTOMER', 'TASK', 'WHERE', 'WHAT', 'KEPT', 'DERIVED'] as const;

const cellsOf = (difference: Difference): string[] => [
  difference.check,
  difference.customerId ?? '-',
  difference.taskId ?? '-',
  describePlace(difference),
  difference.what,
  difference.kept,
  difference.fix === undefined ? `${difference.derived} (by hand)` : difference.derived,
];

/** Returns at most `limit` lines per check, and the total. */
export const formatTable = (findings: Findings, limit: number): string => {
  const shown = firstOfEach(findings, limit);
  if (shown.length === 0) return '';
  const rows = [[...heads], ...shown.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const more = [...findings.totals].filter(([, total]) => total > limit);
  return [...lines, ...more.map(([check, total]) => `${check}: ${limit} of ${total} shown (--limit shows more)`)].join(
    '\n',
  );
};

const firstOfEach = ({ differences }: Findings, limit: number): Difference[] => {
  const order = Object.keys(CHECKS) as Check[];
  const byCheck = Map.groupBy(differences, (difference) => difference.check);
  return order.flatMap((check) => (byCheck.get(check) ?? []).slice(0, limit));
};

export const formatSummary = (findings: Findings, repaired: number): string => {
  const { looked, days, count, orphans } = findings;
  const figure = (n: number, word: string): string => `${n.toLocaleString('en-US')} ${word}`;
  const lines = [
    `Compared ${[
      figure(looked.messages, 'messages'),
      figure(looked.batches, 'batches'),
      figure(looked.tasks, 'tasks'),
      figure(looked.cells, 'cells of statistics'),
      figure(looked.ledgerEntries, 'ledger entries'),
      figure(looked.routes, 'ways back'),
      figure(looked.receipts, 'kept receipts'),
      figure(looked.auditEntries, 'audit entries'),
    ].join(', ')} of ${figure(looked.customers, 'customers')}. Days: ${[
      figure(days.sealed, 'sealed'),
      figure(days.open, 'open'),
      figure(days.skipped, 'sealed before and skipped'),
    ].join(', ')}.`,
  ];
  if (orphans > 0)
    lines.push(`${figure(orphans, 'receipts')} of unknown messages are older than seven days (no difference).`);
  if (repaired > 0) lines.push(`${figure(repaired, 'differences')} repaired; the audit log has them.`);
  lines.push(count === 0 ? 'Everything agrees.' : `${figure(count, 'differences')}${repaired > 0 ? ' left' : ''}.`);
  return lines.join('\n');
};

const plain = ({ fix, ...difference }: Difference) => ({
  ...difference,
  ...(difference.batchId === undefined ? {} : { batchId: String(difference.batchId) }),
  ...(difference.messageId === undefined ? {} : { messageId: String(difference.messageId) }),
  repairable: fix !== undefined,
});

export const formatJson = (findings: Findings, limit: number, repaired: readonly Difference[]): string =>
  JSON.stringify(
    {
      agrees: findings.count === 0,
      totals: Object.fromEntries(findings.totals),
      differences: firstOfEach(findings, limit).map(plain),
      repaired: repaired.slice(0, limit).map(plain),
      repairedCount: repaired.length,
      orphanReceipts: findings.orphans,
      auditHeads: findings.auditHeads,
      compared: findings.looked,
      days: findings.days,
    },
    null,
    2,
  );
