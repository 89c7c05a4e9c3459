import { GSM_COSTS, isGsmText } from './gsm7.ts';

export interface UnicodeCharacter {
  character: string;
  /** UTF-16 offsets in the text. */
  from: number;
  to: number;
  /** The replacement in GSM 03.38, or null if nothing reads the same. */
  substitute: string | null;
}

/** Characters that GSM 03.38 cannot decompose to: typographic signs with a plain equivalent. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '″': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '·': '.',
  '…': '...',
  '、': ',',
  '。': '.',
  '《': '"',
  '》': '"',
  '〈': '"',
  '〉': '"',
  '`': "'",
  '×': 'x',
  '÷': '/',
  '₱': 'PHP',
};

/** Returns an equivalent of one character in GSM 03.38 ("’" as "'", "₱" as "PHP", "á" as "a"), or null. */
export function findGsmSubstitute(character: string): string | null {
  const listed = SUBSTITUTES[character];
  if (listed !== undefined) return listed;
  // Accents and width: "á" is "a" and a mark, "Ａ" is a wide "A", a no-break space is a space.
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain !== '' && plain !== character && isGsmText(plain) ? plain : null;
}

/** The characters that force a text into UCS-2, in order; none when the text fits GSM 03.38. */
export function listUnicodeCharacters(text: string): UnicodeCharacter[] {
  const found: UnicodeCharacter[] = [];
  let from = 0;
  for (const character of text) {
    const to = from + character.length;
    if (character.length > 1 || GSM_COSTS[character.charCodeAt(0)] === 0) {
      found.push({ character, from, to, substitute: findGsmSubstitute(character) });
    }
    from = to;
  }
  return found;
}
