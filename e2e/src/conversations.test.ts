/** Replies as conversations: found, opened by keys, read up to the newest, on a desk and on a phone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');
const thread = (page: Page) => page.getByRole('log', { name: t('conversations.thread') });
const rows = (page: Page) => page.locator('.conversation-row .row-open');

/** The newest entry stands within what can be seen of the thread. */
async function assertNewestInView(page: Page): Promise<void> {
  await thread(page).locator('article').last().waitFor();
  const below = await thread(page).evaluate<number, HTMLElement>(
    (log) => log.scrollHeight - log.clientHeight - log.scrollTop,
  );
  assert.ok(below < 2, `${below} pixels are below`);
  assert.equal(await page.evaluate('document.documentElement.scrollTop'), 0);
}

test('an unread conversation is opened by keys and is read; the menu counts one less', {
  timeout: 300_000,
}, async () => {
  const owner = await product.signIn('demo');
  const unread = async () => (await owner.call('GET /conversations', { query: { unread: '1' } })).items;
  const before = await unread();
  assert.ok(before.length > 0);
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/conversation?unread=1');
  await rows(page).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await assertNewestInView(page);
  await look(page, 'conversation-opened');
  const opened = new URL(page.url()).searchParams.get('open');
  assert.equal(opened, before[0]?.conversationId);
  await until(async () => (await page.locator('.conversation-row').count()) === before.length - 1);
  assert.deepEqual(
    (await unread()).map(({ conversationId }) => conversationId),
    before.slice(1).map(({ conversationId }) => conversationId),
  );
  const menu = page.getByRole('link', { name: t('conversations.title') });
  await menu.locator('.nav-count', { hasText: new RegExp(`^${before.length - 1}$`) }).waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a phone shows the list or a thread; a number and a text are found', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url, { width: 390, height: 844 });
  await signIn(page, t, 'demo');
  await page.goto('/conversation');
  const number = (await rows(page).first().locator('bdi').first().textContent()) ?? '';
  const search = page.getByRole('searchbox', { name: t('conversations.search') });
  await search.fill(number.slice(0, 15));
  await page.waitForURL('**search=**');
  await rows(page).filter({ hasText: number }).first().click();
  await assertNewestInView(page);
  assert.equal(await rows(page).count(), 0);
  await look(page, 'conversation-390');
  await page.getByRole('button', { name: t('conversations.title') }).click();
  await search.fill('on Sundays');
  await rows(page).filter({ hasText: 'close on Sundays' }).first().waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a conversation is assigned in the thread and found by its user', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/conversation');
  const row = rows(page).nth(2);
  await row.click();
  const menu = page.locator('.conversation-head').getByRole('button', { name: t('conversations.assignee') });
  await menu.click();
  await page.getByRole('button', { name: t('conversations.you'), exact: true }).click();
  await row.getByText(t('conversations.you'), { exact: true }).waitFor();
  const choice = page.getByRole('group', { name: t('conversations.assignee') });
  await choice.getByText(t('conversations.mine')).click();
  await page.waitForURL('**assigned=me**');
  await until(async () => (await rows(page).count()) === 1);
  await look(page, 'conversation-assigned');
  await menu.click();
  await page.getByRole('button', { name: t('conversations.unassigned'), exact: true }).click();
  await until(async () => (await rows(page).count()) === 0);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a saved reply is added, inserted where the writer stands, and deleted', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/conversation');
  await rows(page).first().click();
  const open = page.getByRole('button', { name: t('conversations.saved'), exact: true });
  const manage = async () => {
    await open.click();
    await page.getByRole('button', { name: t('conversations.saved.manage') }).click();
  };
  await manage();
  await page.getByRole('button', { name: t('conversations.saved.add') }).click();
  await page.getByRole('textbox', { name: t('conversations.saved.name') }).fill('Parking at the branch');
  await page.getByRole('textbox', { name: t('review.text') }).fill('There is parking behind the store.');
  await page.locator('.dialog-panel').getByText('1 segment').waitFor();
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click();
  await page.locator('.conversation-saved-list li').filter({ hasText: 'Parking at the branch' }).waitFor();
  await look(page, 'saved-replies');
  await page.locator('.drawer-close').click();
  const text = page.getByRole('textbox', { name: t('inbound.text') });
  await text.fill('Hello! Salamat po.');
  await text.evaluate((field) => (field as HTMLTextAreaElement).setSelectionRange(7, 7));
  await open.click();
  await page.locator('.conversation-saved').getByRole('button', { name: 'Parking at the branch' }).click();
  await until(async () => (await text.inputValue()) === 'Hello! There is parking behind the store.Salamat po.');
  await manage();
  await page.getByRole('button', { name: `${t('groups.delete')}: Parking at the branch` }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('groups.delete'), exact: true })
    .click();
  await page
    .locator('.conversation-saved-list li')
    .filter({ hasText: 'Parking at the branch' })
    .waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a keyword answer is added and tried with a text; an opt-out word is refused', { timeout: 300_000 }, async () => {
  const owner = await product.signIn('demo');
  const { templateId } = await owner.call('POST /templates', {
    body: {
      appId: 'demoapp',
      templateName: 'Parking hours',
      smsType: 2,
      content: 'Parking is open from 6 AM to 10 PM.',
    },
  });
  const reviewer = await product.signIn('reviewer');
  const params = { kind: 'templates', id: templateId } as const;
  await reviewer.call('POST /reviews/:kind/:id/claim', { params });
  await reviewer.call('POST /reviews/:kind/:id/approve', { params, body: {} });
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/conversation');
  await page.getByRole('button', { name: t('conversations.rules'), exact: true }).click();
  await page.getByRole('button', { name: t('conversations.rules.add') }).click();
  const form = page.locator('.dialog-panel');
  await form.getByRole('combobox', { name: t('records.application') }).selectOption('demoapp');
  const words = form.getByRole('textbox', { name: t('conversations.rules.words') });
  await words.fill('Stop');
  await form.getByRole('combobox', { name: t('palette.kind.template') }).selectOption(templateId, { timeout: 20_000 });
  const save = form.getByRole('button', { name: t('ui.save'), exact: true });
  await save.click();
  await form.getByText(t('error.field.OPT_OUT_WORD')).waitFor();
  await words.fill('parking*');
  await save.click();
  await page.locator('.conversation-rules > li').filter({ hasText: 'parking*' }).waitFor();
  await look(page, 'keyword-rules');
  const test = page.getByRole('form', { name: t('conversations.rules.test') });
  const tried = async (text: string, answer: string) => {
    await test.getByRole('textbox').fill(text);
    await test.getByRole('button').click();
    await test.getByText(answer).waitFor();
  };
  await tried('Parking at night?', 'Parking hours');
  await tried('Good morning', t('conversations.rules.test.none'));
  await tried('STOP', t('conversations.rules.test.optOut'));
  await page.getByRole('button', { name: `${t('groups.delete')}: parking*` }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('groups.delete'), exact: true })
    .click();
  await page.locator('.conversation-rules > li').filter({ hasText: 'parking*' }).waitFor({ state: 'detached' });
  await owner.call('DELETE /templates/:templateId', { params: { templateId } });
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a reply is sent with its price shown, and arrives', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/conversation');
  await rows(page).first().click();
  const form = page.getByRole('form', { name: t('conversations.send') });
  const send = form.getByRole('button', { name: t('conversations.send') });
  assert.equal(await send.isDisabled(), true);
  const text = form.getByRole('textbox', { name: t('inbound.text') });
  await text.fill('Hello {1}');
  await form.getByRole('alert').waitFor();
  await text.fill('Yes, until eight. Salamat!');
  await form.getByRole('status').getByText('₱').waitFor();
  await look(page, 'conversation-reply');
  await send.dblclick();
  const sent = thread(page).locator('article', { hasText: 'Yes, until eight.' });
  await sent.getByText(t('records.status.2')).waitFor();
  assert.equal(await sent.count(), 1);
  assert.equal(await text.inputValue(), '');
  await assertNewestInView(page);
  assert.deepEqual(errors, []);
  await page.context().close();
});
