/**
 * Keeps comments and en-US texts in plain technical English: words that the documentation of the field does not use are
 * rejected, each with the ones to use instead. Identifiers and quoted code are not looked at.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

const rules: readonly Rule[] = [
  { pattern: /\b(?:tell|tells|told|telling)\b/i, instead: 'notify, report, return' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix, repair' },
  { pattern: /\b(?:became|becomes?) of\b/i, instead: 'outcome, result, status' },
  { pattern: /\bfates?\b/i, instead: 'outcome' },
  { pattern: /\bdeeds?\b/i, instead: 'action' },
  { pattern: /\bat once\b/i, instead: 'immediately, concurrently' },
  { pattern: /\bwhoever\b/i, instead: 'the user, the caller' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bby (?:it|them)sel(?:f|ves)\b/i, instead: 'automatically, alone' },
  { pattern: /\bof (?:its|their|his|her) own\b/i, instead: 'its own, separate' },
  { pattern: /\bdear(?:er|est|ly)?\b/i, instead: 'expensive' },
  { pattern: /\b(?:no|some)body\b/i, instead: 'no user, another person' },
  { pattern: /\bintakes?\b/i, instead: 'import' },
  { pattern: /\bbesides?\b/i, instead: 'next to, with, in addition to, while' },
  { pattern: /\blearns? of\b/i, instead: 'is notified of' },
];

/** Parts of lines that keep such a word. */
const allowed: readonly string[] = [
  // The invitation to write to us, as every contact form has it.
  'Tell us what you want to send',
];

/** Returns the lines of a TypeScript file that are comments, with their numbers. */
export function readComments(text: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let isInBlock = false;
  text.split('\n').forEach((line, index) => {
    const opens = /^\s*\/\*/.test(line);
    const ending = /(?:^|\s)\/\/ (.*)$/.exec(line);
    if (isInBlock || opens) found.push({ line: index + 1, text: line });
    else if (ending) found.push({ line: index + 1, text: ending[1] ?? '' });
    isInBlock = (isInBlock || opens) && !line.includes('*/');
  });
  return found;
}

const codeInText = /`[^`]*`|“[^”]*”|\{\w+[^}]*\}/g;

/** Returns what to say instead of each rejected word of a text. */
export function findDialect(text: string): string[] {
  const prose = text.replaceAll(codeInText, ' ');
  return rules.flatMap(({ pattern, instead }) => {
    const hit = pattern.exec(prose);
    return hit ? [`“${hit[0]}”: ${instead}`] : [];
  });
}

export function findPlainEnglishProblems(root: string): string[] {
  const problems: string[] = [];
  const look = (file: string, line: number, text: string) => {
    if (allowed.some((each) => text.includes(each))) return;
    for (const problem of findDialect(text)) problems.push(`${file}:${line}: ${problem}`);
  };
  const walk = (folder: string, visit: (file: string) => void) => {
    if (!existsSync(path.join(root, folder))) return;
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (!/(?:^|[\\/])(?:node_modules|dist|generated)[\\/]/.test(entry)) visit(path.join(folder, entry));
  };
  for (const folder of ['packages', 'apps', 'e2e', 'bench', 'scripts'])
    walk(folder, (file) => {
      if (!/\.tsx?$/.test(file) || file.endsWith('plain-english.ts')) return;
      for (const { line, text } of readComments(readFileSync(path.join(root, file), 'utf8'))) look(file, line, text);
    });
  const lookAtLines = (folder: string, proseOf: (line: string) => string) =>
    walk(folder, (file) => {
      for (const [index, line] of readFileSync(path.join(root, file), 'utf8').split('\n').entries())
        look(file, index + 1, proseOf(line));
    });
  lookAtLines('apps/console/src/locales/en-US', (line) => line.replace(/^\s*"[\w.-]+": /, ''));
  lookAtLines('apps/console/src/features/public/copy/en-US', (line) => (/['"`].*\s/.test(line) ? line : ''));
  lookAtLines('apps/console/src/features/public/docs/guides/en-US', (line) => line);
  return problems;
}
