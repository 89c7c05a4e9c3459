/** A key in the console: made, shown once, used by software, and revoked; viewers read the list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { choose, signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');
const name = 'Loyalty points of all branches';

test('an owner makes a key, which works until it is revoked', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/developer?tab=keys');
  await page.getByRole('button', { name: t('developer.key.add') }).click();
  const drawer = page.getByRole('dialog', { name: t('developer.key.add') });
  await drawer.getByRole('button', { name: t('developer.key.add') }).click();
  await drawer.getByText(t('ui.required.message', { label: t('account.passkey.name') })).waitFor();
  await drawer.getByLabel(t('account.passkey.name')).fill(name);
  await choose(page, t('senders.application'), 'Store notices');
  await drawer.getByRole('checkbox', { name: 'templates' }).check();
  await look(page, 'key-form');
  await drawer.getByRole('button', { name: t('developer.key.add') }).click();
  const shown = page.getByRole('dialog', { name: t('developer.key.shown.title') });
  const apiKey = (await shown.locator('dd bdi').first().textContent()) ?? '';
  assert.match(apiKey, /^pk_live_[0-9A-Za-z]{43}$/);
  await shown.getByText('curl -sS -H').waitFor();
  await look(page, 'key-shown');
  await shown.getByRole('button', { name: t('applications.shown.done.one') }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText(apiKey.slice(0, 16)).waitFor();
  assert.equal(await page.getByText(apiKey).count(), 0);

  const status = async (path: string): Promise<number> =>
    (await fetch(`${product.url}/api/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } })).status;
  assert.deepEqual([await status('/templates'), await status('/tasks')], [200, 403]);

  await row.getByRole('button').click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('applications.secret.end') })
    .click();
  await row.waitFor({ state: 'detached' });
  await until(async () => (await status('/templates')) === 401, { what: 'the revoked key' });
  assert.deepEqual(errors, []);
});

test('a viewer reads the keys and changes none', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo-viewer');
  await page.goto('/developer?tab=keys');
  await page.getByRole('table').getByText('Order service').waitFor();
  assert.equal(await page.getByRole('button', { name: t('developer.key.add') }).count(), 0);
  assert.equal(await page.getByRole('button', { name: t('applications.secret.end') }).count(), 0);
  assert.deepEqual(errors, []);
});
