/** Anybody opens a public demo from the website, looks at every screen and changes nothing. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser, openVisitor } from './browser.ts';
import { look } from './look.ts';
import { Product } from './product.ts';
import { wordsOf } from './words.ts';

const product = await Product.start({ PAHATID_DEMO: 'visitors', PAHATID_DEMO_TRAFFIC: 'off' });
const browser = await launchBrowser();
after(async () => {
  await browser.close();
  await product.stop();
});

test('from the website into the demo, and out again', { timeout: 300_000 }, async () => {
  const locale = 'en-US';
  const t = wordsOf(locale);
  const { page } = await openVisitor(browser, product.url, { locale });
  await page.goto('/');
  await page.getByRole('button', { name: 'Try the demo' }).click();
  await page.waitForURL(/\/home$/);
  const bar = page.getByRole('region', { name: t('shell.visit') });
  await bar.getByText('change nothing').waitFor();
  await look(page, 'demo-visit-home');
  assert.equal(
    await bar.getByRole('link', { name: t('shell.visit.request') }).getAttribute('href'),
    '/request-account',
  );

  for (const path of ['/bulkMessage', '/member', '/account', '/sender']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await bar.waitFor();
    await look(page, `demo-visit${path.replace('/', '-')}`);
  }
  const answer = await page.evaluate(async () => {
    const response = await fetch('/api/v1/groups', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    return [response.status, ((await response.json()) as { code: string }).code];
  });
  assert.deepEqual(answer, [403, 'DEMO_READ_ONLY']);

  await bar.getByRole('button', { name: t('shell.support.leave') }).click();
  await page.getByRole('button', { name: 'Try the demo' }).waitFor();
  await page.goto('/home');
  await page.waitForURL(/login/);
});
