/** What axe-core finds wrong on a page, in both themes. The contrast of colours is all that differs between them. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Parts of Ant Design's pickers that axe misjudges: disabled days need no contrast (WCAG 1.4.3), and the columns of the
 * clock are for a pointer only, next to a field in which the time is typed.
 */
const exclude = ['.ant-picker-cell-disabled', '.ant-picker-time-panel-column'];
const popups =
  '.ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-picker-dropdown:not(.ant-picker-dropdown-hidden)';
/** For an open list or calendar: it is outside the landmarks, and covers what is below it. */
const rulesOff = { region: { enabled: false }, 'target-size': { enabled: false } };
/** Our own calendar is inside the landmarks. On a phone it covers the sheet of filters, and which part depends on the page. */
const calendar = '.date-range';
const coveredByCalendar = { 'target-size': { enabled: false } };

/** A page that was notified is painted within a part of it, also on a busy machine. */
const NOTIFIED_MS = 5_000;
const NOTIFY_TRIES = 10;

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

export async function findViolations(page: Page): Promise<string[]> {
  // By the debugger, which the page's policy does not bind.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source);
  const covered = (await page.locator(popups).count()) > 0;
  const rules = covered ? rulesOff : (await page.locator(calendar).count()) > 0 ? coveredByCalendar : {};
  await paint(page, 'light');
  const judge = () => runAxe(page, { runOnly: { type: 'tag', values: standards }, rules });
  const light = covered ? await judge() : await unscrolled(page, judge);
  await paint(page, 'dark');
  const dark = await runAxe(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}

/**
 * In a window as high as the page: bars at the edges of the window cover what is scrolled below them, and what they cover
 * half would be taken for a small target. The scroll position of the page is not a violation.
 */
async function unscrolled<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const size = page.viewportSize();
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  if (size === null || height <= size.height) return await work();
  await page.setViewportSize({ width: size.width, height });
  try {
    await page.evaluate(twoFrames);
    return await work();
  } finally {
    await page.setViewportSize(size);
  }
}

/** Sets the theme, which the page's own script changes; the repaint follows a frame or two later. */
async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // A browser short of time does not notify a page of every change: it is changed back and forth until one arrives.
  const isPainted = (): Promise<boolean> =>
    page
      .locator(`html[data-theme=${colorScheme}]`)
      .waitFor({ timeout: NOTIFIED_MS })
      .then(() => true)
      .catch(() => false);
  for (let left = NOTIFY_TRIES; !(await isPainted()); left--) {
    assert.ok(left > 0, `the page is not told of the ${colorScheme} theme`);
    await page.emulateMedia({ colorScheme: colorScheme === 'light' ? 'dark' : 'light' });
    await page.evaluate(twoFrames);
    await page.emulateMedia({ colorScheme });
  }
  await page.evaluate(twoFrames);
  // A color half way between two themes is not a real one.
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
