/** What axe-core finds wrong on a page, in both themes. The contrast of colours is all that differs between them. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Parts of Ant Design's pickers that axe misjudges: days that can't be chosen need no contrast (WCAG 1.4.3), and the
 * columns of the clock are for a pointer alone, beside a field in which the time is typed.
 */
const exclude = ['.ant-picker-cell-disabled', '.ant-picker-time-panel-column'];
const popups =
  '.ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-picker-dropdown:not(.ant-picker-dropdown-hidden)';
/** While a list or calendar lies over the page: it stands outside of the landmarks, and covers what is below it. */
const rulesOff = { region: { enabled: false }, 'target-size': { enabled: false } };

export async function findViolations(page: Page): Promise<string[]> {
  // By the debugger, which the page's policy does not bind.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source);
  const covered = (await page.locator(popups).count()) > 0;
  await paint(page, 'light');
  const light = await runAxe(page, {
    runOnly: { type: 'tag', values: standards },
    ...(covered && { rules: rulesOff }),
  });
  await paint(page, 'dark');
  const dark = await runAxe(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}

/** The theme is changed by the page's own script, and what it paints anew shows a frame or two later. */
async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  const painted = page.locator(`html[data-theme=${colorScheme}]`);
  await page.emulateMedia({ colorScheme });
  await painted.waitFor({ timeout: 5_000 }).catch(async () => {
    // Of a browser that is short of time a page just opened is not always told.
    await page.emulateMedia({ colorScheme: colorScheme === 'light' ? 'dark' : 'light' });
    await page.emulateMedia({ colorScheme });
    await painted.waitFor({ timeout: 20_000 });
  });
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
  // A colour half way between two themes is nobody's choice.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished))',
  );
}

async function runAxe(page: Page, options: RunOptions): Promise<string[]> {
  const context = JSON.stringify({ exclude });
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${context}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary?.replaceAll('\n', ' ')}`),
  );
}
