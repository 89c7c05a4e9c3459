/**
 * Pictures of every screen and state in three languages, both themes and two widths, to be looked at one by one:
 * `npm run screens`, or `npm run screens -- WORD…` for those whose name holds one of the words. They lie in `screens/`.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import { type ConsoleState, consoleStates } from './console-states.ts';
import { Product } from './product.ts';
import { wordsOf } from './words.ts';

const folder = path.resolve(import.meta.dirname, '../../screens');
const locales = ['zh-CN', 'en-US', 'ar-EG'];
const sizes = [
  { width: 1440, height: 960 },
  { width: 390, height: 844 },
];
const themes = ['light', 'dark'] as const;

const words = process.argv.slice(2);
const states = consoleStates.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const visitors = [...new Set(states.map(({ who }) => who))];

interface Sight {
  locale: string;
  width: number;
  height: number;
}

async function picture(browser: Browser, url: string, sight: Sight, who: ConsoleState['who']): Promise<string[]> {
  const { page, context } = await openVisitor(browser, url, sight);
  page.setDefaultTimeout(8_000);
  if (who !== 'nobody')
    await context.request.post('/api/v1/session', { data: { account: who, password: 'Demo@1234' } });
  const missing: string[] = [];
  for (const state of states.filter((each) => each.who === who)) {
    const name = `${state.name.replaceAll(/\W+/g, '-')}-${sight.locale}-${sight.width}`;
    try {
      await page.emulateMedia({ colorScheme: 'light' });
      await state.open(page, wordsOf(sight.locale));
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(`html[data-theme=${theme}]`).waitFor();
        await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`) });
      }
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`);
    }
  }
  await context.close();
  return missing;
}

mkdirSync(folder, { recursive: true });
const product = await Product.start();
const browser = await launchBrowser();
try {
  const missing: string[] = [];
  for (const size of sizes)
    for (const locale of locales)
      for (const who of visitors) missing.push(...(await picture(browser, product.url, { locale, ...size }, who)));
  const count = states.length * locales.length * sizes.length * themes.length;
  console.log(`${count - missing.length * themes.length} of ${count} pictures in ${folder}`);
  for (const line of missing) console.log(line);
  process.exitCode = missing.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await product.stop();
}
