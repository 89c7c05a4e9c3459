/** What test files that run in one process share ends after the last of them (scripts/test-batch.ts). */
import { after } from 'node:test';

type Work = () => void | Promise<void>;

const works: Work[] = [];
let isBatch = false;

/** Called before the first file of several. Last registered, first ended. */
export function beginBatch(): void {
  isBatch = true;
  after(async () => {
    for (const work of works.reverse()) await work();
  });
}

/** After the last file of this process: of a batch, or the only one. */
export function afterBatch(work: Work): void {
  if (isBatch) works.push(work);
  else after(work);
}
