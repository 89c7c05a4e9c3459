import { type CompiledTemplate, renderRow } from '@pahatid/domain';
import type { BlockRow } from './blocks.ts';
import { cleanShown } from './clean-text.ts';
import type { RejectedRow } from './reject-report.ts';

export interface TemplateUse {
  /** Compiled once for all rows. */
  readonly template: CompiledTemplate;
  /** `variableColumns[0]` is the column of {1}. */
  readonly variableColumns: readonly (number | null)[];
}

/** A recipient of one task. */
export interface TaskRecipient {
  readonly line: number;
  readonly msisdn: string;
  /** In the variables' number order. */
  readonly variables: readonly string[];
  readonly segments: number;
}

export interface TaskRejectedRow extends RejectedRow {
  /** The variable to blame, 0 for the whole text. */
  readonly variable: number;
}

export interface CheckedRows {
  readonly recipients: TaskRecipient[];
  readonly rejects: TaskRejectedRow[];
  /** Of all recipients. */
  readonly segments: number;
  /** Recipients with a value that looks like a link and like a name; they are kept. */
  readonly ambiguousCount: number;
}

const rawChars = 64;

/** What becomes of one block's rows under a template: each fits it, or is rejected with the value to blame. */
export function checkRows(rows: readonly BlockRow[], { template, variableColumns }: TemplateUse): CheckedRows {
  const recipients: TaskRecipient[] = [];
  const rejects: TaskRejectedRow[] = [];
  let total = 0;
  let ambiguousCount = 0;
  for (const { line, msisdn, values } of rows) {
    const row = renderRow(template, variableColumns, values);
    if (!row.ok) {
      const { reason, variable } = row;
      rejects.push({ line, raw: cleanShown(valueAt(values, variableColumns, variable), rawChars), reason, variable });
      continue;
    }
    const variables: string[] = [];
    for (let number = 1; number <= template.variableCount; number += 1) {
      variables.push(valueAt(values, variableColumns, number).trim());
    }
    recipients.push({ line, msisdn, variables, segments: row.segments });
    total += row.segments;
    if (row.ambiguousVariable > 0) ambiguousCount += 1;
  }
  return { recipients, rejects, segments: total, ambiguousCount };
}

function valueAt(values: BlockRow['values'], variableColumns: TemplateUse['variableColumns'], number: number): string {
  return values[variableColumns[number - 1] ?? -1] ?? '';
}
