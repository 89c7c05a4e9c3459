/**
 * A file that is being checked is no error: the form asks to wait. The program runs without jobs here, so that a file
 * stays in this state.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType } from '@pahatid/contract';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { choose, signIn } from './people.ts';
import { makePhoneFile } from './phone-files.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');
const file = makePhoneFile('csv', 20, 1);
const upload = (page: Page): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: file.name, mimeType: 'application/octet-stream', buffer: file.bytes });

/** Waits for the message, and asserts that nothing is shown as an error. */
async function expectWait(page: Page, message: string): Promise<void> {
  await page.getByText(message, { exact: true }).waitFor();
  assert.equal(await page.locator('.note.is-danger').count(), 0);
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 0);
  assert.equal(await page.locator('.field-error').count(), 0);
}

test('a task with a file that is still being checked is not refused in red: the user is asked to wait', {
  timeout: 300_000,
}, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/bulkMessage/addMessage');
  await choose(page, t('tasks.application'), 'Store notices');
  await page.getByLabel(t('tasks.name')).fill('Still being checked');
  await page.locator('.option-title', { hasText: t(`tasks.smsType.${SmsType.Marketing}`) }).click();
  await choose(page, t('tasks.template'), 'Weekend offer');
  await upload(page);
  await page.getByRole('progressbar', { name: t('tasks.upload.reading.label', { name: file.name }) }).waitFor();
  await page.getByRole('button', { name: t('tasks.check'), exact: true }).click();
  await expectWait(page, t('tasks.problem.processing'));
  await look(page, 'file-checking-task');
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('neither is an import of opt-outs', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/opt-outs?new=file');
  const drawer = page.getByRole('dialog', { name: t('optOuts.import') });
  await drawer.waitFor();
  await upload(page);
  await drawer.getByRole('progressbar', { name: t('groups.file.reading', { name: file.name }) }).waitFor();
  await drawer.getByRole('button', { name: t('optOuts.import'), exact: true }).click();
  await expectWait(page, t('error.FILE_PROCESSING'));
  assert.deepEqual(errors, []);
  await page.context().close();
});
