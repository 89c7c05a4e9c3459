import type { TemplateFinding } from './findings.ts';

/**
 * The allow-list of characters: what handsets of every make show and carriers pass on unchanged. Printable ASCII and
 * the line feed are handled apart. Everything else is an error, so new emoji need no new rule.
 */
const PUNCTUATION =
  '，。、；：？！（）“”‘’《》〈〉…—–·～％＃＋－＝／＠＆＊＇＂．＜＞＾＿｀｜' + '¿¡«»؟،؛۔।॥‐‑″′−×÷°\u3000\u00a0€£₱';
const ALLOWED_PUNCTUATION: ReadonlySet<string> = /* @__PURE__ */ new Set(PUNCTUATION);
const LETTER = /^[\p{L}\p{M}\p{Nd}]$/u;
const JOINABLE = /^[\p{L}\p{M}]$/u;

/** Letters and marks by category, yet variation selectors, fillers and styled alphabets by effect. */
const DISGUISED = /^[\p{Default_Ignorable_Code_Point}\p{Me}\u{1d400}-\u{1d7ff}\u2100-\u214f\u{1f100}-\u{1f1ff}]$/u;

const INVISIBLE = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const EMOJI = /^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Me}]$/u;
const STYLED = /^[\u{1d400}-\u{1d7ff}\u2100-\u214f\u{1f100}-\u{1f1ff}]$/u;
/** What clings to an emoji and is removed with it. */
const EMOJI_TAIL = /^[\p{Variation_Selector}\p{Me}\p{Emoji_Modifier}\p{Regional_Indicator}\u{e0020}-\u{e007f}]$/u;

const ZWNJ = '\u200c';
const ZWJ = '\u200d';

/** Plain equivalents of some refused symbols. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '\t': ' ',
  '\u2028': '\n',
  '\u2029': '\n',
  '『': '“',
  '』': '”',
  '「': '“',
  '」': '”',
  '〔': '（',
  '〕': '）',
  '＄': '$',
  '＼': '/',
  '〜': '～',
  '‧': '·',
  '・': '·',
  '•': '-',
  '●': '-',
  '→': '-',
  '※': '*',
  〇: '零',
  '‚': ',',
  '„': '"',
  '‹': '<',
  '›': '>',
  '―': '—',
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
};

/** Whether a template may hold this code point, its neighbours aside. */
function isAllowedCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x7f) return code >= 0x20 || code === 0x0a;
  if (ALLOWED_PUNCTUATION.has(character)) return true;
  return LETTER.test(character) && !DISGUISED.test(character);
}

/** Every character outside the allow-list, an emoji with its joiners and skin tones as one (specification §5). */
export function checkSymbols(content: string): TemplateFinding[] {
  const findings: TemplateFinding[] = [];
  const characters = Array.from(content);
  let from = 0;
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    const to = from + character.length;
    if (isFine(characters, i)) {
      from = to;
      continue;
    }
    if (character === '【' || character === '】') {
      findings.push(bracket(character, from));
      from = to;
      continue;
    }
    const end = findEmojiEnd(characters, i);
    const text = characters.slice(i, end).join('');
    findings.push(unsupported(text, character, from));
    from += text.length;
    i = end - 1;
  }
  return findings;
}

function isFine(characters: readonly string[], i: number): boolean {
  const character = characters[i]!;
  if (character === '｛' || character === '｝') return true; // Braces have a separate rule.
  if (character === '\r') return characters[i + 1] === '\n';
  if (character === ZWJ || character === ZWNJ) {
    return JOINABLE.test(characters[i - 1] ?? '') && JOINABLE.test(characters[i + 1] ?? '');
  }
  return isAllowedCharacter(character);
}

/** Returns one past the last code point of the emoji sequence that begins at `i`; `i + 1` for any other symbol. */
function findEmojiEnd(characters: readonly string[], i: number): number {
  let end = i + 1;
  if (!EMOJI.test(characters[i]!) && !EMOJI_TAIL.test(characters[i]!)) return end;
  for (;;) {
    const next = characters[end];
    if (next === undefined) return end;
    if (EMOJI_TAIL.test(next)) end++;
    else if (next === ZWJ && EMOJI.test(characters[end + 1] ?? '')) end += 2;
    else return end;
  }
}

function bracket(character: string, from: number): TemplateFinding {
  const fix = { from, to: from + 1, insert: '' };
  return { code: 'SIGNATURE_BRACKET', severity: 'error', from, to: from + 1, params: { character }, fix };
}

function unsupported(text: string, character: string, from: number): TemplateFinding {
  const to = from + text.length;
  const insert = replace(character);
  return {
    code: 'UNSUPPORTED_SYMBOL',
    severity: 'error',
    from,
    to,
    params: {
      character: text,
      codePoint: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    },
    ...(insert === null ? {} : { fix: { from, to, insert } }),
  };
}

function replace(character: string): string | null {
  const listed = REPLACEMENTS[character];
  if (listed !== undefined) return listed;
  if (character === '\r') return '\n';
  if (/^\p{Zs}$/u.test(character)) return ' ';
  // "①" is "1", a styled "𝐀" is "A": but never a sign whose meaning would change with its form, such as "™".
  if (STYLED.test(character) || /^[\u2460-\u249b\u2160-\u2188]$/u.test(character)) {
    const plain = character.normalize('NFKC');
    if (plain !== character && /^[A-Za-z0-9().]+$/.test(plain)) return plain;
  }
  if (INVISIBLE.test(character) || EMOJI.test(character) || /^[\p{Cc}\p{Cs}\p{So}]$/u.test(character)) return '';
  return null;
}
