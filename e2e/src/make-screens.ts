/**
 * Screenshots of every screen and state, for visual review: `npm run screens`, in three languages, both themes and
 * two widths; full-page ones of the site's pages, in their two languages and four widths. Options for a subset:
 *
 *     npm run screens -- WORD… --not WORD --locale en-US,de-DE --width 390 --theme dark --height 1600 --to FOLDER --at URL
 *
 * WORD: states whose name contains one of the words; `--at`: URL of a running program. They are stored in `screens/`.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import type { ConsoleState } from './console-state.ts';
import { consoleStates } from './console-states.ts';
import { Product } from './product.ts';
import { watchRequests } from './watch-requests.ts';
import { wordsOf } from './words.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    not: { type: 'string' },
    locale: { type: 'string', default: 'zh-CN,en-US,ar-EG' },
    width: { type: 'string' },
    theme: { type: 'string', default: 'light,dark' },
    height: { type: 'string' },
    to: { type: 'string', default: path.resolve(import.meta.dirname, '../../screens') },
    at: { type: 'string' },
  },
});
const folder = path.resolve(options.to);
const locales = options.locale.split(',');
const themes = (['light', 'dark'] as const).filter((theme) => options.theme.split(',').includes(theme));
const sizes = (options.width ?? '1440,390,768,1920').split(',').map((width) => ({
  width: Number(width),
  height: options.height === undefined ? (Number(width) < 720 ? 844 : 960) : Number(options.height),
}));
const siteLocales = ['zh-CN', 'en-US'];
const siteWidths = [768, 1920];

/** Whether it looks different in a language and at a width. */
const hasLook = (state: ConsoleState, { locale, width }: Sight): boolean =>
  state.site === true ? siteLocales.includes(locale) : options.width !== undefined || !siteWidths.includes(width);

const isAsked = ({ name }: ConsoleState): boolean =>
  (words.length === 0 || words.some((word) => name.includes(word))) &&
  (options.not === undefined || !options.not.split(',').some((word) => name.includes(word)));
const states = consoleStates.filter(isAsked);

interface Sight {
  locale: string;
  width: number;
  height: number;
}

async function picture(browser: Browser, url: string, sight: Sight, who: ConsoleState['who']): Promise<string[]> {
  const seen = states.filter((state) => state.who === who && hasLook(state, sight));
  if (seen.length === 0) return [];
  const { page, context } = await openVisitor(browser, url, sight);
  page.setDefaultTimeout(8_000);
  const settled = watchRequests(page, 250);
  if (who !== 'nobody')
    await context.request.post('/api/v1/session', { data: { account: who, password: 'Demo@1234' } });
  const missing: string[] = [];
  for (const state of seen) {
    const name = `${state.name.replaceAll(/\W+/g, '-')}-${sight.locale}-${sight.width}`;
    try {
      await page.emulateMedia({ colorScheme: 'light' });
      await state.open(page, wordsOf(sight.locale));
      await settled();
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(`html[data-theme=${theme}]`).waitFor();
        await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`), fullPage: state.site === true });
      }
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`);
    }
  }
  await context.close();
  return missing;
}

mkdirSync(folder, { recursive: true });
const product = options.at === undefined ? await Product.start() : undefined;
const url = product?.url ?? options.at ?? '';
const browser = await launchBrowser();
try {
  const missing: string[] = [];
  const sights: Sight[] = sizes.flatMap((size) => locales.map((locale) => ({ locale, ...size })));
  for (const sight of sights)
    for (const who of new Set(states.map((state) => state.who)))
      missing.push(...(await picture(browser, url, sight, who)));
  const looks = sights.reduce((sum, sight) => sum + states.filter((state) => hasLook(state, sight)).length, 0);
  const count = looks * themes.length;
  console.log(`${count - missing.length * themes.length} of ${count} pictures in ${folder}`);
  for (const line of missing) console.log(line);
  process.exitCode = missing.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await product?.stop();
}
