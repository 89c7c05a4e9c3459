/**
 * Account recovery as users see it: sign-in by a code, a password reset by SMS and by e-mail, a changed one, and the
 * phone that receives codes. Each method once; that both languages have all texts is checked without a browser.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();

interface OutboxItem {
  subject: string | null;
  text: string;
}

const outbox = async (to: string): Promise<OutboxItem[]> => {
  const answer = await fetch(`${product.url}/api/v1/dev/outbox?to=${encodeURIComponent(to)}`);
  return ((await answer.json()) as { items: OutboxItem[] }).items;
};

/** The newest code of those that came since `seen`. */
const codeTo = (to: string, seen: number): Promise<string> =>
  until(
    async () => {
      const items = await outbox(to);
      return items.length > seen ? /\b\d{6}\b/.exec(items[0]?.text ?? '')?.[0] : undefined;
    },
    { what: `a code to ${to}` },
  );

interface Person {
  readonly account: string;
  readonly email: string;
  readonly phone: string;
}

/** The own phone, by the password and the code that came to the new one. */
async function setPhone(page: Page, t: Words, phone: string, password: string, name: string): Promise<void> {
  await page.goto('/account');
  await page.getByRole('button', { name: t('account.phone.change') }).click();
  const asked = page.getByRole('dialog', { name: t('account.phone.change') });
  await asked.getByRole('textbox', { name: t('passwords.phone') }).fill(phone);
  await asked.getByLabel(t('account.password'), { exact: true }).fill(password);
  const send = asked.getByRole('button', { name: t('passwords.code.send') });
  const code = await getCode(page, phone, () => send.click(), t);
  const given = page.getByRole('dialog', { name: t('account.phone.confirm') });
  await given.getByRole('textbox', { name: t('passwords.code') }).fill(code);
  await look(page, `${name}-phone`);
  await given.getByRole('button', { name: t('account.phone.use') }).click();
  await page.getByText(t('account.phone.saved'), { exact: true }).waitFor();
  await page.getByText('+63 *** *** 0123').waitFor();
}

/** Requests a code, and returns it. */
async function getCode(page: Page, to: string, ask: () => Promise<void>, t: Words): Promise<string> {
  const seen = (await outbox(to)).length;
  await ask();
  await page.getByText(t('passwords.code.sent'), { exact: true }).waitFor();
  return codeTo(to, seen);
}

/** Keyboard users need no mouse: each step starts in its first field. */
const isIn = (page: Page, field: string) => page.getByRole('dialog').locator(`input[name=${field}]:focus`).waitFor();

const waits = (page: Page, t: Words) =>
  page.getByRole('button', { name: new RegExp(t('passwords.code.resendIn').replace(/\{\w+\}/, '\\d+')) });

async function signInByCode(page: Page, t: Words, { email }: Person, name: string): Promise<void> {
  await page.goto('/?login=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: t('session.tab.email') }).click();
  await dialog.getByRole('textbox', { name: t('passwords.email') }).fill(email);
  const send = dialog.getByRole('button', { name: t('passwords.code.send') });
  const code = await getCode(page, email, () => send.click(), t);
  await isIn(page, 'code');
  await look(page, `${name}-email-tab`);
  // The countdown outlives a reload.
  await page.reload();
  await dialog.getByRole('tab', { name: t('session.tab.email') }).click();
  await waits(page, t).waitFor();
  assert.ok(await waits(page, t).isDisabled());
  await dialog.getByRole('textbox', { name: t('passwords.email') }).fill(email);
  await dialog.getByRole('textbox', { name: t('passwords.code') }).fill(code);
  await dialog.getByRole('button', { name: t('passwords.emailTab.submit'), exact: true }).click();
  await page.waitForURL(/\/home$/);
}

async function resetByPhone(page: Page, t: Words, { phone }: Person, password: string, name: string): Promise<void> {
  await page.goto('/?login=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: t('session.forgot') }).click();
  await dialog.getByRole('heading', { name: t('passwords.forgot.title') }).waitFor();
  await dialog.getByRole('button', { name: t('passwords.forgot.submit') }).click();
  await dialog.getByText(t('passwords.phone.required')).waitFor();
  await isIn(page, 'phone');
  await dialog.getByRole('textbox', { name: t('passwords.phone') }).fill(phone);
  const send = dialog.getByRole('button', { name: t('passwords.code.send') });
  const code = await getCode(page, phone, () => send.click(), t);
  await dialog.getByRole('textbox', { name: t('passwords.code') }).fill(code === '000000' ? '000001' : '000000');
  await dialog.getByLabel(t('passwords.new'), { exact: true }).fill('12345');
  await dialog.getByLabel(t('passwords.confirm'), { exact: true }).fill('123456');
  await dialog.getByRole('button', { name: t('passwords.forgot.submit') }).click();
  await dialog.getByText(t('error.field.PASSWORD_LENGTH')).waitFor();
  await dialog.getByText(t('error.field.PASSWORD_MISMATCH')).waitFor();
  await look(page, `${name}-forgot-errors`);
  await dialog.getByLabel(t('passwords.new'), { exact: true }).fill(password);
  await dialog.getByLabel(t('passwords.confirm'), { exact: true }).fill(password);
  await dialog.getByRole('button', { name: t('passwords.forgot.submit') }).click();
  await dialog.getByText(t('error.CODE_INVALID')).waitFor();
  await dialog.getByRole('textbox', { name: t('passwords.code') }).fill(code);
  await look(page, `${name}-forgot`);
  await dialog.getByRole('button', { name: t('passwords.forgot.submit') }).click();
  await page.getByText(t('passwords.reset.done')).waitFor();
  await look(page, `${name}-forgot-done`);
}

async function resetByEmail(page: Page, t: Words, { email }: Person, password: string, name: string): Promise<void> {
  await page.goto('/?login=1&forgot=phone');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('passwords.forgot.byEmail') }).click();
  const now = (step: 1 | 2 | 3) =>
    dialog.locator('[aria-current=step]', { hasText: t(`passwords.reset.step.${step}`) }).waitFor();
  await now(1);
  await isIn(page, 'email');
  await dialog.getByRole('textbox', { name: t('passwords.email') }).fill(email);
  await look(page, `${name}-reset-1`);
  const send = dialog.getByRole('button', { name: t('passwords.reset.send') });
  const code = await getCode(page, email, () => send.click(), t);
  await now(2);
  await isIn(page, 'code');
  await page.reload();
  await now(2);
  await waits(page, t).waitFor();
  await dialog.getByRole('textbox', { name: t('passwords.code') }).fill(code);
  await look(page, `${name}-reset-2`);
  await dialog.getByRole('button', { name: t('passwords.reset.verify') }).click();
  await now(3);
  await isIn(page, 'newPassword');
  const field = dialog.getByLabel(t('passwords.new'), { exact: true });
  for (const [text, strength] of [
    ['Ab1!', 'Weak'],
    ['Ricefield7', 'Medium'],
    [password, 'Strong'],
  ] as const) {
    await field.fill(text);
    await dialog.getByText(t(`passwords.strength.${strength}`), { exact: true }).waitFor();
    await look(page, `${name}-reset-3-${strength}`);
  }
  await dialog.getByLabel(t('passwords.confirm'), { exact: true }).fill(password);
  await dialog.getByRole('button', { name: t('passwords.reset.submit') }).click();
  await page.getByText(t('passwords.reset.done')).waitFor();
}

