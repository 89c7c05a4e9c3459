/** A company requests an account on the site, confirms its address, is accepted by staff, and its owner signs in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const locale = 'en-US';
const t = wordsOf(locale);
const email = 'maria@sampaguita.example';
const company = 'Sampaguita Clinic';

/** The link of the newest mail, as a person finds it in the development mailbox. */
const linkIn = async (pattern: RegExp): Promise<string> => {
  const answer = await fetch(`${product.url}/api/v1/dev/outbox?to=${encodeURIComponent(email)}`);
  return pattern.exec(await answer.text())?.[0] ?? assert.fail(`no link like ${pattern}`);
};

async function request(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Request an account' }).first().click();
  await page.waitForURL(/\/request-account$/);
  await page.getByLabel('Your name').fill('Maria\tReyes');
  await page.getByRole('button', { name: 'Send request' }).press('Enter');
  // Each place shows what is missing; the first of them has the focus.
  await page.locator('[name=company]:focus').waitFor();
  assert.deepEqual(await page.locator('.field-problem:not(:empty)').allTextContents(), [
    'Enter the name of your company.',
    'Enter your work email.',
    'Choose at least one.',
    'Choose one.',
    'We can answer only if you agree.',
  ]);
  await page.getByRole('textbox', { name: 'Company' }).fill(company);
  await page.getByLabel('Work email').fill(email);
  await page.getByRole('checkbox', { name: /Notices/ }).check();
  await page.getByRole('radio', { name: 'To 100,000' }).check();
  await page.getByLabel(/I agree/).check();
  assert.deepEqual(await page.locator('.field-problem:not(:empty)').allTextContents(), []);
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
}

test('a request goes from the form to the queue, and from there to the first sign-in of its owner', {
  timeout: 600_000,
}, async () => {
  const visitor = await openVisitor(browser, product.url, { locale });
  const staff = await openVisitor(browser, product.url, { locale });
  await request(visitor.page);

  await signIn(staff.page, t, 'admin');
  const list = staff.page.getByRole('table', { name: t('shell.menu.accountRequests') });
  await staff.page.goto('/accountRequest');
  await staff.page.getByText(t('customers.request.empty')).waitFor();

  await visitor.page.goto(await linkIn(/http:\S+\/request-account\?lang=en-US#confirm=[\w-]+/));
  await visitor.page.getByRole('button', { name: 'Confirm address' }).click();
  await visitor.page.getByRole('heading', { name: 'Your request has arrived' }).waitFor();
  assert.ok(!visitor.page.url().includes('#'), 'the token is in no history');

  await staff.page.reload();
  const menu = staff.page.getByRole('navigation').first();
  await menu
    .getByRole('link', { name: t('shell.menu.accountRequests') })
    .getByText('1')
    .waitFor();
  await list.getByRole('button', { name: company }).click();
  const drawer = staff.page.getByRole('dialog').first();
  await drawer.getByText(email).first().waitFor();
  await look(staff.page, 'account-request');
  await drawer.getByRole('button', { name: t('customers.add') }).click();
  const form = staff.page.getByRole('dialog', { name: t('customers.add') });
  assert.equal(await form.getByLabel(t('customers.name')).inputValue(), company);
  await form.getByRole('button', { name: t('customers.add') }).click();
  await form.waitFor({ state: 'detached' });
  await drawer.getByText(t('approvals.state.approved')).first().waitFor();
  await drawer.getByRole('link', { name: t('customers.one') }).click();
  await staff.page.getByRole('dialog').getByText(company).first().waitFor();

  const owner = visitor.page;
  await owner.goto(await linkIn(/http:\S+\/invitation#token=[\w-]+/));
  await owner.getByLabel(t('invitations.name')).fill('Maria Reyes');
  await owner.getByLabel(t('session.account')).fill('maria.reyes');
  await owner.getByLabel(t('session.password'), { exact: true }).fill('Kumusta@2026');
  await owner.getByRole('button', { name: t('invitations.submit') }).click();
  await owner.getByRole('heading', { name: t('invitations.done.title', { name: company }) }).waitFor();
  await signIn(owner, t, 'maria.reyes', 'Kumusta@2026');
  await owner.getByText(company).first().waitFor();
  assert.deepEqual([...visitor.errors, ...staff.errors], []);
  for (const { context } of [visitor, staff]) await context.close();
});
