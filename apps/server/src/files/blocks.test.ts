import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { type BlockRow, decodeBlock, encodeBlock } from './blocks.ts';

test('a block returns its rows, gaps as empty and formulas as null', () => {
  const row = fc.record({
    line: fc.integer({ min: 1, max: 2_000_000 }),
    msisdn: fc.stringMatching(/^[1-9]\d{6,14}$/u),
    values: fc.array(fc.option(fc.string({ unit: 'grapheme' }), { nil: null }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      const width = Math.max(...rows.map(({ values }) => values.length));
      const padded: BlockRow[] = rows.map((given) => ({
        ...given,
        values: [...given.values, ...Array.from({ length: width - given.values.length }, () => '')],
      }));
      assert.deepEqual(decodeBlock(encodeBlock(rows)), padded);
    }),
  );
});

test('a block that we did not write is refused, also one that unpacks without end', () => {
  assert.throws(() => decodeBlock(Buffer.from('not zstd')));
  assert.throws(() => decodeBlock(zstdCompressSync('[[1],["abc"],[]]')));
  assert.throws(() => decodeBlock(zstdCompressSync('[[1],["639171234567"],[["a","b"]]]')));
  assert.throws(() => decodeBlock(zstdCompressSync(Buffer.alloc(200 * 1024 * 1024, ' '))), /larger than|length/iu);
});
