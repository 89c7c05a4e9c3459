/**
 * Runs several short test files in one process, one after another, each as a test around its own: most of their time
 * alone goes into loading the same modules. `node scripts/test-batch.ts FILE …`, absolute paths.
 */
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cpuMsNow, noteCost } from './test-cost.ts';

for (const file of process.argv.slice(2))
  test(file, async (t) => {
    const before = cpuMsNow();
    // The last hook to be added runs last, after those of the file.
    await import(pathToFileURL(file).href);
    t.after(() => noteCost(file, cpuMsNow() - before));
  });
