/** Money by request: an owner asks with the bank's receipt, an admin enters what arrived, and the owner sees both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

test('a requested top-up reaches the balance once an admin has entered what arrived', {
  timeout: 300_000,
}, async () => {
  const owner = await product.signIn('demo');
  const before = (await owner.call('GET /billing', { query: {} })).balance;
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/billing');
  await page.getByRole('button', { name: t('billing.topUp.ask') }).click();
  const form = page.getByRole('dialog', { name: t('billing.topUp.ask') });
  await form.getByRole('button', { name: t('billing.topUp.ask') }).click();
  await form.getByText(t('customers.amount.wrong.topUp')).waitFor();
  await form.getByLabel(t('customers.amount')).fill('1,250.50');
  await form.getByLabel(t('billing.topUp.reference')).fill('BPI 4471 0092');
  const receipt = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from('%PDF-1.7 paid') });
  await form.locator('input[type=file]').setInputFiles(receipt('notes.txt', 'text/plain'));
  await form.getByRole('button', { name: t('billing.topUp.ask') }).click();
  // What is said of files becomes the error of this one.
  await form.locator('[aria-invalid=true][type=file]').waitFor({ state: 'attached' });
  await form.locator('input[type=file]').setInputFiles(receipt('slip.pdf', 'application/pdf'));
  await form.getByRole('button', { name: t('billing.topUp.ask') }).click();
  await page.getByText(t('billing.topUp.sent')).waitFor();
  const requests = page.getByRole('table', { name: t('billing.topUps.title') });
  await requests.getByText('BPI 4471 0092').waitFor();
  const download = page.waitForEvent('download');
  await requests.getByRole('button', { name: 'slip.pdf' }).click();
  assert.equal((await download).suggestedFilename(), 'slip.pdf');
  await look(page, 'top-up-requested');

  const staff = await openVisitor(browser, product.url);
  await signIn(staff.page, t, 'admin');
  await staff.page.goto('/billing');
  await staff.page.getByRole('button', { name: t('approvals.approve') }).click();
  const decision = staff.page.getByRole('alertdialog', { name: t('approvals.approve.title') });
  assert.equal(await decision.getByLabel(t('customers.amount')).inputValue(), '1250.50');
  await decision.getByLabel(t('customers.amount')).fill('1,200');
  await look(staff.page, 'top-up-approving');
  await decision.getByRole('button', { name: t('customers.enter.confirm.topUp') }).click();
  await staff.page.getByText(t('approvals.approve.done')).waitFor();

  await page.reload();
  await requests.getByText(t('approvals.state.approved')).waitFor();
  assert.equal((await owner.call('GET /billing', { query: {} })).balance, before + 12_000_000);
  await look(page, 'top-up-approved');
  assert.deepEqual([...errors, ...staff.errors], []);
  await page.context().close();
  await staff.page.context().close();
});
