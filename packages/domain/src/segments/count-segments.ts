import { GSM_COSTS } from './gsm7.ts';

/**
 * Units one segment holds (specification §9). A text of several segments uses six octets of each for the concatenation
 * header with its 8-bit reference, so 153 of 160 septets and 67 of 70 UTF-16 units remain.
 */
const SEGMENT_CAPACITY = {
  'GSM-7': { single: 160, multi: 153 },
  'UCS-2': { single: 70, multi: 67 },
} as const;

export type SegmentEncoding = keyof typeof SEGMENT_CAPACITY;

export interface SegmentCount {
  encoding: SegmentEncoding;
  /** Code points, as a person counts. */
  characters: number;
  /** Septets (GSM-7) or UTF-16 units (UCS-2) that the text itself takes. */
  units: number;
  /** 0 for an empty text. */
  segments: number;
  /** Units one segment of this text holds. */
  perSegment: number;
  /** Units that can still be typed before the next segment begins. */
  remaining: number;
}

/**
 * Counts the segments of a text by packing it as the network will: a character of the extension table and a
 * surrogate pair are never split, so a segment may stay one unit short.
 */
export function countSegments(text: string): SegmentCount {
  let septets = 0;
  for (let i = 0; i < text.length; i++) {
    const cost = GSM_COSTS[text.charCodeAt(i)]!;
    if (cost === 0) return countUcs2(text);
    septets += cost;
  }
  const { single, multi } = SEGMENT_CAPACITY['GSM-7'];
  const characters = text.length; // GSM 03.38 lies in the basic plane: one unit is one code point.
  if (septets <= single) return describe('GSM-7', characters, septets, text === '' ? 0 : 1, single, single - septets);

  let segments = 1;
  let used = 0;
  for (let i = 0; i < text.length; i++) {
    const cost = GSM_COSTS[text.charCodeAt(i)]!;
    if (used + cost > multi) {
      segments++;
      used = 0;
    }
    used += cost;
  }
  return describe('GSM-7', characters, septets, segments, multi, multi - used);
}

/** UTF-16 offsets at which the segments of a text begin, packed as `countSegments` does: `[0]` for one, none for an empty text. */
export function segmentStarts(text: string): number[] {
  const { encoding, segments, perSegment } = countSegments(text);
  const starts = text === '' ? [] : [0];
  let used = 0;
  for (let i = 0; i < text.length && starts.length < segments; ) {
    const isPair = encoding === 'UCS-2' && isPairAt(text, i);
    const cost = encoding === 'GSM-7' ? GSM_COSTS[text.charCodeAt(i)]! : isPair ? 2 : 1;
    if (used + cost > perSegment) {
      starts.push(i);
      used = 0;
    }
    used += cost;
    i += isPair ? 2 : 1;
  }
  return starts;
}

function countUcs2(text: string): SegmentCount {
  const { single, multi } = SEGMENT_CAPACITY['UCS-2'];
  const units = text.length;
  const fitsOne = units <= single;
  let characters = 0;
  let segments = 1;
  let used = 0;
  for (let i = 0; i < units; i++) {
    const cost = isPairAt(text, i) ? 2 : 1;
    if (!fitsOne && used + cost > multi) {
      segments++;
      used = 0;
    }
    used += cost;
    characters++;
    i += cost - 1;
  }
  const perSegment = fitsOne ? single : multi;
  return describe('UCS-2', characters, units, segments, perSegment, perSegment - used);
}

/** A lone surrogate, which no valid text contains, counts as one unit. */
function isPairAt(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
}

function describe(
  encoding: SegmentEncoding,
  characters: number,
  units: number,
  segments: number,
  perSegment: number,
  remaining: number,
): SegmentCount {
  return { encoding, characters, units, segments, perSegment, remaining };
}
