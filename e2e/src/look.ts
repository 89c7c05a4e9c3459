import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';

const folder = process.env['PAHATID_PICTURES'];

/** Takes a screenshot, if a folder for them is set. */
export async function look(page: Page, name: string): Promise<void> {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}
