/** Every screen with its states, looked at by axe-core in both languages and themes, on a desk and on a phone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, type Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import type { ConsoleState, Visitor } from './console-state.ts';
import { consoleStates } from './console-states.ts';
import { findViolations } from './find-violations.ts';
import { look } from './look.ts';
import { shareProduct } from './shared-product.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();

/** PAHATID_AXE=all: every state in every look, and from the right as well. */
const isWhole = process.env['PAHATID_AXE'] === 'all';
const looks = [
  { locale: 'en-US', width: 1440, height: 960 },
  { locale: 'zh-CN', width: 390, height: 844 },
  ...(isWhole ? [{ locale: 'ar-EG', width: 1440, height: 960 }] : []),
];
const visitors: readonly Visitor[] = ['nobody', 'demo', 'reviewer', 'admin'];

/** Half of the states in each look, save those that a look changes much. */
const isLookedAt = (state: ConsoleState, index: number, look: number): boolean =>
  isWhole || (state.rare !== true && (state.everyLook === true || index % looks.length === look));

/** A browser short of time may draw no more frames of a page, which then never gets its colours: it is reopened. */
async function violationsOf(state: ConsoleState, page: Page, words: Words): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    await state.open(page, words);
    try {
      return await findViolations(page);
    } catch (error) {
      if (attempt === 2 || !(error instanceof errors.TimeoutError)) throw error;
    }
  }
}

test('a field that is half below a bar of the window, as far as the page is scrolled, is no finding', async () => {
  const { page, context } = await openVisitor(browser, product.url, { locale: 'en-US', width: 390, height: 844 });
  await context.request.post('/api/v1/session', { data: { account: 'demo', password: 'Demo@1234' } });
  const state = consoleStates.find(({ name }) => name === 'task create, filled');
  assert.ok(state);
  await state.open(page, wordsOf('en-US'));
  const covered = await page.evaluate<number>(`(() => {
    const bar = document.querySelector('.tasks-editor-footer').getBoundingClientRect();
    const field = [...document.querySelectorAll('input[role=combobox]')].at(-1).getBoundingClientRect();
    scrollBy(0, field.top + field.height / 2 - bar.top);
    return [...document.querySelectorAll('input[role=combobox]')].at(-1).getBoundingClientRect().bottom - bar.top;
  })()`);
  assert.ok(covered > 5, `the field is covered by ${covered} pixels`);
  assert.deepEqual(await findViolations(page), []);
  await context.close();
});

for (const [index, size] of looks.entries())
  test(`nothing for axe to find on any screen in ${size.locale} at ${size.width} pixels`, {
    timeout: isWhole ? 1_800_000 : 600_000,
  }, async () => {
    const words = wordsOf(size.locale);
    const found: string[] = [];
    for (const who of visitors) {
      const { page, context } = await openVisitor(browser, product.url, size);
      if (who !== 'nobody')
        await context.request.post('/api/v1/session', { data: { account: who, password: 'Demo@1234' } });
      for (const state of consoleStates.filter((each, at) => each.who === who && isLookedAt(each, at, index))) {
        try {
          found.push(...(await violationsOf(state, page, words)).map((line) => `${state.name}: ${line}`));
        } catch (error) {
          found.push(`${state.name}: ${(error as Error).message}`);
        }
        await look(page, `${size.locale}-${size.width}-${state.name.replaceAll(/\W+/g, '-')}`);
      }
      await context.close();
    }
    assert.deepEqual(found, []);
  });
