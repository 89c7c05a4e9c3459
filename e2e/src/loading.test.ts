import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import { signIn } from './people.ts';
import { Product } from './product.ts';
import { wordsOf } from './words.ts';

const t = wordsOf('en-US');
let product: Product;
let browser: Browser;

before(async () => {
  [product, browser] = await Promise.all([Product.start(), launchBrowser()]);
});
after(async () => {
  await browser.close();
  await product.stop();
});

test('who loses the network is told so, and told no more when it is back', async () => {
  const { context, page } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await context.setOffline(true);
  await page.getByText(t('ui.offline')).waitFor();
  await context.setOffline(false);
  await page.getByText(t('ui.offline')).waitFor({ state: 'detached' });
  await context.close();
});

test('a screen whose code is gone reloads the page once; where that does not help it says so, and tries again', async () => {
  const { context, page } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.waitForLoadState('networkidle');
  let isGone = true;
  let loads = 0;
  page.on('domcontentloaded', () => loads++);
  await page.route(/\/assets\/route-[^/]+\.js$/, (route) =>
    isGone ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  await page
    .getByRole('navigation')
    .first()
    .getByRole('link', { name: t('shell.menu.senders') })
    .click();
  await page.getByRole('heading', { level: 1, name: t('ui.chunk.title') }).waitFor();
  assert.equal(loads, 1);
  isGone = false;
  await page.getByRole('button', { name: t('ui.retry') }).click();
  await page.getByRole('heading', { level: 1, name: t('shell.menu.senders') }).waitFor();
  await context.close();
});

test('where not even the first script arrives the page says so in the reader’s language', async () => {
  const { context, page } = await openVisitor(browser, product.url);
  await page.route(/\/assets\/index-[^/]+\.js$/, (route) => route.abort());
  await page.goto('/home');
  await page.getByRole('alert').getByRole('heading', { name: 'The page did not load' }).waitFor();
  await page.unroute(/\/assets\/index-[^/]+\.js$/);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').waitFor();
  await context.close();
});
