/**
 * People's accounts in a real browser: invited, joined and removed; second factors from their setting up to their removal,
 * by the person and by an owner; passkeys by Chromium's own virtual authenticator.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { totpCode } from './totp.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const password = 'Demo@1234';
/** Password of the new user. */
const chosen = 'Kumusta@2026';
const limits = { timeout: 600_000 };

const openAccount = async (page: Page, t: Words): Promise<void> => {
  await page.getByRole('button', { name: t('shell.user') }).click();
  await page.getByRole('button', { name: t('shell.account') }).click();
  await page.getByRole('heading', { level: 1, name: t('account.title') }).waitFor();
};
const logout = async (page: Page, t: Words): Promise<void> => {
  await page.getByRole('button', { name: t('shell.user') }).click();
  await page.getByRole('button', { name: t('shell.logout'), exact: true }).click();
  await page.waitForURL(/\/$/);
  // The landing page is reloaded, and shows it.
  await page.getByRole('status').getByText(t('shell.logout.done')).waitFor();
};
/** The first step alone. */
const giveFirstFactor = async (page: Page, t: Words, account: string): Promise<void> => {
  await page.goto('/?login=1');
  const card = page.getByRole('dialog');
  await card.getByRole('textbox', { name: t('session.account') }).fill(account);
  await card.getByLabel(t('session.password'), { exact: true }).fill(password);
  await card.getByRole('button', { name: t('session.submit'), exact: true }).click();
  await page.getByRole('heading', { name: t('secondFactor.title') }).waitFor();
};
const givePassword = async (page: Page, t: Words, button: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('account.password'), { exact: true }).fill(password);
  await dialog.getByRole('button', { name: button, exact: true }).click();
};
/** From the QR code to the recovery codes; returns the secret and the codes. */
const scanAndConfirm = async (page: Page, t: Words): Promise<{ secret: string; codes: string[] }> => {
  const dialog = page.getByRole('dialog', { name: t('account.totp.add') });
  await dialog.getByRole('img', { name: t('account.totp.qr') }).waitFor();
  const secret = (await dialog.locator('.copy-text bdi').textContent()) ?? '';
  const code = dialog.getByLabel(t('account.totp.code'));
  await code.fill('12 34');
  await dialog.getByRole('button', { name: t('account.totp.confirm') }).click();
  await dialog.getByText(t('account.totp.code.form')).waitFor();
  await code.fill(totpCode(secret));
  await look(page, 'two-factor-scan');
  await dialog.getByRole('button', { name: t('account.totp.confirm') }).click();
  const shown = page.getByRole('dialog', { name: t('account.codes.title') });
  await shown.waitFor();
  await look(page, 'two-factor-codes');
  const codes = await shown.locator('li').allTextContents();
  assert.equal(codes.length, 10);
  await shown.getByRole('button', { name: t('account.codes.kept') }).click();
  return { secret, codes };
};
const addAuthenticator = async (context: BrowserContext, page: Page): Promise<void> => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};
/** Unfinished sign-ins return 401, and so do wrong codes: the browser logs it, but it is no error. */
const complaints = (errors: string[]): string[] => errors.filter((text) => !/status of (?:401|403|429)/.test(text));

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
  await page.getByLabel(t('session.password'), { exact: true }).fill(chosen);
  await look(page, `invitation-${account}`);
  await page.getByRole('button', { name: t('invitations.submit') }).click();
  await page.getByRole('heading', { name: t('invitations.done.title', { name: 'Sari-Sari Mart' }) }).waitFor();
};

