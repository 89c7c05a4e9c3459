import type { TemplateFinding } from './findings.ts';

/**
 * Keyboard faces (specification §5), a closed list: a rule by format would treat "8) Bring an ID", "Note:(optional)" or
 * "3:0" as faces. Three families, each with its own definition of standing alone.
 */

/**
 * ":)" and ":(", with any eyes, brow, tear or nose. A bracket without a nose counts only if it has no matching bracket.
 */
const BRACKET_FACE = /(?<![:;=-])>?[:;=]'?(-?)[()]+(?=$|[\s\p{Script=Han}.,!?。，！？…~"'“”{])/gu;

/** Other western faces; they need space on both sides. */
const WESTERN_FACE =
  /(?<=^|[\s\p{Script=Han}.,!?。，！？…~}"'”’)\]])(?:>?:'?-?[DPpOo|/\\*[\]]|[;=]-?[DPp\]]|[8BXx]-\)|[Xx]-\(|:-[SsXx]|[xX]D|<\/?3|\\[oO]\/)(?=$|[\s\p{Script=Han}.,!?。，！？…~"'“”({])/gu;

/** Faces with two like eyes. */
const SAME_EYES = [
  '>///<',
  'TT_TT',
  '^_^',
  '^-^',
  '^.^',
  '^o^',
  '^O^',
  '^w^',
  '^3^',
  '^_~',
  '^_-',
  '^^',
  '>_<',
  '>.<',
  '>_>',
  '<_<',
  '>.>',
  '<.<',
  'T_T',
  'T^T',
  ';_;',
  ';-;',
  '-_-',
  '-.-',
  '=_=',
  'o_o',
  'O_O',
  'o_O',
  'O_o',
  'o.O',
  'O.o',
  '0_0',
  'u_u',
  'U_U',
  'n_n',
  'x_x',
  'X_X',
  '@_@',
  '*_*',
  '$_$',
  '+_+',
  '._.',
  'Q_Q',
  'q_q',
  'QAQ',
  'QwQ',
  'OwO',
  'owo',
  'UwU',
  'uwu',
  'orz',
  'Orz',
] as const;

const SAME_EYES_FACE = /* @__PURE__ */ new RegExp(
  `(?:[(（][*=]?)?(?:${/* @__PURE__ */ SAME_EYES.map(quote).join('|')}|(?<=\\()_ _(?=\\)))(?:[*=;]?[)）])?`,
  'g',
);

function quote(face: string): string {
  return face.replace(/[\^$.*+?()|/]/g, '\\$&');
}

/** "P 100" after "=" or ":" is an amount in pesos. */
const PESOS = /^ ?\d/;

/** Keyboard faces in a text. */
export function checkEmoticons(content: string): TemplateFinding[] {
  const spans: Array<[from: number, to: number]> = [];
  let single: ReadonlySet<number> | undefined;
  for (const match of content.matchAll(BRACKET_FACE)) {
    const to = match.index + match[0].length;
    single ??= findSingleBrackets(content);
    const brackets = match[0].replace(/[^()]/g, '').length;
    const unpaired = Array.from({ length: brackets }, (_, i) => to - 1 - i).some((at) => single?.has(at));
    if (match[1] === '-' || unpaired) spans.push([match.index, to]);
  }
  for (const match of content.matchAll(WESTERN_FACE)) {
    const to = match.index + match[0].length;
    if (/[Pp]$/.test(match[0]) && PESOS.test(content.slice(to, to + 2))) continue;
    spans.push([match.index, to]);
  }
  for (const match of content.matchAll(SAME_EYES_FACE)) {
    const to = match.index + match[0].length;
    if (standsAlone(content, match[0], match.index, to)) spans.push([match.index, to]);
  }
  return spans.sort((a, b) => a[0] - b[0]).map(([from, to]) => toFinding(content, from, to));
}

/**
 * A face in brackets always stands alone; one of letters must not be part of a word, one of signs not part of a
 * separator line.
 */
function standsAlone(content: string, face: string, from: number, to: number): boolean {
  if (/^[(（].*[)）]$/.test(face)) return true;
  const inner = face.replace(/^[(（][*=]?|[*=;]?[)）]$/g, '');
  const before = content[from - 1] ?? ' ';
  const after = content[to] ?? ' ';
  if (/^[A-Za-z0-9]/.test(inner)) return !/[A-Za-z0-9_.-]/.test(before) && !/[A-Za-z0-9_-]/.test(after);
  return before !== inner[0] && after !== inner.at(-1) && before !== '_' && after !== '_';
}

/** Places of brackets that pair with none. */
function findSingleBrackets(content: string): Set<number> {
  const open: number[] = [];
  const single = new Set<number>();
  for (let i = 0; i < content.length; i++) {
    if (content[i] === '(') open.push(i);
    else if (content[i] === ')' && open.pop() === undefined) single.add(i);
  }
  for (const at of open) single.add(at);
  return single;
}

function toFinding(content: string, from: number, to: number): TemplateFinding {
  const start = content[from - 1] === ' ' ? from - 1 : from;
  return {
    code: 'EMOTICON',
    severity: 'error',
    from,
    to,
    params: { text: content.slice(from, to) },
    fix: { from: start, to, insert: '' },
  };
}
