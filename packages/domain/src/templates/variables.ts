import type { TemplateFinding } from './findings.ts';

/** A well-formed placeholder `{n}`, n from 1 to 99. */
export interface TemplateVariable {
  number: number;
  from: number;
  to: number;
}

/** More than this is allowed, but hard to fill without a mistake. */
const MANY_VARIABLES = 20;

const PLACEHOLDER = /\{([1-9]\d?)\}/g;

/** The placeholders of a text in order of appearance, repeats included. */
export function listVariables(content: string): TemplateVariable[] {
  return Array.from(content.matchAll(PLACEHOLDER), (match) => ({
    number: Number(match[1]),
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** How many values a text needs: the highest placeholder number. */
export function countVariables(content: string): number {
  return listVariables(content).reduce((highest, variable) => Math.max(highest, variable.number), 0);
}

/** Fills `{n}` with `values[n - 1]`, in one pass, so a value that looks like a placeholder stays text. */
export function renderTemplate(content: string, values: readonly (string | undefined)[]): string {
  return content.replace(PLACEHOLDER, (written, number: string) => values[Number(number) - 1] ?? written);
}

/** Numbers the placeholders 1…n by order of first appearance; repeats stay repeats. */
export function renumberVariables(content: string): string {
  const numbers = new Map<string, number>();
  return content.replace(PLACEHOLDER, (_written, number: string) => {
    const given = numbers.get(number) ?? numbers.size + 1;
    numbers.set(number, given);
    return `{${given}}`;
  });
}

/** CRLF and lone CR read as LF, outer white space removed: the form in which a template is stored and counted. */
export function normalizeContent(content: string): string {
  return content.replace(/\r\n?/g, '\n').trim();
}

const BRACE = /[{}｛｝]/;
const OPEN = '{｛';
const CLOSE = '}｝';

/** The longest text between stray braces that is shown as one mistake. */
const NAME_LIMIT = 40;

/** Reports every brace that is not part of a well-formed placeholder, as a finding with the probable intention. */
export function checkVariableSyntax(content: string): TemplateFinding[] {
  if (!BRACE.test(content)) return [];
  const variables = listVariables(content);
  const free = freeNumbers(variables);
  const byName = new Map<string, number>();
  const findings: TemplateFinding[] = [];
  let next = 0;
  for (let i = 0; i < content.length; i++) {
    const variable = variables[next];
    if (variable !== undefined && variable.from === i) {
      i = variable.to - 1;
      next++;
      continue;
    }
    const character = content[i]!;
    if (!BRACE.test(character)) continue;
    const to = OPEN.includes(character) ? findClose(content, i, variable?.from ?? content.length) : i + 1;
    const insert = fixPlaceholder(content.slice(i, to), free, byName);
    findings.push({
      code: 'VARIABLE_SYNTAX',
      severity: 'error',
      from: i,
      to,
      params: { text: content.slice(i, to) },
      ...(insert === null ? {} : { fix: { from: i, to, insert } }),
    });
    i = to - 1;
  }
  return findings;
}

/** End of the stray placeholder that opens at `from`: past its closing brace on the same line, or the brace alone. */
function findClose(content: string, from: number, limit: number): number {
  const end = Math.min(limit, from + NAME_LIMIT);
  for (let i = from + 1; i < end; i++) {
    const character = content[i]!;
    if (CLOSE.includes(character)) return i + 1;
    if (OPEN.includes(character) || character === '\n') break;
  }
  // "{1" at the end of a word: the number is part of the mistake.
  const number = /^[{｛]\d{1,2}(?!\d)/.exec(content.slice(from, Math.min(limit, from + 4)));
  return from + (number?.[0].length ?? 1);
}

function fixPlaceholder(written: string, free: Iterator<number>, byName: Map<string, number>): string | null {
  const name = written.replace(/[{}｛｝]/g, '').trim();
  if (name === '') return written.length > 1 ? null : '';
  const digits = name.normalize('NFKC').replace(/^0+(?=\d)/, '');
  if (/^[1-9]\d?$/.test(digits)) return `{${digits}}`;
  if (/^\d+$/.test(digits)) return null;
  let number = byName.get(name);
  if (number === undefined) {
    const step = free.next();
    if (step.done === true) return null;
    number = step.value;
    byName.set(name, number);
  }
  return `{${number}}`;
}

function* freeNumbers(variables: readonly TemplateVariable[]): Generator<number, undefined> {
  const taken = new Set(variables.map((variable) => variable.number));
  for (let number = 1; number <= 99; number++) if (!taken.has(number)) yield number;
}

/** The numbers must be exactly 1…n (specification §5); another order of first appearance is only a warning. */
export function checkVariableNumbers(content: string, variables: readonly TemplateVariable[]): TemplateFinding[] {
  const numbers = [...new Set(variables.map((variable) => variable.number))];
  const first = variables[0];
  const last = variables.at(-1);
  if (first === undefined || last === undefined) return [];

  const findings: TemplateFinding[] = [];
  const renumbered = renumberVariables(content.slice(first.from, last.to));
  const fix = { from: first.from, to: last.to, insert: renumbered };
  const gap = variables.find((variable) => variable.number > numbers.length);
  if (gap !== undefined) {
    const missing = Array.from({ length: gap.number }, (_, i) => i + 1).find((number) => !numbers.includes(number));
    const params = { number: gap.number, missing: missing ?? 0 };
    findings.push({ code: 'VARIABLE_NOT_CONSECUTIVE', severity: 'error', from: gap.from, to: gap.to, params, fix });
  } else {
    const stray = variables.find((variable) => numbers.indexOf(variable.number) !== variable.number - 1);
    if (stray !== undefined) {
      const params = { number: stray.number };
      findings.push({
        code: 'VARIABLES_OUT_OF_ORDER',
        severity: 'warning',
        from: stray.from,
        to: stray.to,
        params,
        fix,
      });
    }
  }
  if (numbers.length > MANY_VARIABLES) {
    const params = { count: numbers.length, limit: MANY_VARIABLES };
    findings.push({ code: 'TOO_MANY_VARIABLES', severity: 'warning', from: first.from, to: last.to, params });
  }
  return findings;
}
