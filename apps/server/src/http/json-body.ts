/**
 * JSON as a body: what `JSON.parse` lets pass and people attack with is refused first. Two parsers that see different
 * values in one text (the last or the first of two equal keys) are how checks are got round, so equal keys are an error.
 */
import { ProblemError } from './problem.ts';

/** Deeper than anything the contract asks for (5). */
const maxDepth = 32;

const badBody = (code: string) => new ProblemError('BAD_REQUEST', undefined, [{ field: '', code }]);

/** Parses a body; an empty one is `undefined`. */
export function parseJsonBody(text: string): unknown {
  if (text === '') return undefined;
  assertShallow(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badBody('JSON_SYNTAX');
  }
  assertDistinctKeys(text);
  return value;
}

/** Runs before parsing, so that no depth can exhaust the stack of later code. Brackets inside strings do not count. */
function assertShallow(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === openBrace || character === openBracket) {
      depth += 1;
      if (depth > maxDepth) throw badBody('JSON_TOO_DEEP');
    } else if (character === closeBrace || character === closeBracket) depth -= 1;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;

/** Index of the closing quote, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

/** Only for text that `JSON.parse` has accepted: a string followed by a colon is a key of the innermost object. */
function assertDistinctKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === openBrace) open.push(new Set());
    else if (character === openBracket) open.push(null);
    else if (character === closeBrace || character === closeBracket) open.pop();
    else if (character === quote) {
      const end = endOfString(text, at);
      if (text.charCodeAt(skipSpace(text, end + 1)) === colon) {
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        const keys = open.at(-1);
        if (key === '__proto__' || keys?.has(key)) throw badBody('JSON_KEYS');
        keys?.add(key);
      }
      at = end;
    }
  }
}
