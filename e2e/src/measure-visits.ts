/**
 * Measures visits to the real product in a real browser and writes the results as JSON, one line on the standard
 * output. `npm run bench -- budgets` compares them with the budgets.
 */
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import { Product } from './product.ts';
import { measureScroll, measureTyping } from './smoothness.ts';
import { ByteMeter, type Paints, readPaints, slowDown, watchPaints } from './visit-meter.ts';
import { wordsOf } from './words.ts';

const runs = Number(process.argv[2] ?? 5);
const t = wordsOf('en-US');
const LIST = '/bulkMessage';
const STATISTICS = '/bussinessStatistics/statistics';
const publicPaths = [
  '/',
  '/services',
  '/services/saas',
  '/services/cpaas',
  '/price',
  '/faq',
  '/about',
  '/contact',
  '/request-account',
  '/terms-and-conditions',
  '/privacy-policy',
];

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

type Ready = (page: Page) => Promise<void>;
const shown: Ready = (page) => page.getByRole('heading', { level: 1 }).first().waitFor();
const listed: Ready = (page) => page.getByRole('table').getByRole('row').nth(2).waitFor();
const asked: Ready = (page) => page.getByRole('dialog').waitFor();
const drawn: Ready = (page) => page.locator('.statistics-canvas canvas').first().waitFor();

class Visits {
  readonly #browser: Browser;
  readonly #url: string;
  readonly #cookies: { name: string; value: string; url: string }[];

  constructor(browser: Browser, url: string, cookie: string) {
    this.#browser = browser;
    this.#url = url;
    this.#cookies = cookie
      .split('; ')
      .map((pair) => ({ name: pair.split('=', 1)[0] ?? '', value: pair.slice(pair.indexOf('=') + 1), url }));
  }

  /** Opens a browser without cache or cookies, signed in if requested. */
  async open(isSignedIn: boolean) {
    const visitor = await openVisitor(this.#browser, this.#url, { width: 1440, height: 900 });
    await watchPaints(visitor.context);
    if (isSignedIn) await visitor.context.addCookies(this.#cookies);
    return visitor;
  }

  async bytes(path: string, isSignedIn: boolean, ready: Ready): Promise<{ bytes: number; requests: number }> {
    const { context, page } = await this.open(isSignedIn);
    const meter = await ByteMeter.at(page);
    await page.goto(path);
    await ready(page);
    await meter.rest();
    await context.close();
    return { bytes: meter.bytes, requests: meter.requests };
  }

  async paints(path: string, isSignedIn: boolean, ready: Ready): Promise<Paints & { readyMs: number }> {
    const found: (Paints & { readyMs: number })[] = [];
    for (let run = 0; run < runs; run++) {
      const { context, page } = await this.open(isSignedIn);
      const meter = await ByteMeter.at(page);
      await slowDown(page);
      page.setDefaultTimeout(60_000);
      await page.goto(path, { waitUntil: 'commit' });
      await ready(page);
      const readyMs = await page.evaluate(() => performance.now());
      await meter.rest();
      found.push({ ...(await readPaints(page)), readyMs });
      await context.close();
    }
    const of = (name: keyof (typeof found)[0]) => median(found.map((each) => each[name]));
    return { lcpMs: of('lcpMs'), fcpMs: of('fcpMs'), tbtMs: of('tbtMs'), readyMs: of('readyMs') };
  }

  /** Returns what each screen adds for a user that has the list open. */
  async furtherScreens(): Promise<{ path: string; bytes: number }[]> {
    const paths = await this.#menuPaths();
    const found = [];
    for (const path of paths.filter((each) => each !== LIST && each !== STATISTICS)) {
      const { context, page } = await this.open(true);
      const meter = await ByteMeter.at(page);
      await page.goto(LIST);
      await listed(page);
      await meter.rest();
      const before = meter.bytes;
      await page.locator(`a[href="${path}"]`).first().click();
      await page.waitForURL(`**${path}`);
      await shown(page);
      await meter.rest();
      found.push({ path, bytes: meter.bytes - before });
      await context.close();
    }
    return found;
  }

  async #menuPaths(): Promise<string[]> {
    const { context, page } = await this.open(true);
    await page.goto(LIST);
    await listed(page);
    const links = page
      .getByRole('navigation')
      .first()
      .locator('a')
      .or(page.locator('a[href="/bulkMessage/addMessage"]'));
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    await context.close();
    return [...new Set(paths.filter((path) => path.startsWith('/')))];
  }
}

const product = await Product.start();
const browser = await launchBrowser();
try {
  const cookie = await product.cookieOf('demo');
  const visits = new Visits(browser, product.url, cookie);
  const publicPages = [];
  for (const path of publicPaths) publicPages.push({ path, ...(await visits.bytes(path, false, shown)) });
  const result = {
    publicPages,
    signIn: await visits.bytes('/?login=1', false, asked),
    list: await visits.bytes(LIST, true, listed),
    statistics: await visits.bytes(STATISTICS, true, drawn),
    further: await visits.furtherScreens(),
    publicPaints: await visits.paints('/', false, shown),
    signInPaints: await visits.paints('/?login=1', false, asked),
    listPaints: await visits.paints(LIST, true, listed),
    statisticsPaints: await visits.paints(STATISTICS, true, drawn),
    typing: await measureTyping(() => visits.open(true), browser, t, runs),
    scroll: await measureScroll(() => visits.open(true), runs),
  };
  console.log(JSON.stringify(result));
} finally {
  await browser.close();
  await product.stop();
}
