/**
 * Log events: every line of the log has a unique message, so that it leads to one place in the code, and
 * `docs/running.md` says what an operator does about each of those at warn, error and fatal.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folders = ['packages', 'apps/server', 'apps/carrier-simulator'];
const documentFile = 'docs/running.md';
const documentedLevels = ['warn', 'error', 'fatal'];
const pinoLevels: Readonly<Record<string, string>> = { 40: 'warn', 50: 'error', 60: 'fatal' };

const call = /\b[lL]og\??\.(trace|debug|info|warn|error|fatal)\(/g;
/** A line written without pino, by what pino writes to. */
const rawLine = /\{ level: (\d\d),[^}]*\bmsg: '([^']+)'/g;
const row = /^\| (warn|error|fatal) \| `([^`]+)` \| (.*) \|$/gm;

export interface LogEvent {
  readonly place: string;
  readonly level: string;
  /** Null when the call has no message, or one that is put together. */
  readonly message: string | null;
}

/** Returns what is wrong with the log events below `root`, one problem a line. */
export function findLogProblems(root: string): string[] {
  const events = folders.flatMap((folder) => listSources(root, folder)).flatMap((file) => readEvents(root, file));
  const document = path.join(root, documentFile);
  const rows = existsSync(document) ? [...readFileSync(document, 'utf8').matchAll(row)] : [];
  return [...checkMessages(events), ...checkDocument(events, rows)];
}

function checkMessages(events: readonly LogEvent[]): string[] {
  const problems: string[] = [];
  const places = new Map<string, string>();
  for (const { place, message } of events) {
    if (message === null) {
      problems.push(`${place}: a log line needs a constant message; what varies belongs into its fields`);
      continue;
    }
    const other = places.get(message);
    if (other !== undefined) problems.push(`${place}: logs '${message}', as ${other} does: each needs its own message`);
    places.set(message, place);
  }
  return problems;
}

function checkDocument(events: readonly LogEvent[], rows: readonly RegExpMatchArray[]): string[] {
  const wanted = new Map(
    events.flatMap((event) =>
      event.message !== null && documentedLevels.includes(event.level) ? [[event.message, event] as const] : [],
    ),
  );
  const problems: string[] = [];
  const documented = new Set<string>();
  for (const [, level = '', message = '', action = ''] of rows) {
    const event = wanted.get(message);
    if (event === undefined) problems.push(`${documentFile}: nothing logs '${message}' at ${level}`);
    else if (event.level !== level) problems.push(`${documentFile}: '${message}' is logged at ${event.level}`);
    if (documented.has(message)) problems.push(`${documentFile}: '${message}' is listed twice`);
    if (action.trim() === '') problems.push(`${documentFile}: '${message}' has no action`);
    documented.add(message);
  }
  for (const [message, { place, level }] of wanted)
    if (!documented.has(message)) problems.push(`${place}: '${message}' (${level}) is missing in ${documentFile}`);
  return problems;
}

function listSources(root: string, folder: string): string[] {
  const base = path.join(root, folder);
  if (!existsSync(base)) return [];
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)(testing|node_modules|dist)\//.test(file))
    .map((file) => `${folder}/${file}`)
    .sort();
}

function readEvents(root: string, file: string): LogEvent[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  const placeOf = (index: number): string => `${file}:${source.slice(0, index).split('\n').length}`;
  const calls = [...source.matchAll(call)].map(({ 0: text, 1: level = '', index }) => ({
    place: placeOf(index),
    level,
    message: lastString(readArguments(source, index + text.length)),
  }));
  const raw = [...source.matchAll(rawLine)].map(({ 1: level = '', 2: message = '', index }) => ({
    place: placeOf(index),
    level: pinoLevels[level] ?? level,
    message,
  }));
  return [...calls, ...raw];
}

/** Returns the text from `start` to the parenthesis that closes the call. */
function readArguments(source: string, start: number): string {
  let depth = 1;
  let quote = '';
  for (let at = start; at < source.length; at++) {
    const character = source.charAt(at);
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (/['"`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character) && --depth === 0) return source.slice(start, at);
  }
  return source.slice(start);
}

const lastString = (words: string): string | null =>
  /(?:^|,)\s*'([^'\\]+)'\s*,?\s*$/.exec(words)?.[1] ?? /(?:^|,)\s*"([^"\\]+)"\s*,?\s*$/.exec(words)?.[1] ?? null;
