/**
 * A reviewer's morning with the keyboard only, in both languages: the queue, a second reviewer on the same item,
 * approve, reject with a reason and a place; the author sees both.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType } from '@pahatid/contract';
import { until } from '@pahatid/testkit';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import type { Product } from './product.ts';
import { shareProduct } from './shared-product.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const author = await product.signIn('demo');
const { items: apps } = await author.call('GET /applications', {});
const appId =
  apps.find(({ appName }) => appName === 'Store notices')?.appId ?? assert.fail('the demo has an application');
const submit = (templateName: string, content: string) =>
  author.call('POST /templates', { body: { templateName, appId, smsType: SmsType.Notification, content } });

const visit = async (locale: string, account: string): Promise<{ page: Page; t: Words; errors: string[] }> => {
  const t = wordsOf(locale);
  const { page, errors } = await openVisitor(browser, product.url, { locale });
  await signIn(page, t, account);
  return { page, t, errors };
};
/** Moves on in the open drawer until the one that is wanted is open. */
const moveTo = async (page: Page, title: string): Promise<void> => {
  const heading = page.getByRole('dialog').getByRole('heading', { level: 2 }).first();
  for (let step = 0; step < 30; step++) {
    const open = await heading.textContent();
    if (open === title) return;
    await page.keyboard.press('j');
    await until(async () => (await heading.textContent()) !== open, { everyMs: 20, what: `what follows ${open}` });
  }
  assert.fail(`${title} is not in the queue`);
};

for (const locale of ['en-US', 'zh-CN'])
  test(`${locale}: the queue by the keyboard alone`, { timeout: 600_000 }, async () => {
    const names = ['approved', 'rejected', 'next'].map((what) => `Parcel ${what} ${locale}`);
    const [approved = '', rejected = '', next = ''] = names;
    await submit(approved, 'Sari-Sari Mart: your parcel {1} is on its way.');
    const { templateId } = await submit(rejected, 'Your parcel {1} waits, see https://bit.ly/parcel for more.');
    await submit(next, 'Sari-Sari Mart: your parcel {1} has arrived.');

    const { page, t, errors } = await visit(locale, 'reviewer');
    await page.goto('/review');
    await page.getByRole('table').getByText(next).waitFor();
    for (const key of ['move', 'open', 'approve', 'reject', 'close'])
      await page
        .getByRole('list', { name: t('review.keys') })
        .getByText(t(`review.keys.${key}`))
        .waitFor();
    await look(page, `review-${locale}-queue`);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await moveTo(page, approved);
    await page.getByRole('dialog', { name: approved }).getByText(t('review.history.first')).waitFor();

    // A second user on the same item sees the current reviewer, and no key decides.
    const other = await visit(locale, 'admin');
    const held = other.t('review.claimed.note', { name: await product.signIn('reviewer').then(whoIs) });
    await other.page.goto('/review');
    await other.page.getByRole('table').getByText(next).waitFor();
    await other.page.keyboard.press('j');
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('dialog').waitFor();
    await moveTo(other.page, approved);
    await other.page.getByText(held).waitFor();
    await other.page.keyboard.press('a');
    await other.page.keyboard.press('r');
    await look(other.page, `review-${locale}-held`);
    assert.equal(await other.page.getByRole('dialog').count(), 1, 'nothing opened');
    await other.page.context().close();

    await page.keyboard.press('a');
    await page.getByText(t('review.approved', { name: approved })).waitFor();
    // The next one opens automatically.
    const drawer = page.getByRole('dialog', { name: rejected });
    await drawer.locator('mark').first().waitFor();
    assert.equal(await drawer.locator('mark').first().textContent(), 'https://bit.ly/parcel');
    await look(page, `review-${locale}-drawer`);
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: t('review.reject.title', { name: rejected }) });
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText(t('error.REASON_REQUIRED')).waitFor();
    // The focus moved to the note, which must be typed or selected.
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('Name your shop');
    for (let back = 0; back < 3 && !(await onRadio(page)); back++) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('3');
    await dialog.getByText(t('review.reject.marked', { text: 'https://bit.ly/parcel' })).waitFor();
    // The reviewer means another place than the one that is suggested.
    await page.keyboard.press('Tab');
    await page.locator('textarea[aria-readonly]:focus').waitFor();
    await page.keyboard.type('x');
    await page.keyboard.press('ControlOrMeta+Home');
    for (let letter = 0; letter < 11; letter++) await page.keyboard.press('Shift+ArrowRight');
    await dialog.getByText(t('review.reject.marked', { text: 'Your parcel' })).waitFor();
    await look(page, `review-${locale}-reject`);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText(t('review.rejected', { name: rejected })).waitFor();
    await page.getByRole('dialog', { name: next }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(errors, [], 'nothing complained in the console');
    await page.context().close();

    const { page: mine } = await visit(locale, 'demo');
    await mine.goto(`/smsTemplate?open=${templateId}`);
    const told = mine.getByRole('dialog', { name: rejected }).getByRole('alert');
    await told.getByText(t('reason.LINK_UNSAFE')).waitFor();
    await told.getByText('Name your shop').waitFor();
    assert.equal(await told.locator('mark').textContent(), 'Your parcel');
    await look(mine, `review-${locale}-author`);
    await mine.context().close();
  });

const whoIs = async (reviewer: Awaited<ReturnType<Product['signIn']>>): Promise<string> =>
  (await reviewer.call('GET /session')).user.name;
const onRadio = async (page: Page): Promise<boolean> => (await page.locator('input[type=radio]:focus').count()) === 1;

test('an admin adds a public holiday and removes it, and a reviewer only reads the table', async () => {
  const { page, t, errors } = await visit('en-US', 'admin');
  await page.goto('/review?hours=1');
  const drawer = page.getByRole('dialog', { name: t('review.hours') });
  const table = drawer.getByRole('table');
  await table.getByText('2026-12-25').waitFor();
  const add = drawer.getByRole('button', { name: t('review.holidays.add') });
  await drawer.getByRole('textbox', { name: t('review.holidays.day') }).fill('26 December');
  await add.click();
  await drawer.getByText(t('review.holidays.day.invalid')).waitFor();
  await drawer.getByRole('textbox', { name: t('review.holidays.day') }).fill('2030-02-04');
  await drawer.getByRole('textbox', { name: t('review.holidays.name'), exact: true }).fill('Founding Day');
  await add.click();
  await table.getByText('Founding Day').waitFor();
  await drawer.getByRole('button', { name: t('review.holidays.remove', { name: '2030-02-04 Founding Day' }) }).click();
  await table.getByText('Founding Day').waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
  await page.context().close();

  const reader = await visit('zh-CN', 'reviewer');
  await reader.page.goto('/review?hours=1');
  await reader.page.getByText(reader.t('review.holidays.admins')).waitFor();
  await reader.page.getByRole('table').getByText('圣诞节', { exact: true }).first().waitFor();
  await reader.page.context().close();
});
