/** Consent to marketing: recorded with its evidence, required by an owner, and withdrawn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { choose, signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

test('an owner records a consent with its evidence, requires consent of marketing, and withdraws it', {
  timeout: 300_000,
}, async () => {
  const { page, errors } = await openVisitor(browser, product.url, { locale: 'en-US' });
  await signIn(page, t, 'demo');
  await page.goto('/consents');
  await page
    .getByRole('button', { name: t('consents.add') })
    .first()
    .click();
  const form = page.getByRole('dialog', { name: t('consents.add') });
  await form.getByLabel(t('optOuts.numbers')).fill('0917 555 0123');
  await form.getByRole('button', { name: t('ui.save') }).click();
  await form.getByText(t('ui.required.message', { label: t('consents.wording') })).waitFor();
  await choose(page, t('optOuts.source'), t('consents.source.paper'));
  await form.locator('.ant-picker input').fill('2026-03-01 10:00');
  await page.keyboard.press('Enter');
  await form.getByLabel(t('consents.wording')).fill('Yes, text me offers');
  const scan = { name: 'form.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 signed') };
  await form.locator('input[type=file]').setInputFiles(scan);
  await form.getByRole('button', { name: t('ui.save') }).click();
  await form.waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: '917 555 0123' });
  await row.getByText(t('consents.inForce')).waitFor();
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'form.pdf' }).click();
  assert.equal((await download).suggestedFilename(), 'form.pdf');

  await page.getByRole('button', { name: t('consents.policy.require') }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('ui.save') })
    .click();
  await page.getByText(t('consents.policy.on')).waitFor();
  const owner = await product.signIn('demo');
  assert.deepEqual(await owner.call('GET /marketing-policy'), { consentRequired: true });
  await owner.call('PATCH /marketing-policy', { body: { consentRequired: false } });
  await look(page, 'consents');

  await row.getByRole('button', { name: t('approvals.withdraw') }).click();
  const asked = page.getByRole('alertdialog');
  await asked.getByLabel(t('optOuts.reason')).fill('Asked at the counter');
  await asked.getByRole('button', { name: t('approvals.withdraw') }).click();
  await row.getByText(t('consents.withdrawn')).waitFor();
  assert.deepEqual(errors, []);
});
