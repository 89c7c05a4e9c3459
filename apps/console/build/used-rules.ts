/**
 * Removes the rules of a style sheet that name a class the page does not have, so that each page contains only its own
 * styles. Reads plain CSS as we write it: rules, and at-rules that hold rules.
 */
export function keepUsedRules(css: string, used: ReadonlySet<string>): string {
  let result = '';
  for (const { head, body } of splitRules(css.replaceAll(/\/\*[\s\S]*?\*\//g, ''))) {
    if (head.startsWith('@media') || head.startsWith('@supports')) {
      const inner = keepUsedRules(body, used);
      if (inner !== '') result += `${head}{${inner}}`;
    } else if (head.startsWith('@')) result += `${head}{${body}}`;
    else {
      const selectors = splitSelectors(head).filter((selector) => mayMatch(selector, used));
      if (selectors.length > 0) result += `${selectors.join(',')}{${body}}`;
    }
  }
  return result;
}

/** Names of the custom properties that a text reads. */
export const propertiesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/var\(\s*--([\w-]+)/g)].map(([, name = '']) => name));

/** Removes custom properties that neither the style sheet nor the page reads; one may have been read by another alone. */
export function keepUsedProperties(css: string, readByPage: ReadonlySet<string>): string {
  const used = new Set([...propertiesIn(css), ...readByPage]);
  const kept = css.replaceAll(/--([\w-]+)\s*:[^;{}]*(?:;|(?=\}))/g, (declaration, name: string) =>
    used.has(name) ? declaration : '',
  );
  return kept === css ? css : keepUsedProperties(kept, readByPage);
}

/** A selector names alternatives in `:is()` and exceptions in `:not()`; those do not speak against it. */
const mayMatch = (selector: string, used: ReadonlySet<string>): boolean =>
  [...selector.replaceAll(/:(?:is|not|where)\([^)]*\)/g, '').matchAll(/\.([a-zA-Z][\w-]*)/g)].every(([, name = '']) =>
    used.has(name),
  );

/** At commas outside of brackets. */
function splitSelectors(head: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const letter of head) {
    if (letter === '(' || letter === '[') depth += 1;
    if (letter === ')' || letter === ']') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

function splitRules(css: string): { head: string; body: string }[] {
  const rules: { head: string; body: string }[] = [];
  let at = 0;
  for (;;) {
    const open = css.indexOf('{', at);
    if (open < 0) return rules;
    let depth = 1;
    let end = open + 1;
    for (; depth > 0 && end < css.length; end += 1) {
      if (css[end] === '{') depth += 1;
      if (css[end] === '}') depth -= 1;
    }
    if (depth > 0) throw new Error(`A rule without an end: ${css.slice(at, open).trim()}`);
    rules.push({ head: css.slice(at, open).trim(), body: css.slice(open + 1, end - 1).trim() });
    at = end;
  }
}