test('an owner invites a viewer, who joins, sees masked phones, finds no owner screens, and is removed', {
  timeout: 600_000,
}, async () => {
  const locale = 'zh-CN';
  const t = wordsOf(locale);
  const [email, account] = ['juan@shop.example', 'juan.cruz'];
  const owner = await openVisitor(browser, product.url, { locale });
  const invited = await openVisitor(browser, product.url, { locale });
  await signIn(owner.page, t, 'demo');
  await invite(owner.page, t, email);
  const link = await linkFor(email);
  await accept(invited.page, t, link, account);

  await signIn(invited.page, t, account, chosen);
  await invited.page.goto('/bussinessStatistics/sendRecord');
  const table = invited.page.getByRole('table');
  // Rows being loaded are empty.
  await table.getByRole('cell').filter({ hasText: '***' }).first().waitFor();
  const cells = await table.getByRole('cell').allTextContents();
  const seen = cells.map((cell) => cell.replaceAll(/[\s\u200e-\u200f\u2066-\u2069]/g, '')).join(' ');
  assert.match(seen, /\*\*\*/);
  assert.doesNotMatch(seen, /(?<!\d)\+?639\d{9}(?!\d)/);
  const menu = invited.page.getByRole('navigation').first();
  assert.equal(await menu.getByRole('link', { name: t('members.title') }).count(), 0);
  assert.equal(await menu.getByRole('link', { name: t('audit.title') }).count(), 0);
  await invited.page.goto('/auditLog');
  await invited.page.getByText(t('ui.notFound.text')).waitFor();

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
  await look(owner.page, 'audit-entry');
  assert.deepEqual([...owner.errors, ...invited.errors], []);
  for (const { context } of [owner, invited]) await context.close();
});

test(
  'an authenticator app is set up, asked for, replaced by a recovery code and removed, in Chinese',
  limits,
  async () => {
    const t = wordsOf('zh-CN');
    await product.signIn('demo');
    const { page, errors } = await openVisitor(browser, product.url, { locale: 'zh-CN' });
    await signIn(page, t, 'demo');
    await openAccount(page, t);
    const sessions = page.getByRole('list', { name: t('account.sessions') });
    await sessions.getByText(t('account.session.current')).waitFor();
    assert.ok((await sessions.getByRole('listitem').count()) >= 2);
    await look(page, 'account');
    await page.getByRole('button', { name: t('account.sessions.endOthers') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('account.sessions.endOthers') })
      .click();
    await page.getByText(t('account.sessions.ended')).waitFor();
    await sessions.getByRole('listitem').nth(1).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: t('account.totp.add') }).click();
    await givePassword(page, t, t('account.continue'));
    const { secret, codes } = await scanAndConfirm(page, t);
    await page.getByText(t('account.on')).waitFor();
    await logout(page, t);

    await giveFirstFactor(page, t, 'demo');
    const field = page.getByLabel(t('secondFactor.totp.label'));
    await field.fill('000000');
    await page.getByRole('button', { name: t('secondFactor.submit'), exact: true }).click();
    await page.locator('.field-error').waitFor();
    await look(page, 'second-factor-wrong');
    await field.fill(totpCode(secret, 1));
    await page.getByRole('button', { name: t('secondFactor.submit'), exact: true }).click();
    await page.waitForURL(/\/home$/);
    await logout(page, t);

    await giveFirstFactor(page, t, 'demo');
    await page.getByRole('button', { name: t('secondFactor.recoveryCode.use') }).click();
    await page.getByLabel(t('secondFactor.recoveryCode.label')).fill((codes[0] ?? '').toLowerCase());
    await page.getByRole('button', { name: t('secondFactor.submit'), exact: true }).click();
    await page.waitForURL(/\/home$/);
    await openAccount(page, t);
    await page.getByRole('button', { name: t('account.totp.remove') }).click();
    await givePassword(page, t, t('account.totp.remove'));
    await page.getByText(t('account.totp.removed')).waitFor();
    await page.getByText(t('account.off')).waitFor();
    assert.deepEqual(complaints(errors), []);
  },
);

