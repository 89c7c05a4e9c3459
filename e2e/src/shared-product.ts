/**
 * One running product on the demo's data, and one browser, for the test files of a process: the files listed as `sharing`
 * in scripts/test-plan.ts run in one. They come in any order, and leave the demo's users, settings and carriers as they
 * found them; what they add has names that no other file uses.
 */
import { after } from 'node:test';
import { afterBatch } from '@pahatid/testkit';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { Product } from './product.ts';

interface Shared {
  readonly product: Product;
  readonly browser: Browser;
}

let started: Promise<Shared> | null = null;

export async function shareProduct(): Promise<Shared> {
  started ??= start();
  // The caller needs a promise that was made for it: after one of another file, its tests would be added to that file's.
  const shared = await started;
  // Open pages go on asking and painting.
  after(async () => {
    for (const context of shared.browser.contexts()) await context.close();
  });
  return shared;
}

async function start(): Promise<Shared> {
  const [product, browser] = await Promise.all([Product.start(), launchBrowser()]);
  afterBatch(async () => {
    await browser.close();
    await product.stop();
  });
  return { product, browser };
}
