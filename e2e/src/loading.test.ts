import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import type { BrowserContext, Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { choose, openScreen, signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const t = wordsOf('en-US');
const { product, browser } = await shareProduct();

/** Repeated: a busy browser has been seen to go on reporting a network. */
const loseNetwork = (context: BrowserContext, page: Page): Promise<boolean> =>
  until(
    async () => {
      await context.setOffline(false);
      await context.setOffline(true);
      return page.evaluate(() => !navigator.onLine);
    },
    { what: 'the browser without a network' },
  );

test('a network loss is shown, and cleared when it is back', async () => {
  const { context, page } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await loseNetwork(context, page);
  await page.getByText(t('ui.offline')).waitFor();
  await context.setOffline(false);
  await page.getByText(t('ui.offline')).waitFor({ state: 'detached' });
  await context.close();
});

test('a screen with missing code reloads the page once; if that fails it reports so, and retries', async () => {
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

test('typed input survives Escape and the end of the session: after signing in again it can be saved', async () => {
  const { context, page } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await openScreen(page, t, 'shell.menu.senders');
  await page
    .getByRole('button', { name: t('senders.add') })
    .first()
    .click();
  const form = page.getByRole('dialog', { name: t('senders.add') });
  await form.getByLabel(t('senders.senderId')).fill('KEPT');
  await page.keyboard.press('Escape');
  await page
    .getByRole('alertdialog', { name: t('ui.discard.title') })
    .getByRole('button', { name: t('ui.discard.stay') })
    .click();
  await choose(page, t('senders.application'), 'Store notices');
  await context.request.delete('/api/v1/session');
  await form.getByRole('button', { name: t('senders.add') }).click();
  const door = page.getByRole('dialog', { name: t('session.title') });
  await door.getByText(t('session.ended')).waitFor();
  await door.getByRole('textbox', { name: t('session.account') }).fill('demo');
  await door.getByLabel(t('session.password'), { exact: true }).fill('Demo@1234');
  await door.getByRole('button', { name: t('session.submit'), exact: true }).click();
  await door.waitFor({ state: 'detached' });
  await form.getByRole('button', { name: t('senders.add') }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('table').getByText('KEPT', { exact: true }).waitFor();
  await context.close();
});

test('if even the first script fails to load the page reports it in the reader language', async () => {
  const { context, page } = await openVisitor(browser, product.url);
  await page.route(/\/assets\/index-[^/]+\.js$/, (route) => route.abort());
  await page.goto('/home');
  await page.getByRole('alert').getByRole('heading', { name: 'The page did not load' }).waitFor();
  await page.unroute(/\/assets\/index-[^/]+\.js$/);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').waitFor();
  await context.close();
});