test(
  'a passkey signs in alone and after a password, and is removed with the password, in English',
  limits,
  async () => {
    const t = wordsOf('en-US');
    // A number in the address can own no passkey; the name of the same machine can.
    const { page, context, errors } = await openVisitor(browser, product.url.replace('127.0.0.1', 'localhost'));
    await addAuthenticator(context, page);
    await signIn(page, t, 'other');
    await openAccount(page, t);
    await page.getByRole('button', { name: t('account.passkey.add') }).click();
    const dialog = page.getByRole('dialog', { name: t('account.passkey.add') });
    await dialog.getByLabel(t('account.passkey.name'), { exact: true }).fill('Work laptop');
    await dialog.getByLabel(t('account.password'), { exact: true }).fill(password);
    await dialog.getByRole('button', { name: t('account.passkey.make') }).click();
    await page.getByRole('button', { name: t('account.codes.kept') }).click();
    const passkeys = page.getByRole('list', { name: t('account.passkeys') });
    await passkeys.getByText(t('account.passkey.unused')).waitFor();
    await look(page, 'account-passkey');
    await logout(page, t);

    await page.goto('/?login=1');
    await look(page, 'sign-in-passkey');
    await page.getByRole('button', { name: t('secondFactor.passkey.alone') }).click();
    await page.waitForURL(/\/home$/);
    await logout(page, t);

    await giveFirstFactor(page, t, 'other');
    await look(page, 'second-factor-passkey');
    await page.getByRole('button', { name: t('secondFactor.passkey.submit') }).click();
    await page.waitForURL(/\/home$/);
    await openAccount(page, t);
    await passkeys.getByText('Work laptop').waitFor();
    assert.equal(await passkeys.getByText(t('account.passkey.unused')).count(), 0);
    await page.getByRole('button', { name: t('account.passkey.remove.of', { name: 'Work laptop' }) }).click();
    await page.getByRole('dialog').getByLabel(t('account.password'), { exact: true }).fill('Wrong@1234');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('account.passkey.remove') })
      .click();
    await page.getByText(t('error.REAUTHENTICATE')).waitFor();
    await givePassword(page, t, t('account.passkey.remove'));
    await page.getByText(t('account.passkey.removed')).waitFor();
    assert.deepEqual(complaints(errors), []);
  },
);

test(
  'a user that needs a second factor sets one up first, on a phone; an owner resets it when it is lost',
  limits,
  async () => {
    const t = wordsOf('en-US');
    const owner = await product.signIn('demo');
    await owner.call('PATCH /account/customer', { body: { requireTwoFactor: true } });
    const { page, errors } = await openVisitor(browser, product.url, { width: 390, height: 844 });
    await page.goto('/?login=1&next=/bulkMessage');
    const card = page.getByRole('dialog');
    await card.getByRole('textbox', { name: t('session.account') }).fill('demo-member');
    await card.getByLabel(t('session.password'), { exact: true }).fill(password);
    await card.getByRole('button', { name: t('session.submit'), exact: true }).click();
    await page.getByRole('heading', { level: 1, name: t('account.enrol.title') }).waitFor();
    await look(page, 'enrol-390');
    await page.goto('/smsTemplate');
    await page.getByRole('heading', { level: 1, name: t('account.enrol.title') }).waitFor();
    await page.getByRole('button', { name: t('account.totp.add') }).click();
    await scanAndConfirm(page, t);
    await page.waitForURL(/\/smsTemplate$/);
    await page
      .getByRole('heading', { level: 1, name: t('shell.title.templates') })
      .or(page.getByRole('heading', { level: 1 }))
      .first()
      .waitFor();
    assert.deepEqual(complaints(errors), []);

    // The phone with the app is lost: an owner takes the factor away, against a reason and the own password.
    await owner.call('PATCH /account/customer', { body: { requireTwoFactor: false } });
    const { page: ownerPage } = await openVisitor(browser, product.url);
    await signIn(ownerPage, t, 'demo');
    await ownerPage.goto('/member');
    await ownerPage.getByRole('button', { name: /^Reset two-factor of / }).click();
    const ask = ownerPage.getByRole('alertdialog');
    await ask.getByLabel(t('factorReset.reason')).fill('The phone with the app was lost');
    await ask.getByLabel(t('factorReset.password')).fill(password);
    await ask.getByRole('button', { name: t('factorReset.confirm') }).click();
    await ownerPage.getByText(t('factorReset.done')).waitFor();
    await page.reload();
    await page.waitForURL(/login=1/);
    await page.getByRole('dialog').waitFor();
    await signIn(page, t, 'demo-member');
  },
);
