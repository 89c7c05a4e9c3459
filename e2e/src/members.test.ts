/** The people of a customer: invited by mail, they join, see what their role allows, and are removed. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { Product } from './product.ts';
import { type Words, wordsOf } from './words.ts';

const product = await Product.start({ PAHATID_ROLES: 'api' });
const browser = await launchBrowser();
after(async () => {
  await browser.close();
  await product.stop();
});

const password = 'Kumusta@2026';

/** The link of the newest mail, as a person finds it in the development mailbox. */
const linkFor = async (email: string): Promise<string> => {
  const answer = await fetch(`${product.url}/api/v1/dev/outbox?to=${encodeURIComponent(email)}`);
  const link = /http:\S+\/invitation#token=[\w-]+/.exec(await answer.text())?.[0];
  assert.ok(link, `no link for ${email}`);
  return link;
};

const invite = async (page: Page, t: Words, email: string): Promise<void> => {
  await page.goto('/member');
  await page
    .getByRole('button', { name: t('members.invite') })
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: t('members.invite.title') });
  await drawer.getByRole('button', { name: t('members.invite.submit') }).click();
  await drawer.getByText(t('ui.required.message', { label: t('members.email') })).waitFor();
  await drawer.getByLabel(t('members.email')).fill(email);
  await drawer.getByText(t('members.role.viewer'), { exact: true }).click();
  await look(page, `members-invite-${email}`);
  await drawer.getByRole('button', { name: t('members.invite.submit') }).click();
  await page.getByRole('table').getByText(email).first().waitFor();
  await look(page, `members-invitations-${email}`);
};

const accept = async (page: Page, t: Words, link: string, account: string): Promise<void> => {
  await page.goto(link);
  await page.getByRole('heading', { name: t('invitations.title', { name: 'Sari-Sari Mart' }) }).waitFor();
  await page.getByRole('button', { name: t('invitations.submit') }).click();
  await page.getByText(t('invitations.name.required')).waitFor();
  await page.getByLabel(t('invitations.name')).fill('Juan Cruz');
  await page.getByLabel(t('session.account')).fill(account);
  await page.getByLabel(t('session.password'), { exact: true }).fill(password);
  await look(page, `invitation-${account}`);
  await page.getByRole('button', { name: t('invitations.submit') }).click();
  await page.getByRole('heading', { name: t('invitations.done.title', { name: 'Sari-Sari Mart' }) }).waitFor();
};

for (const locale of ['zh-CN', 'en-US'] as const) {
  test(`an owner invites a viewer, who joins, sees phones masked, and is removed (${locale})`, {
    timeout: 60_000,
  }, async () => {
    const t = wordsOf(locale);
    const [email, account] = [`juan-${locale.toLowerCase()}@shop.example`, `juan.${locale.toLowerCase()}`];
    const owner = await openVisitor(browser, product.url, { locale });
    const invited = await openVisitor(browser, product.url, { locale });
    await signIn(owner.page, t, 'demo');
    await invite(owner.page, t, email);
    const link = await linkFor(email);
    await accept(invited.page, t, link, account);

    await signIn(invited.page, t, account, password);
    await invited.page.goto('/bussinessStatistics/sendRecord');
    const table = invited.page.getByRole('table');
    await table.getByRole('row').nth(2).waitFor();
    const cells = await table.getByRole('cell').allTextContents();
    const seen = cells.map((cell) => cell.replaceAll(/[\s\u200e-\u200f\u2066-\u2069]/g, '')).join(' ');
    assert.match(seen, /\*\*\*/);
    assert.doesNotMatch(seen, /(?<!\d)\+?639\d{9}(?!\d)/);
    const menu = invited.page.getByRole('navigation').first();
    assert.equal(await menu.getByRole('link', { name: t('members.title') }).count(), 0);
    assert.equal(await menu.getByRole('link', { name: t('audit.title') }).count(), 0);

    await owner.page.goto('/member?search=juan');
    const row = owner.page.getByRole('row').filter({ hasText: account });
    await row.getByRole('button', { name: t('members.remove') }).click();
    const dialog = owner.page.getByRole('alertdialog', { name: t('members.remove.title', { name: 'Juan Cruz' }) });
    await dialog.getByRole('button', { name: t('members.remove.confirm') }).click();
    await row.waitFor({ state: 'detached' });
    await invited.page.reload();
    await invited.page.waitForURL(/login=1/);

    await owner.page.goto('/auditLog');
    const log = owner.page.getByRole('table');
    await log
      .getByRole('button', { name: t('audit.action.join') })
      .first()
      .click();
    const entry = owner.page.getByRole('dialog');
    await entry.getByText(email).first().waitFor();
    await look(owner.page, `audit-entry-${locale}`);
    assert.deepEqual([...owner.errors, ...invited.errors], []);
    for (const { context } of [owner, invited]) await context.close();
  });
}

test('the last owner is told why he can’t go', { timeout: 60_000 }, async () => {
  const t = wordsOf('en-US');
  const { page, context } = await openVisitor(browser, product.url);
  await signIn(page, t, 'other');
  await page.goto('/member');
  await page
    .getByRole('table')
    .getByRole('button', { name: t('members.remove') })
    .click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: t('members.remove.confirm') }).click();
  await page.getByText(t('error.LAST_OWNER')).first().waitFor();
  await context.close();
});
