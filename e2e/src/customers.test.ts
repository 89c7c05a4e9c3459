/**
 * The provider's side of a customer in a real browser: added, topped up, its owner comes in by the link and sees the
 * money; suspended and resumed while a task runs; its screens seen by support, which can change nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import type { Page } from 'playwright-core';
import { type Look, openVisitor } from './browser.ts';
import { look } from './look.ts';
import { openScreen, signIn } from './people.ts';
import { makePhoneFile } from './phone-files.ts';
import { prepareTask } from './send-task.ts';
import { shareProduct } from './shared-product.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();

const visit = async (
  account: string,
  how: Look = {},
): Promise<{ page: Page; t: Words; close: () => Promise<void> }> => {
  const t = wordsOf(how.locale ?? 'en-US');
  const { page, context } = await openVisitor(browser, product.url, how);
  await signIn(page, t, account);
  return { page, t, close: () => context.close() };
};
const open = async (page: Page, t: Words, name: string) => {
  await openScreen(page, t, 'shell.menu.customers');
  await page.getByRole('table').getByRole('button', { name }).first().click();
  const drawer = page.getByRole('dialog', { name });
  await drawer.getByText(t('customers.money')).waitFor();
  return drawer;
};

test('an admin adds a customer and tops it up; its owner comes in by the link and finds the money', async () => {
  const { page, t, close } = await visit('admin');
  await openScreen(page, t, 'shell.menu.customers');
  await page.getByRole('button', { name: t('customers.add') }).click();
  const form = page.getByRole('dialog', { name: t('customers.add') });
  await form.getByLabel(t('customers.name')).fill('Panaderya Luntian');
  await form.getByLabel(t('customers.ownerEmail')).fill('may-ari@luntian.test');
  await form.getByText(t('customers.invite.link'), { exact: true }).click();
  await form.getByRole('button', { name: t('customers.add') }).click();
  const shown = page.getByRole('dialog', { name: t('customers.link.title') });
  const link = await shown
    .getByText(/#token=/)
    .first()
    .textContent();
  await look(page, 'customer-link');
  await shown.getByRole('button', { name: t('customers.link.done') }).click();
  const drawer = page.getByRole('dialog', { name: 'Panaderya Luntian' });
  await drawer.getByRole('button', { name: t('customers.topUp') }).click();
  const money = page.getByRole('dialog', { name: t('customers.enter.topUp') });
  await money.getByLabel(t('customers.amount')).fill('12,345.50');
  await money.getByLabel(t('customers.note')).fill('Slip 0001');
  // A double click is one entry.
  await money.getByRole('button', { name: t('customers.enter.confirm.topUp') }).dblclick();
  await drawer.getByText('₱12,345.50').first().waitFor();
  await close();

  const owner = await openVisitor(browser, product.url);
  const words = wordsOf('en-US');
  await owner.page.goto((link ?? '').trim());
  await owner.page.getByLabel(words('invitations.name')).fill('May-ari');
  await owner.page.getByLabel(words('session.account')).fill('luntian');
  await owner.page.getByLabel(words('session.password'), { exact: true }).fill('Tinapay@2026');
  await owner.page.getByRole('button', { name: words('invitations.submit') }).click();
  await owner.page.getByText(words('invitations.done.title', { name: 'Panaderya Luntian' })).waitFor();
  await signIn(owner.page, words, 'luntian', 'Tinapay@2026');
  await openScreen(owner.page, words, 'shell.menu.billing');
  await owner.page.getByText('₱12,345.50').first().waitFor();
  const entry = owner.page.getByRole('row', { name: /Slip 0001/ });
  await entry.waitFor();
  assert.equal(await entry.count(), 1);
  const download = owner.page.waitForEvent('download');
  await owner.page.getByRole('button', { name: words('billing.statement') }).click();
  await owner.page.getByRole('menuitem').or(owner.page.locator('.menu-item')).first().click();
  assert.match((await download).suggestedFilename(), /^statement-\d{4}-\d\d\.csv$/);
  await look(owner.page, 'billing');
  await owner.context.close();
});

test('suspending a customer stops its running task, resuming lets it go on to its end', async () => {
  const user = await product.signIn('demo');
  await product.setCarriers({ tps: 100 });
  const { taskId } = await prepareTask(user, makePhoneFile('csv', 1_500, 3), 'Long one');
  const staff = await product.signIn('operator');
  const task = () => staff.call('GET /tasks/:taskId', { params: { taskId } });
  const { page, t, close } = await visit('operator');
  const drawer = await open(page, t, 'Sari-Sari Mart');
  await drawer.getByRole('button', { name: t('customers.suspend'), exact: true }).click();
  const ask = page.getByRole('alertdialog');
  await ask.getByLabel(t('customers.suspend.reason')).fill('Unpaid');
  // All but the last click was before: the task is over in seconds.
  await user.call('POST /tasks/:taskId/confirm', { params: { taskId } });
  await until(async () => (await task()).successCount > 50, { what: 'the task to run' });
  await ask.getByRole('button', { name: t('customers.suspend.confirm') }).click();
  await drawer.getByText(t('customers.useState.0')).first().waitFor();
  assert.equal((await user.fetch('/session')).status, 401, 'its people are out');
  const paused = await task();
  assert.deepEqual([paused.paused, paused.statusReason], [1, 'PAUSED_BY_STAFF']);
  // Messages in transit to the carrier get a response; then nothing changes any more.
  let before = -1;
  await until(
    async () => {
      const now = (await task()).successCount;
      const rests = now === before;
      before = now;
      return rests;
    },
    { everyMs: 600, what: 'the sends to stop' },
  );
  assert.ok(before < 1_500, `${before} of 1,500 were sent`);

  await product.setCarriers({ tps: 5_000 });
  await drawer.getByRole('button', { name: t('customers.resume'), exact: true }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('customers.resume') })
    .click();
  await drawer.getByText(t('customers.useState.1')).first().waitFor();
  await until(async () => (await task()).taskStatus === 6, { timeoutMs: 120_000, what: 'the task to complete' });
  await close();
});

test('support sees a customer’s screens with phones masked, marked on each, and can change nothing', async () => {
  const { page, t, close } = await visit('reviewer', { locale: 'zh-CN' });
  const drawer = await open(page, t, 'Bangko Uno');
  await drawer.getByRole('button', { name: t('customers.view') }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('customers.view.confirm') })
    .click();
  await page.waitForURL(/\/home$/);
  const bar = page.getByRole('region', { name: t('shell.support') });
  await bar.getByText('Bangko Uno').waitFor();
  await openScreen(page, t, 'shell.menu.tasks');
  await bar.waitFor();
  const refused = await page.evaluate(async () => {
    const answer = await fetch('/api/v1/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    return [answer.status, ((await answer.json()) as { code: string }).code];
  });
  assert.deepEqual(refused, [403, 'VIEW_ONLY']);
  await look(page, 'support');
  await bar.getByRole('button', { name: t('shell.support.leave') }).click();
  await page.waitForURL(/\/customer$/);
  await page.getByRole('heading', { level: 1, name: t('customers.title') }).waitFor();
  assert.equal(await bar.count(), 0);
  await close();
});