async function changePassword(page: Page, t: Words, current: string, next: string, name: string): Promise<void> {
  await page.getByRole('button', { name: t('shell.user'), exact: true }).click();
  await page.getByRole('button', { name: t('passwords.change'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('passwords.change.current'), { exact: true }).fill(current);
  await dialog.getByLabel(t('passwords.new'), { exact: true }).fill(next);
  await dialog.getByLabel(t('passwords.confirm'), { exact: true }).fill(next);
  await look(page, `${name}-change`);
  await dialog.getByRole('button', { name: t('passwords.change.submit'), exact: true }).click();
  await page.getByText(t('passwords.change.done'), { exact: true }).waitFor();
}

/** What the browser notes of wrong codes and of a session that is not there is no error. */
const complaints = (errors: string[]): string[] => errors.filter((line) => !/status of (400|401)/.test(line));

test('in by a code, by a password reset by SMS, which is then changed (en-US)', async () => {
  const t = wordsOf('en-US');
  const person = { account: 'demo-member', email: 'member@pahatid.test', phone: '0917 000 0002' };
  const visitor = () => openVisitor(browser, product.url, { locale: 'en-US', width: 1024, height: 720 });
  const first = await visitor();
  await signInByCode(first.page, t, person, 'en-US');
  // The next time the same way to sign in is shown first.
  await first.context.clearCookies();
  await first.page.goto('/?login=1');
  await first.page.getByRole('tab', { name: t('session.tab.email'), selected: true }).waitFor();
  await first.context.close();

  const { page, context, errors } = await visitor();
  await resetByPhone(page, t, person, 'lapis-77', 'en-US');
  await signIn(page, t, person.account, 'lapis-77');
  await changePassword(page, t, 'lapis-77', 'Rf7!kxm2Qz', 'en-US');
  const notices = await outbox(person.email);
  assert.ok(
    notices.some(({ text }) => text.includes(person.account)),
    'told by mail',
  );
  assert.deepEqual(complaints(errors), []);
  await context.close();
});

test('in by a password reset by e-mail in three steps, on a phone in the dark (zh-CN); then a phone of the own', async () => {
  const t = wordsOf('zh-CN');
  const person = { account: 'demo-viewer', email: 'viewer@pahatid.test', phone: '0917 000 0003' };
  const look390 = { locale: 'zh-CN', width: 390, height: 844, dark: true };
  const { page, context, errors } = await openVisitor(browser, product.url, look390);
  await resetByEmail(page, t, person, 'Tq9#wlp4Vb', 'zh-CN');
  await signIn(page, t, person.account, 'Tq9#wlp4Vb');
  await setPhone(page, t, '0918 555 0123', 'Tq9#wlp4Vb', 'zh-CN');
  assert.deepEqual(complaints(errors), []);
  await context.close();
});
