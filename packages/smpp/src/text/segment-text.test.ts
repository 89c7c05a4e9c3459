import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeText } from './data-coding.ts';
import { countSegments, segmentOctets, segmentText } from './segment-text.ts';

const COUNTS: readonly (readonly [text: string, segments: number])[] = [
  ['', 1],
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  ['a'.repeat(320), 3],
  ['中'.repeat(70), 1],
  ['中'.repeat(71), 2],
  ['中'.repeat(134), 2],
  ['中'.repeat(150), 3],
  [`${'a'.repeat(158)}€`, 1],
  [`${'a'.repeat(159)}€`, 2],
];

test('K10: 160 and then 153 septets, 70 and then 67 units; an extension character costs two', () => {
  for (const [text, segments] of COUNTS) {
    assert.equal(segmentText(text, 1).parts.length, segments, `${text.length} × ${text[0]}`);
    assert.equal(countSegments(text), segments);
  }
});

test('K10: 140 octets and then 134', () => {
  assert.deepEqual(
    segmentOctets(Buffer.alloc(140), 1).parts.map((part) => part.length),
    [140],
  );
  assert.deepEqual(
    segmentOctets(Buffer.alloc(141), 1).parts.map((part) => part.length),
    [140, 13],
  );
});

test('K10: the header is 05 00 03, with an 8-bit reference, the count and the number of the part', () => {
  const { parts, esm_class, data_coding } = segmentText('@'.repeat(306), 0x142);
  assert.deepEqual(
    parts.map((part) => part.subarray(0, 6).toString('hex')),
    ['050003420201', '050003420202'],
  );
  assert.deepEqual([esm_class, data_coding], [0x40, 0]);
  assert.deepEqual(
    parts.map((part) => part.length),
    [159, 159],
  );
});

test('K10: one segment has no header', () => {
  const { parts, esm_class, data_coding } = segmentText('₱', 1);
  assert.deepEqual([parts[0]?.toString('hex'), esm_class, data_coding], ['20b1', 0, 8]);
});

test('K10: an escape pair is not split', () => {
  const { parts } = segmentText(`${'a'.repeat(152)}€${'a'.repeat(20)}`, 1);
  assert.deepEqual(
    parts.map((part) => part.length - 6),
    [152, 22],
  );
});

test('K10: a surrogate pair is not split', () => {
  const { parts } = segmentText(`${'中'.repeat(66)}😀${'中'.repeat(10)}`, 1);
  assert.deepEqual(
    parts.map((part) => (part.length - 6) / 2),
    [66, 12],
  );
});

test('K10: the parts of any text, decoded one by one, are the text', () => {
  const unit = fc.constantFrom('a', '€', '{', 'ñ', ' ', '中', '😀', '₱');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 700 }), (units) => {
      const text = units.join('');
      const { parts, alphabet } = segmentText(text, 7);
      const bodies = parts.length === 1 ? parts : parts.map((part) => part.subarray(6));
      assert.equal(bodies.map((body) => decodeText(body, alphabet)).join(''), text);
      assert.ok(parts.every((part) => part.length <= (alphabet === 'gsm7' && parts.length === 1 ? 160 : 159)));
      assert.equal(countSegments(text), parts.length);
    }),
    { numRuns: 200 },
  );
});

test('more than 255 segments cannot be numbered and throw', () => {
  assert.throws(() => segmentText('a'.repeat(153 * 255 + 1), 1), RangeError);
});
