import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { countSegments, type SegmentCount, segmentStarts } from './count-segments.ts';

const cases: Array<[name: string, text: string, expected: Partial<SegmentCount>]> = [
  ['an empty text', '', { encoding: 'GSM-7', characters: 0, units: 0, segments: 0, remaining: 160 }],
  ['160 English characters', 'a'.repeat(160), { encoding: 'GSM-7', segments: 1, remaining: 0, perSegment: 160 }],
  ['161 English characters', 'a'.repeat(161), { segments: 2, remaining: 145, perSegment: 153 }],
  ['306 English characters', 'a'.repeat(306), { segments: 2, remaining: 0 }],
  ['307 English characters', 'a'.repeat(307), { segments: 3, remaining: 152 }],
  ['320 English characters', 'a'.repeat(320), { segments: 3 }],
  ['70 Chinese characters', '中'.repeat(70), { encoding: 'UCS-2', segments: 1, remaining: 0, perSegment: 70 }],
  ['71 Chinese characters', '中'.repeat(71), { segments: 2, remaining: 63, perSegment: 67 }],
  ['134 Chinese characters', '中'.repeat(134), { segments: 2, remaining: 0 }],
  ['150 Chinese characters', '中'.repeat(150), { segments: 3 }],
  ['the extension table costs two', '€[]{}~^|\\\f', { encoding: 'GSM-7', characters: 10, units: 20, segments: 1 }],
  ['159 characters and a euro sign', `${'a'.repeat(159)}€`, { units: 161, segments: 2 }],
  ['158 characters and a euro sign', `${'a'.repeat(158)}€`, { units: 160, segments: 1, remaining: 0 }],
  ['an escape pair at a border', `${'a'.repeat(152)}€${'a'.repeat(20)}`, { units: 174, segments: 2, remaining: 131 }],
  [
    'an escape pair that pushes the text into a third segment',
    `${'a'.repeat(152)}€${'a'.repeat(152)}`,
    { units: 306, segments: 3, remaining: 152 },
  ],
  [
    'a surrogate pair at a border',
    `${'中'.repeat(66)}😀${'中'.repeat(10)}`,
    { units: 78, characters: 77, segments: 2 },
  ],
  [
    'a surrogate pair that pushes the text into a third segment',
    `${'中'.repeat(66)}😀${'中'.repeat(66)}`,
    { units: 134, segments: 3, remaining: 66 },
  ],
  ['a surrogate pair in one segment', `${'a'.repeat(68)}😀`, { units: 70, characters: 69, segments: 1, remaining: 0 }],
  ['one curly quote makes all of it UCS-2', `${'a'.repeat(70)}’`, { encoding: 'UCS-2', segments: 2 }],
  ['extension characters cost one in UCS-2', '€中', { encoding: 'UCS-2', units: 2 }],
  ['a lone surrogate is one unit', '\ud83d中', { encoding: 'UCS-2', units: 2, characters: 2 }],
  ['the peso sign is not in GSM 03.38', '₱', { encoding: 'UCS-2' }],
  ['ñ is in GSM 03.38, á is not', 'ñ', { encoding: 'GSM-7', units: 1 }],
];

for (const [name, text, expected] of cases) {
  test(`counts ${name}`, () => {
    const actual = countSegments(text);
    assert.deepEqual({ ...actual, ...expected }, actual);
  });
}

// Graphemes of several code points are left out: the oracle keeps them whole, the network does not.
const character = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...Array.from('abcXYZ 0189@£_Ωéñà\n?!')) },
  { weight: 4, arbitrary: fc.constantFrom(...Array.from('€[]{}~^|\\')) },
);
const wide = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Array.from('a0 €中文ก’₱ñ')) },
  { weight: 3, arbitrary: fc.constantFrom('😀', '𠀀', '🚀') },
);
const text = fc.oneof(
  fc.array(character, { maxLength: 480 }).map((parts) => parts.join('')),
  fc.array(wide, { maxLength: 220 }).map((parts) => parts.join('')),
);

test('agrees with an independent counter on encoding and segments', () => {
  fc.assert(
    fc.property(text, (sample) => {
      const oracle = new SegmentedMessage(sample);
      const actual = countSegments(sample);
      assert.equal(actual.encoding, oracle.encodingName);
      assert.equal(actual.segments, sample === '' ? 0 : oracle.segmentsCount);
      assert.equal(actual.characters, Array.from(sample).length);
    }),
    { numRuns: 400 },
  );
});

test('the units left really fit and one more opens a segment', () => {
  fc.assert(
    fc.property(text, (sample) => {
      const before = countSegments(sample);
      const filler = before.encoding === 'GSM-7' ? 'a' : '中';
      const full = countSegments(sample + filler.repeat(before.remaining));
      assert.equal(full.segments, Math.max(before.segments, 1));
      assert.equal(full.remaining, 0);
      assert.equal(countSegments(sample + filler.repeat(before.remaining + 1)).segments, full.segments + 1);
    }),
    { numRuns: 200 },
  );
});

test('segments begin where a segment is full, and never within a character', () => {
  assert.deepEqual(segmentStarts(''), []);
  assert.deepEqual(segmentStarts('a'.repeat(160)), [0]);
  assert.deepEqual(segmentStarts('a'.repeat(307)), [0, 153, 306]);
  assert.deepEqual(segmentStarts(`${'a'.repeat(152)}€${'a'.repeat(20)}`), [0, 152]);
  assert.deepEqual(segmentStarts(`${'中'.repeat(66)}😀${'中'.repeat(66)}`), [0, 66, 133]);
});

test('each part of a text between two segments fills one segment, whatever the text', () => {
  const characters = fc.constantFrom('a', '€', '中', '😀', '’', '\n');
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 400 }), (text) => {
      const starts = segmentStarts(text);
      const { encoding, segments, perSegment } = countSegments(text);
      assert.equal(starts.length, segments);
      const unitsOf = (part: string) => (encoding === 'UCS-2' ? part.length : countSegments(part).units);
      starts.forEach((start, index) => {
        const units = unitsOf(text.slice(start, starts[index + 1] ?? text.length));
        assert.ok(units > 0 && units <= perSegment, `${units} of ${perSegment}`);
      });
    }),
  );
});
