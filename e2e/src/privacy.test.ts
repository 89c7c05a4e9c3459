/**
 * One number from end to end: shown masked, revealed with an audit entry, exported, erased; a password reset. In a real
 * browser.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Look, openVisitor } from './browser.ts';
import { findViolations } from './find-violations.ts';
import { look } from './look.ts';
import { choose, openScreen, signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const owner = await product.signIn('demo');
const { customer } = await owner.call('GET /session');
const { items } = await owner.call('GET /records', { query: { clientStatus: '2', limit: '1' } });
const number = items[0]?.phoneAddress ?? '';
const masked = `+63 *** *** ${number.slice(-4)}`;

const visit = async (
  account: string,
  more: Look = {},
): Promise<{ page: Page; t: Words; leave: () => Promise<void> }> => {
  const { context, page, errors } = await openVisitor(browser, product.url, more);
  const t = wordsOf(more.locale ?? 'en-US');
  await signIn(page, t, account);
  return {
    page,
    t,
    leave: async () => {
      // A wrong password is answered 403, which the browser notes.
      assert.deepEqual(
        errors.filter((text) => !text.includes('status of 403')),
        [],
      );
      await context.close();
    },
  };
};

/** The same page on a phone, and in the dark theme; does nothing if no screenshots are requested. */
async function lookNarrowAndDark(page: Page, name: string): Promise<void> {
  if (!process.env['PAHATID_PICTURES']) return;
  await page.setViewportSize({ width: 390, height: 1400 });
  await look(page, `${name}-390`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(page, `${name}-390-dark`);
  await page.setViewportSize({ width: 1440, height: 960 });
  await look(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('staff see a number masked until they ask, which is on record; a viewer is not offered it', async () => {
  for (const account of ['reviewer', 'demo-viewer']) {
    const { page, t, leave } = await visit(account);
    await page.goto(`/bussinessStatistics/sendRecord?open=${items[0]?.messageId}`);
    const drawer = page.getByRole('dialog');
    await drawer.getByText(masked).waitFor();
    const show = drawer.getByRole('button', { name: t('records.unmask') });
    if (account === 'reviewer') {
      await look(page, 'record-masked');
      await show.click();
      await drawer.getByText(`+63 ${number.slice(2, 5)} ${number.slice(5, 8)} ${number.slice(8)}`).waitFor();
      await look(page, 'record-shown');
    } else assert.equal(await show.count(), 0);
    await leave();
  }
});

test('an owner finds a number, takes out what is held, and erases it against the password', async () => {
  const { page, t, leave } = await visit('demo', { locale: 'zh-CN' });
  await openScreen(page, t, 'shell.menu.privacy');
  await page.getByLabel(t('privacy.mobileNumber')).fill(`0${number.slice(2)}`);
  await page.getByRole('button', { name: t('privacy.find') }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: t('privacy.download.json') }).click();
  const held = JSON.parse(await readFile(await (await download).path(), 'utf8')) as { messages: unknown[] };
  assert.ok(held.messages.length > 0);
  await look(page, 'privacy-found');
  assert.deepEqual(await findViolations(page), []);
  await lookNarrowAndDark(page, 'privacy-found');
  await page.getByRole('button', { name: t('privacy.erase') }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel(t('privacy.erase.typed', { digits: number.slice(-4) })).fill('0000');
  await dialog.getByLabel(t('privacy.erase.password')).fill('not-mine');
  const erase = dialog.getByRole('button', { name: t('privacy.erase') });
  await erase.click();
  await dialog.getByText(t('privacy.erase.typed.wrong')).waitFor();
  await dialog.getByLabel(t('privacy.erase.typed', { digits: number.slice(-4) })).fill(number.slice(-4));
  await erase.click();
  await dialog.getByText(t('error.REAUTHENTICATE')).waitFor();
  await look(page, 'privacy-erase');
  await lookNarrowAndDark(page, 'privacy-erase');
  await dialog.getByLabel(t('privacy.erase.password')).fill('Demo@1234');
  await erase.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: masked }).waitFor();
  await look(page, 'privacy-erased');
  await lookNarrowAndDark(page, 'privacy-erased');
  const left = await owner.call('POST /privacy/:customerId/find', {
    params: { customerId: customer?.customerId ?? '' },
    body: { mobileNumber: number },
  });
  assert.equal(left.messageCount, left.underWayCount);
  await leave();
});

test('keeping less asks first; an admin chooses the customer', async () => {
  const { page, t, leave } = await visit('admin');
  await page.goto('/privacy');
  await choose(page, t('privacy.customer'), 'Bangko Uno');
  const days = page.getByLabel(t('privacy.recordDays'));
  await days.fill('20');
  const save = page.getByRole('button', { name: t('privacy.retention.save') });
  await save.click();
  await page.getByText('from 30 to 400').waitFor();
  await days.fill('60');
  await save.click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('privacy.shorten.confirm') })
    .click();
  await page.getByText(t('privacy.retention.saved')).waitFor();
  await page.reload();
  assert.equal(await days.inputValue(), '60');
  await leave();
});

test('a new application password is shown once against the own one; the replaced one is ended', async () => {
  const { page, t, leave } = await visit('demo');
  await page.goto('/application?open=demoapp');
  const drawer = page.getByRole('dialog').first();
  await drawer.getByRole('button', { name: t('applications.secret.rotate') }).click();
  const ask = page.getByRole('dialog').last();
  await ask.getByLabel(t('applications.secret.password')).fill('Demo@1234');
  await look(page, 'secret-rotate');
  await ask.getByRole('button', { name: t('applications.secret.rotate') }).click();
  const shown = page.getByRole('dialog', { name: t('applications.shown.title.one') });
  await shown.getByRole('button', { name: t('applications.shown.done.one') }).click();
  const end = drawer.getByRole('button', { name: t('applications.secret.end') });
  await end.waitFor();
  await look(page, 'secret-two');
  await lookNarrowAndDark(page, 'secret-two');
  await end.click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('applications.secret.end') })
    .click();
  await end.waitFor({ state: 'detached' });
  await leave();
});
