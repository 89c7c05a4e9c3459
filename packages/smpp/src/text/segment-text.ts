/**
 * A text or octets cut into what submit_sm carries. A concatenation header of 6 octets (05 00 03, 8-bit reference,
 * 3GPP TS 23.040 §9.2.3.24.1) leaves 153 septets, 67 UTF-16 units or 134 octets; with a 16-bit reference it would be 152 and 66.
 */
import { DATA_CODING, encodeText } from './data-coding.ts';
import { encodeGsm7, gsm7Septets } from './gsm7.ts';

/** esm_class bit 6: the short_message begins with a user data header (SMPP 3.4 §5.2.12). */
export const ESM_CLASS_UDHI = 0x40;

export type SegmentAlphabet = 'gsm7' | 'ucs2';

export type Segments = {
  alphabet: SegmentAlphabet | 'octets';
  data_coding: number;
  /** 0, or `ESM_CLASS_UDHI` when there are several. */
  esm_class: number;
  /** One `short_message` each, header included. */
  parts: Buffer[];
};

type Limits = { single: number; part: number };
const GSM7: Limits = { single: 160, part: 153 };
const UCS2: Limits = { single: 140, part: 134 };
const OCTETS: Limits = { single: 140, part: 134 };
const MAX_PARTS = 255;

/**
 * Cuts a text; `reference` (0…255) joins the parts at the receiver and must differ between neighbouring messages to one
 * phone. Without `alphabet`, GSM 7-bit if it has all characters, else UCS-2. No escape pair and no surrogate pair is
 * split. Throws beyond 255 parts, which the header cannot number.
 */
export function segmentText(text: string, reference: number, alphabet?: SegmentAlphabet): Segments {
  const chosen = alphabet ?? (gsm7Septets(text) === undefined ? 'ucs2' : 'gsm7');
  const octets = chosen === 'gsm7' ? encodeGsm7(text) : encodeText(text, 'ucs2');
  return {
    alphabet: chosen,
    data_coding: chosen === 'gsm7' ? DATA_CODING.default : DATA_CODING.ucs2,
    ...cut(octets, reference, chosen === 'gsm7' ? GSM7 : UCS2, chosen === 'gsm7' ? cutsEscapePair : cutsSurrogatePair),
  };
}

/** Cuts octets that are no text (data_coding 4). */
export function segmentOctets(octets: Buffer, reference: number): Segments {
  return {
    alphabet: 'octets',
    data_coding: DATA_CODING.octets,
    ...cut(octets, reference, OCTETS, () => false),
  };
}

/** How many segments the text takes; the same count as `segmentText(text, …).parts.length`, without making them. */
export function countSegments(text: string): number {
  const septets = gsm7Septets(text);
  if (septets !== undefined && septets <= GSM7.single) return 1;
  if (septets === undefined && text.length * 2 <= UCS2.single) return 1;
  const [octets, limits, splits] =
    septets === undefined
      ? ([encodeText(text, 'ucs2'), UCS2, cutsSurrogatePair] as const)
      : ([encodeGsm7(text), GSM7, cutsEscapePair] as const);
  return cutPoints(octets, limits.part, splits).length;
}

function cut(octets: Buffer, reference: number, limits: Limits, splits: Splits) {
  if (octets.length <= limits.single) return { esm_class: 0, parts: [octets] };
  const ends = cutPoints(octets, limits.part, splits);
  if (ends.length > MAX_PARTS) throw new RangeError(`${ends.length} segments; ${MAX_PARTS} is the most`);
  let start = 0;
  const parts = ends.map((end, index) => {
    const header = Buffer.from([5, 0, 3, reference & 0xff, ends.length, index + 1]);
    const part = Buffer.concat([header, octets.subarray(start, end)]);
    start = end;
    return part;
  });
  return { esm_class: ESM_CLASS_UDHI, parts };
}

/** True if a cut at `at` would tear a character apart. */
type Splits = (octets: Buffer, at: number) => boolean;

function cutPoints(octets: Buffer, part: number, splits: Splits): number[] {
  const ends: number[] = [];
  for (let start = 0; start < octets.length; ) {
    let end = Math.min(start + part, octets.length);
    while (end < octets.length && splits(octets, end)) end--;
    ends.push(end);
    start = end;
  }
  return ends;
}

function cutsEscapePair(octets: Buffer, at: number): boolean {
  return octets[at - 1] === 0x1b;
}

function cutsSurrogatePair(octets: Buffer, at: number): boolean {
  if (at % 2 === 1) return true;
  return ((octets[at] ?? 0) & 0xfc) === 0xdc && ((octets[at - 2] ?? 0) & 0xfc) === 0xd8;
}
