/**
 * Finds regular expression literals in JavaScript without a parser: a slash begins one where no value can have ended.
 */
export interface RegexLiteral {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

const words = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|yield|await)$/;

export function findRegexLiterals(code: string): RegexLiteral[] {
  const found: RegexLiteral[] = [];
  /** Depths of braces at which templates go on after an inserted value. */
  const templates: number[] = [];
  let depth = 0;
  let before = '';
  let at = 0;
  const readTemplate = (): void => {
    for (; at < code.length; at++) {
      if (code[at] === '\\') at += 1;
      else if (code[at] === '`') {
        at += 1;
        before = 'x';
        return;
      } else if (code[at] === '$' && code[at + 1] === '{') {
        at += 2;
        templates.push(depth);
        before = '{';
        return;
      }
    }
  };
  while (at < code.length) {
    const letter = code[at] ?? '';
    if (letter === '/' && code[at + 1] === '/') at = endOr(code, code.indexOf('\n', at));
    else if (letter === '/' && code[at + 1] === '*') at = endOr(code, code.indexOf('*/', at)) + 2;
    else if (letter === '"' || letter === "'") {
      for (at += 1; at < code.length && code[at] !== letter; at++) if (code[at] === '\\') at += 1;
      at += 1;
      before = 'x';
    } else if (letter === '`') {
      at += 1;
      readTemplate();
    } else if (letter === '}' && templates.at(-1) === depth) {
      templates.pop();
      at += 1;
      readTemplate();
    } else if (letter === '/' && !isValueEnd(before)) {
      const start = at + 1;
      let isInClass = false;
      for (at = start; at < code.length && (isInClass || code[at] !== '/'); at++) {
        if (code[at] === '\\') at += 1;
        else if (code[at] === '[') isInClass = true;
        else if (code[at] === ']') isInClass = false;
      }
      const source = code.slice(start, at);
      const [flags = ''] = /^[a-z]*/.exec(code.slice(at + 1, at + 10)) ?? [];
      at += 1 + flags.length;
      before = 'x';
      found.push({ source, flags, line: code.slice(0, start).split('\n').length });
    } else {
      if (letter === '{') depth += 1;
      if (letter === '}') depth -= 1;
      if (/\S/.test(letter)) before = (before + letter).slice(-12);
      else if (/[\w$]$/.test(before)) before = `${before} `.slice(-12);
      at += 1;
    }
  }
  return found;
}

const endOr = (code: string, index: number): number => (index < 0 ? code.length : index);

const isValueEnd = (before: string): boolean => {
  const last = before.trimEnd();
  return /[\w$)\]}]$/.test(last) && !words.test(last);
};
