import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStopwatch } from '@pahatid/testkit';
import { collect } from './collect-for-test.ts';
import { makeCsv, makeXls, makeXlsx, plainRows, testHeader, testRecipient } from './make-test-files.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';
import { FileProblemError } from './problem.ts';
import { bufferSource } from './source.ts';

/** Files of each kind that are damaged at random (and the same every time), as `zzuf -r 0.2%` would. */
const rows = [testHeader, ...Array.from({ length: 150 }, (_, index) => testRecipient(index))];
const sound = {
  'list.csv': Buffer.from(makeCsv(150)),
  'list.xlsx': await makeXlsx({ sheets: [{ name: 'List', rows: plainRows(rows) }] }),
  'list.xls': makeXls(rows),
};

/** mulberry32: small, and its sequence is known. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function spoil(bytes: Buffer, seed: number): Buffer {
  const random = makeRandom(seed);
  const spoilt = Buffer.from(bytes);
  const flips = 1 + Math.floor(spoilt.length * 8 * 0.002 * random());
  for (let flip = 0; flip < flips; flip += 1) {
    const at = Math.floor(random() * spoilt.length);
    spoilt[at] = (spoilt[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return seed % 5 === 0 ? spoilt.subarray(0, Math.floor(random() * spoilt.length)) : spoilt;
}

/** Two sizes: some 1,000 files in `npm test`, 20,000 in a soak. */
const isSoak = process.env.PAHATID_SOAK === '1';
const ownCount = isSoak ? 8_000 : 500;
const processCount = isSoak ? 4_000 : 24;

/** Any outcome is fine that comes in time and has a code. */
function assertPlausible(parsed: ParsedFile, name: string): void {
  if (!parsed.ok) {
    assert.match(parsed.problem.code, /^FILE_[A-Z_]+$/u);
    return;
  }
  assert.equal(parsed.totalRows, parsed.validCount + parsed.duplicateCount + parsed.rejectedCount, name);
}

for (const kind of ['list.csv', 'list.xlsx'] as const) {
  test(`S36 ${ownCount} spoilt files ${kind.slice(4)}: our own readers answer each with rows or a problem, and soon`, async () => {
    const watch = startStopwatch();
    for (let seed = 1; seed <= ownCount; seed += 1) {
      try {
        const { parsed, rows: read } = await collect(kind, spoil(sound[kind], seed));
        assert.equal(read.length, parsed.validCount);
      } catch (error) {
        assert.ok(error instanceof FileProblemError, `seed ${seed}: ${String(error)}`);
      }
    }
    watch.assertWithin(ownCount * 60, `${ownCount} files`);
  });
}

test(`S36 ${processCount} spoilt files in parser processes: each ends within its time, and the parent goes on`, async () => {
  const timeoutMs = 1_500;
  const watch = startStopwatch();
  const work = Array.from({ length: processCount }, (_, index) => index);
  const endings = new Map<string, number>();
  const takeNext = async (): Promise<void> => {
    for (let index = work.pop(); index !== undefined; index = work.pop()) {
      // Two of three are .xls, whose library is the reason for the separate process.
      const fileName = index % 6 === 0 ? 'list.csv' : index % 6 === 1 ? 'list.xlsx' : 'list.xls';
      const started = performance.now();
      const parsed = await parseFile({
        fileName,
        source: bufferSource(spoil(sound[fileName], 10_000 + index)),
        limits: { timeoutMs },
        onBlock: () => undefined,
        onRejects: () => undefined,
      });
      watch.assertSpan(performance.now() - started, timeoutMs + 5_000, `${fileName} ${index}`);
      assertPlausible(parsed, `${fileName} ${index}`);
      const ending = parsed.ok ? 'ok' : parsed.problem.code;
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
    }
  };
  await Promise.all([takeNext(), takeNext(), takeNext()]);
  assert.equal(
    [...endings.values()].reduce((sum, count) => sum + count, 0),
    processCount,
  );
  // Whatever the damage, the parser never exits without an outcome.
  assert.equal(endings.get('FILE_PARSER_STOPPED') ?? 0, 0, JSON.stringify([...endings]));
});
