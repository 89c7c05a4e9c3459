/**
 * Generates the preview images that other sites show next to a link to ours, one per language of the site: the first
 * screenful without buttons. `node e2e/src/make-og-images.ts URL`, where URL is a running server of the site.
 */
import path from 'node:path';
import { launchBrowser, openVisitor } from './browser.ts';

const url = process.argv[2];
if (url === undefined) throw new Error('Which program? node e2e/src/make-og-images.ts http://127.0.0.1:8080');
const folder = path.resolve(import.meta.dirname, '../../apps/console/public');
const hidden = '.hero-pictures, .hero-text .row, .site-bar > :not(.site-home)';

const browser = await launchBrowser();
for (const locale of ['zh-CN', 'en-US']) {
  const { page, context } = await openVisitor(browser, url, { locale, width: 1200, height: 630 });
  await page.goto(`/?lang=${locale}`);
  await page.locator(hidden).evaluateAll((elements) => {
    for (const element of elements) element.remove();
  });
  await page.screenshot({ path: path.join(folder, `og-${locale}.png`) });
  await context.close();
}
await browser.close();
