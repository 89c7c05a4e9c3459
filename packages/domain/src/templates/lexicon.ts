/**
 * Prohibited content (specification §5: financial, real estate, immigration and politics, pornographic, violent). The
 * terms are rows that staff edit; this file only compiles and matches them.
 */
export type LexiconCategory = 'financial' | 'realEstate' | 'immigrationPolitics' | 'pornographic' | 'violent';

/** One row of the table of prohibited terms. */
export interface LexiconEntry {
  term: string;
  lang: 'zh' | 'en' | 'fil';
  category: LexiconCategory;
  /** `block` is an error, `flag` is shown to the author and marked for the reviewer. */
  level: 'block' | 'flag';
  /** Longer phrases in which the term is innocent ("bank holiday", "房间"); they exempt any term they touch. */
  exempt?: readonly string[];
}

/** Terms of one category, language and level, separated by "|". */
export type LexiconSeedRow = [
  category: LexiconCategory,
  lang: LexiconEntry['lang'],
  level: LexiconEntry['level'],
  terms: string,
];

export interface LexiconMatch {
  entry: LexiconEntry;
  /** UTF-16 offsets in the text given. */
  from: number;
  to: number;
}

/** `exempt` ends a phrase that exempts any term it touches. */
type Ending = LexiconEntry | 'exempt';

interface Node {
  next: Map<string, Node>;
  ending: Ending | null;
}

export interface CompiledLexicon {
  readonly root: Node;
}

/** Makes a table searchable. Of two rows with the same term the stricter wins, and an exempt phrase over both. */
export function compileLexicon(entries: Iterable<LexiconEntry>): CompiledLexicon {
  const root = makeNode();
  for (const entry of entries) {
    add(root, entry.term, entry);
    for (const phrase of entry.exempt ?? []) add(root, phrase, 'exempt');
  }
  return { root };
}

const makeNode = (): Node => ({ next: new Map(), ending: null });

function add(root: Node, phrase: string, ending: Ending): void {
  const text = normalize(phrase).text.trim();
  if (text === '') return;
  let node = root;
  for (const character of text) {
    let next = node.next.get(character);
    if (next === undefined) {
      next = makeNode();
      node.next.set(character, next);
    }
    node = next;
  }
  if (node.ending === null || rank(ending) > rank(node.ending)) node.ending = ending;
}

function rank(ending: Ending): number {
  if (ending === 'exempt') return 2;
  return ending.level === 'block' ? 1 : 0;
}

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{M}\p{N}]/u;
/** Dropped between two Han characters, where people insert them to hide a word. Ends of clauses are not included. */
const SEPARATOR = /^[\s\-_.·•*+~|/\\'"`^=#&@%°‐‑–—…～＿]$/u;
const INVISIBLE = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

/** The same for each character of ASCII, which most texts consist of: five expressions a character are noticeable. */
const ASCII = /* @__PURE__ */ Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return { unit: character.toLowerCase(), isSeparator: SEPARATOR.test(character) };
});

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
  /** Separators since the last character that counts; output only if they are not between Han characters. */
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
    const ascii = ASCII[character.charCodeAt(0)];
    if (ascii !== undefined) {
      if (ascii.isSeparator) pending.push([ascii.unit, at, end]);
      else {
        if (pending.length > 0) flush();
        push(ascii.unit, at, end);
        lastIsHan = false;
      }
      at = end;
      continue;
    }
    const folded = INVISIBLE.test(character) ? '' : character.normalize('NFKC').toLowerCase();
    for (const unit of folded) {
      if (SEPARATOR.test(unit)) {
        pending.push([unit, at, end]);
        continue;
      }
      const isHan = HAN.test(unit);
      // A line break ends a clause: text on both sides is not one word.
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

interface Hit {
  ending: Ending;
  start: number;
  end: number;
}

/** The terms in a text, the longest at each place, without those that an exempt phrase touches. */
export function matchLexicon(content: string, lexicon: CompiledLexicon): LexiconMatch[] {
  const { text, from, to } = normalize(content);
  const hits: Hit[] = [];
  for (let start = 0; start < text.length; start++) collectAt(text, start, lexicon.root, hits);

  // Stronger first, longer first: a flagged word never hides a blocked one that it overlaps.
  hits.sort((a, b) => rank(b.ending) - rank(a.ending) || b.end - b.start - (a.end - a.start));
  const taken = new Uint8Array(text.length);
  const kept: Hit[] = [];
  for (const hit of hits) {
    if (taken.subarray(hit.start, hit.end).includes(1)) continue;
    taken.fill(1, hit.start, hit.end);
    kept.push(hit);
  }
  return kept
    .sort((a, b) => a.start - b.start)
    .flatMap(({ ending, start, end }) =>
      ending === 'exempt' ? [] : [{ entry: ending, from: from[start]!, to: to[end - 1]! }],
    );
}

/** Steps per place are bounded by the longest phrase, so the whole search is linear in the text. */
function collectAt(text: string, start: number, root: Node, hits: Hit[]): void {
  if (isInsideWord(text, start)) return;
  let node: Node | undefined = root;
  for (let i = start; i < text.length; i++) {
    const character: string = String.fromCodePoint(text.codePointAt(i)!);
    node = node.next.get(character);
    if (node === undefined) return;
    i += character.length - 1;
    if (node.ending !== null && !isInsideWord(text, i + 1)) hits.push({ ending: node.ending, start, end: i + 1 });
  }
}

/** Whether a boundary would split a word of an alphabet; between Han characters every position is a boundary. */
function isInsideWord(text: string, at: number): boolean {
  const before = text[at - 1];
  const after = text[at];
  if (before === undefined || after === undefined) return false;
  return WORD.test(before) && WORD.test(after) && !HAN.test(before) && !HAN.test(after);
}
