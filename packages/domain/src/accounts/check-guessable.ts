import { commonPasswords } from './common-passwords.ts';

/** COMMON: among the first passwords that any attacker guesses. CONTEXT: contains a word associated with this user. */
export type GuessableProblem = 'COMMON' | 'CONTEXT';

/** Shorter words (a given name, "demo") occur in too many good passwords. */
const SHORTEST_WORD = 5;

const LEET: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};
const undoLeet = (text: string): string => text.replace(/[@431!05$7]/g, (c) => LEET[c] ?? c);

/** Without what people put at an end to please a rule. */
const trimEnds = (text: string): string => text.replace(/^[^\p{L}]+/u, '').replace(/(?<![^\p{L}])[^\p{L}]+$/u, '');

/**
 * Whether a password is among the first guesses for this user. `words`: account, address, names. Call in addition to
 * the rules of `checkPassword` and `checkPhonePassword`.
 */
export function checkGuessable(password: string, words: readonly string[]): GuessableProblem | null {
  const lower = password.normalize('NFC').toLowerCase();
  const shapes = [lower, undoLeet(lower)];
  const cores = [...shapes.map(trimEnds), undoLeet(trimEnds(lower))];
  const known = ['pahatid', ...words.flatMap(partsOf)].filter((word) => word.length >= SHORTEST_WORD);
  if (cores.some((core) => known.includes(core)) || shapes.some((shape) => known.includes(shape))) return 'CONTEXT';
  // "password1!" and "P@ssw0rd" as well as "password", but not every text that contains a common word.
  const common = [
    ...shapes,
    lower.replace(/(?<![^a-z0-9])[^a-z0-9]+$/, ''),
    undoLeet(lower.replace(/(?<![^a-z0-9])[^a-z0-9]+$/, '')),
  ];
  return common.some((shape) => commonPasswords.has(shape)) ? 'COMMON' : null;
}

/** A name or an address as a whole, and its parts. */
const partsOf = (word: string): string[] => {
  const lower = word.normalize('NFC').toLowerCase();
  return [lower, lower.split('@')[0] ?? lower, ...lower.split(/[^\p{L}\p{Nd}]+/u)];
};
