/**
 * Runs several test files in one process, one after another, each as a test around its own: most of the time of a short
 * one alone goes into loading the same modules; others share what takes long to start. `node scripts/test-batch.ts FILE …`,
 * absolute paths.
 */
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { beginBatch } from '../packages/testkit/src/after-batch.ts';
import { endIfLeftOpen } from './left-open.ts';
import { cpuMsNow, noteCost } from './test-cost.ts';

const files = process.argv.slice(2);
let notedMs = 0;
const note = (file: string, cpuMs: number): void => {
  noteCost(file, cpuMs);
  notedMs += cpuMs;
};

beginBatch();
for (const file of files)
  test(file, async (t) => {
    const before = cpuMsNow();
    // The last hook to be added runs last, after those of the file.
    await import(pathToFileURL(file).href);
    t.after(() => note(file, cpuMsNow() - before));
  });
endIfLeftOpen();
// What they share: the programs that ended last, and what is loaded before them.
process.on('exit', () => note(files[0] ?? '', cpuMsNow() - notedMs));
