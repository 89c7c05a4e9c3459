import type { CompiledTemplate } from './compile-template.ts';
import { listVariables } from './variables.ts';

/**
 * Returns the values with which a template makes this text, or null if it makes another. Each value has at least one
 * character; of several ways to read a text the one with the shortest first values is taken, so a look takes one pass.
 */
export function matchTemplate(template: CompiledTemplate, text: string): string[] | null {
  const variables = listVariables(template.content);
  const pieces = cutAround(template.content, variables);
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (variables.length === 0) return text === template.content ? [] : null;
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const values = new Array<string>(template.variableCount).fill('');
  let from = first.length;
  for (const [index, variable] of variables.entries()) {
    const isLast = index === variables.length - 1;
    const end = isLast ? text.length - last.length : text.indexOf(pieces[index + 1]!, from + 1);
    if (end < from + 1) return null;
    const value = text.slice(from, end);
    const before = values[variable.number - 1];
    if (before !== '' && before !== value) return null;
    values[variable.number - 1] = value;
    from = end + (isLast ? 0 : pieces[index + 1]!.length);
  }
  return template.judgeValues(values).verdict === 'link' ? null : values;
}

function cutAround(content: string, variables: readonly { from: number; to: number }[]): string[] {
  const starts = [0, ...variables.map(({ to }) => to)];
  const ends = [...variables.map(({ from }) => from), content.length];
  return starts.map((start, index) => content.slice(start, ends[index]));
}
