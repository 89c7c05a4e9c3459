/**
 * GSM 03.38 default alphabet and its extension table (3GPP TS 23.038 §6.2.1), one septet per octet as SMPP carries it.
 */
const DEFAULT_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

const EXTENSION: readonly (readonly [number, string])[] = [
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
];

const ESCAPE = 0x1b;
const REPLACEMENT = '\ufffd';
const QUESTION_MARK = 0x3f;

/** By UTF-16 unit: the septet, or 0x1b00 + the septet after an escape, or -1. */
const SEPTETS = new Int16Array(0x10000).fill(-1);
for (let septet = 0; septet < 128; septet++) {
  if (septet !== ESCAPE) SEPTETS[DEFAULT_ALPHABET.charCodeAt(septet)] = septet;
}
for (const [septet, character] of EXTENSION) SEPTETS[character.charCodeAt(0)] = (ESCAPE << 8) | septet;

const BY_EXTENSION: ReadonlyMap<number, string> = new Map(EXTENSION);

const septetAt = (text: string, index: number): number => SEPTETS[text.charCodeAt(index)]!;

/** Returns the septets of a text, extension characters counting two; undefined if a character is in neither table. */
export function gsm7Septets(text: string): number | undefined {
  let septets = 0;
  for (let i = 0; i < text.length; i++) {
    const septet = septetAt(text, i);
    if (septet < 0) return undefined;
    septets += septet > 0xff ? 2 : 1;
  }
  return septets;
}

/** True when the alphabet has every character of the text. */
export function isGsm7(text: string): boolean {
  return gsm7Septets(text) !== undefined;
}

/** One septet per octet; a character the alphabet lacks becomes a question mark (ask `isGsm7` first). */
export function encodeGsm7(text: string): Buffer {
  const octets = Buffer.allocUnsafe(text.length * 2);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const septet = septetAt(text, i);
    if (septet < 0) {
      octets[at++] = QUESTION_MARK;
      continue;
    }
    if (septet > 0xff) octets[at++] = ESCAPE;
    octets[at++] = septet & 0x7f;
  }
  return octets.subarray(0, at);
}

/**
 * Never throws: an octet of 0x80 or more and an escape with nothing after it become U+FFFD. After an escape, a septet the
 * extension table lacks is shown as its default character, as the standard asks.
 */
export function decodeGsm7(octets: Buffer): string {
  // Most messages are plain ASCII, where both alphabets agree.
  if (isPlain(octets)) return octets.toString('latin1');
  const characters: string[] = [];
  for (let i = 0; i < octets.length; i++) {
    const octet = octets[i]!;
    if (octet >= 0x80) characters.push(REPLACEMENT);
    else if (octet !== ESCAPE) characters.push(DEFAULT_ALPHABET.charAt(octet));
    else if (++i >= octets.length) characters.push(REPLACEMENT);
    else characters.push(afterEscape(octets[i]!));
  }
  return characters.join('');
}

function isPlain(octets: Buffer): boolean {
  for (let i = 0; i < octets.length; i++) {
    const octet = octets[i]!;
    if (octet >= 0x80 || SEPTETS[octet] !== octet) return false;
  }
  return true;
}

function afterEscape(octet: number): string {
  // A second escape is reserved for another table; until there is one it is shown as a space (§6.2.1.1, note 1).
  if (octet === ESCAPE) return ' ';
  return BY_EXTENSION.get(octet) ?? (octet >= 0x80 ? REPLACEMENT : DEFAULT_ALPHABET.charAt(octet));
}
