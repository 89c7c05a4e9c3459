import { countSegments } from '../segments/count-segments.ts';
import type { CompiledTemplate } from '../templates/compile-template.ts';
import type { RowRefusal } from './reject-reasons.ts';

/**
 * Maximum segments of a text. The concatenation header could number 255, yet carriers refuse and handsets garble far
 * shorter texts; ten hold 1,530 English or 670 other characters, more than a template alone can reach.
 */
const SEGMENTS_LIMIT = 10;

export type RenderedRow =
  | {
      ok: true;
      text: string;
      segments: number;
      /** Number of the value that resembles both a host and a name ("Dr.Co"), or 0; such rows are kept and counted. */
      ambiguousVariable: number;
    }
  | { ok: false; reason: RowRefusal /** The variable to blame, 0 for the whole text. */; variable: number };

/**
 * The text that one row of a file makes. `cells` are the row's values by column, null for a formula;
 * `mapping[0]` is the column of {1}.
 */
export function renderRow(
  template: CompiledTemplate,
  mapping: readonly (number | null)[],
  cells: readonly (string | null)[],
): RenderedRow {
  const values: string[] = [];
  for (let i = 0; i < template.variableCount; i++) {
    const column = mapping[i] ?? -1;
    const cell = cells[column];
    if (cell === null) return refuse('VALUE_IS_FORMULA', i + 1);
    const value = cell?.trim() ?? '';
    if (value === '') return refuse('MISSING_VALUE', i + 1);
    values.push(value);
  }
  const { verdict, variable } = template.judgeValues(values);
  if (verdict === 'link') return refuse('VALUE_IS_LINK', variable);
  const text = template.render(values);
  const { segments } = countSegments(text);
  if (segments > SEGMENTS_LIMIT) return refuse('TEXT_TOO_LONG', 0);
  return { ok: true, text, segments, ambiguousVariable: variable };
}

const refuse = (reason: RowRefusal, variable: number): RenderedRow => ({ ok: false, reason, variable });
