/**
 * Prohibited content (specification §5: financial, real estate, immigration and politics, pornographic, violent).
 * The words are rows that staff edit; this file only compiles and matches them.
 */
export type LexiconCategory = 'financial' | 'realEstate' | 'immigrationPolitics' | 'pornographic' | 'violent';

/** `block` is an error, `flag` is shown to the reviewer, `exempt` frees a longer phrase ("bank holiday", "房间"). */
export type LexiconLevel = 'block' | 'flag' | 'exempt';

export interface LexiconEntry {
  /** Null where an exempt phrase belongs to no category. */
  category: LexiconCategory | null;
  language: 'zh' | 'en' | 'fil';
  phrase: string;
  level: LexiconLevel;
}

export interface LexiconMatch {
  entry: LexiconEntry;
  /** UTF-16 offsets in the text given. */
  from: number;
  to: number;
}

interface Node {
  next: Map<string, Node>;
  entry: LexiconEntry | null;
}

export interface CompiledLexicon {
  readonly root: Node;
}

/** Makes a table of phrases searchable. Two rows with the same phrase: the stricter wins, an exemption over both. */
export function compileLexicon(entries: Iterable<LexiconEntry>): CompiledLexicon {
  const root: Node = { next: new Map(), entry: null };
  const rank: Record<LexiconLevel, number> = { flag: 0, block: 1, exempt: 2 };
  for (const entry of entries) {
    const phrase = normalize(entry.phrase).text.trim();
    if (phrase === '') continue;
    let node = root;
    for (const character of phrase) {
      let next = node.next.get(character);
      if (next === undefined) {
        next = { next: new Map(), entry: null };
        node.next.set(character, next);
      }
      node = next;
    }
    if (node.entry === null || rank[entry.level] > rank[node.entry.level]) node.entry = entry;
  }
  return { root };
}

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{M}\p{N}]/u;
/** Dropped between two Han characters, where people put them to hide a word. Ends of clauses are not among them. */
const SEPARATOR = /^[\s\-_.·•*+~|/\\'"`^=#&@%°‐‑–—…～＿]$/u;
const INVISIBLE = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

interface Normalized {
  text: string;
  /** For each UTF-16 unit of `text`, where its source begins and ends. */
  from: number[];
  to: number[];
}

/** NFKC, lower case, runs of white space and hyphens as one space, separators between Han characters removed. */
function normalize(source: string): Normalized {
  const units: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  /** Separators since the last character that counts; written out only when they do not stand between Han. */
  let pending: Array<[string, number, number]> = [];
  let lastIsHan = false;
  const push = (unit: string, start: number, end: number) => {
    units.push(unit);
    from.push(start);
    to.push(end);
  };
  const flush = () => {
    for (const [unit, start, end] of pending) {
      const isSpace = /[\s\-_]/.test(unit);
      if (!isSpace) push(unit, start, end);
      else if (units.at(-1) !== ' ') push(' ', start, end);
    }
    pending = [];
  };
  let at = 0;
  for (const character of source) {
    const end = at + character.length;
    const folded = INVISIBLE.test(character) ? '' : character.normalize('NFKC').toLowerCase();
    for (const unit of folded) {
      if (SEPARATOR.test(unit)) {
        pending.push([unit, at, end]);
        continue;
      }
      const isHan = HAN.test(unit);
      // A line break ends a clause: what it parts is not one word.
      if (isHan && lastIsHan && pending.every(([separator]) => separator !== '\n')) pending = [];
      else flush();
      for (let i = 0; i < unit.length; i++) push(unit[i]!, at, end);
      lastIsHan = isHan;
    }
    at = end;
  }
  flush();
  return { text: units.join(''), from, to };
}

/** The phrases of a text, the longest at each place, without those that an exempt phrase touches. */
export function matchLexicon(content: string, lexicon: CompiledLexicon): LexiconMatch[] {
  const { text, from, to } = normalize(content);
  const found: Array<{ entry: LexiconEntry; start: number; end: number }> = [];
  for (let start = 0; start < text.length; start++) {
    const hit = longestAt(text, start, lexicon.root);
    if (hit !== null) found.push({ ...hit, start });
  }
  const kept: typeof found = [];
  for (const level of ['exempt', 'block', 'flag'] as const) {
    for (const hit of found) {
      if (hit.entry.level !== level) continue;
      if (kept.every((other) => hit.end <= other.start || other.end <= hit.start)) kept.push(hit);
    }
  }
  return kept
    .filter((hit) => hit.entry.level !== 'exempt')
    .sort((a, b) => a.start - b.start)
    .map((hit) => ({ entry: hit.entry, from: from[hit.start]!, to: to[hit.end - 1]! }));
}

/** Steps per place are bounded by the longest phrase, so the whole search is linear in the text. */
function longestAt(text: string, start: number, root: Node): { entry: LexiconEntry; end: number } | null {
  if (isInsideWord(text, start)) return null;
  let node: Node | undefined = root;
  let best: { entry: LexiconEntry; end: number } | null = null;
  for (let i = start; i < text.length; i++) {
    // Phrases are stored by code point, which the basic plane makes the same as a unit.
    const character: string = String.fromCodePoint(text.codePointAt(i)!);
    node = node.next.get(character);
    if (node === undefined) break;
    i += character.length - 1;
    if (node.entry !== null && !isInsideWord(text, i + 1)) best = { entry: node.entry, end: i + 1 };
  }
  return best;
}

/** Whether a border would cut a word of an alphabet in two; between Han characters every place is a border. */
function isInsideWord(text: string, at: number): boolean {
  const before = text[at - 1];
  const after = text[at];
  if (before === undefined || after === undefined) return false;
  return WORD.test(before) && WORD.test(after) && !HAN.test(before) && !HAN.test(after);
}
