import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { chooseNext, inBatches, inOrder, namedFiles, sharing, spareRoom, weightOf } from './test-plan.ts';

const root = path.join(import.meta.dirname, '..');

test('every file that the plan names is there', () => {
  assert.deepEqual(
    namedFiles.filter((file) => !existsSync(path.join(root, file))),
    [],
  );
});

test('the files that use a shared product are those of the lists, and run together, each once', () => {
  const folder = path.join(root, 'e2e/src');
  const using = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => readFileSync(path.join(folder, name), 'utf8').includes('shareProduct('))
    .map((name) => `e2e/src/${name}`);
  assert.deepEqual(sharing.flat().toSorted(), using);
  const files = [...using, ...namedFiles.filter((file) => !using.includes(file)), 'a/b/c.test.ts'];
  const batches = inBatches(files);
  assert.deepEqual(batches.slice(0, sharing.length), sharing);
  assert.deepEqual(batches.flat().toSorted(), files.toSorted());
  assert.deepEqual(inBatches(using.slice(0, 1)), [using.slice(0, 1)]);
});

test('all files run, each once, and no more concurrently than there is room for', () => {
  for (const cores of [1, 2, 8]) {
    const waiting = inOrder([...namedFiles, 'a/short.test.ts', 'b/short.test.ts']);
    const running: string[] = [];
    const begun: string[] = [];
    while (waiting.length + running.length > 0) {
      const next = chooseNext(waiting, running, cores);
      if (next === undefined) {
        assert.ok(running.length > 0, 'something always has room on an empty machine');
        running.shift();
        continue;
      }
      waiting.splice(waiting.indexOf(next), 1);
      running.push(next);
      begun.push(next);
      const kinds = running.map((file) => weightOf(file).kind);
      const count = (kind: string): number => kinds.filter((each) => each === kind).length;
      if (cores === 2) assert.ok(count('computes') <= 3 && count('waits') <= 6, kinds.join());
    }
    assert.equal(new Set(begun).size, namedFiles.length + 2);
    const rest = begun.filter((file) => weightOf(file).kind === 'computes').map((file) => weightOf(file).seconds);
    assert.deepEqual(
      rest,
      rest.toSorted((a, b) => b - a),
      'the longest first',
    );
  }
});

test('idle processors give room to one file that waits, and when half of them are to one that computes', () => {
  const [computes, waits] = (['computes', 'waits'] as const).map(
    (kind) => namedFiles.find((file) => weightOf(file).kind === kind)!,
  );
  const full = [computes, computes, computes] as string[];
  const choose = (running: string[], idle: number) => chooseNext([computes!, waits!], running, 2, spareRoom(idle));
  assert.equal(choose(full, 0.2), undefined);
  assert.equal(choose(full, 0.4), waits);
  assert.equal(choose([...full, waits!], 0.4), undefined);
  assert.equal(choose(full, 0.6), computes);
  assert.equal(choose([...full, waits!], 0.6), waits);
  assert.equal(choose([...full, computes!], 0.6), undefined);
});
