/** Papers for a carrier: a customer opens a dossier, staff send it and enter the carrier's approval, the customer sees it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');
const domain = 'riders.example.ph';

test('a dossier goes from the customer to staff, and comes back approved with its domain', {
  timeout: 300_000,
}, async () => {
  const customer = await openVisitor(browser, product.url);
  const { page } = customer;
  await signIn(page, t, 'demo');
  await page.goto('/sender?search=SARIRIDER');
  await page.getByRole('table').getByRole('button', { name: 'SARIRIDER' }).click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByRole('tab', { name: t('dossiers.tab.carriers') }).click();
  await drawer.getByRole('button', { name: /^Smart/ }).click();
  await drawer.getByRole('button', { name: t('dossiers.open') }).click();
  const submit = drawer.getByRole('button', { name: t('dossiers.submit'), exact: true });
  await submit.waitFor();
  assert.ok(await submit.isDisabled(), 'nothing to send yet');

  await drawer.getByRole('button', { name: t('dossiers.domain'), exact: true }).click();
  const adding = page.getByRole('dialog', { name: t('dossiers.domain') });
  await adding.getByLabel(t('dossiers.domain')).fill(`https://${domain}/track`);
  await adding.getByLabel(t('dossiers.domain')).press('Enter');
  await drawer.locator('.mono', { hasText: domain }).waitFor();

  await drawer.getByRole('button', { name: t('dossiers.letter.make') }).click();
  const letter = page.getByRole('dialog', { name: t('dossiers.letter') });
  await letter.getByLabel(t('dossiers.company.legalName')).fill('Sari-Sari Mart Inc. 薩利');
  const download = page.waitForEvent('download');
  await letter.getByRole('button', { name: t('dossiers.letter.make') }).click();
  const pdf = await readFile(await (await download).path(), 'latin1');
  assert.ok(pdf.startsWith('%PDF-1.7') && pdf.includes(`(${domain}) Tj`) && pdf.includes('<85a9> Tj'));

  await drawer.getByRole('button', { name: t('dossiers.paper.upload') }).click();
  const paper = page.getByRole('dialog', { name: t('dossiers.papers') });
  await paper.getByRole('combobox').click();
  await page.getByText(t('dossiers.paper.kind.letter'), { exact: true }).last().click();
  const scan = { name: 'Signed.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 signed') };
  await paper.locator('input[type=file]').setInputFiles(scan);
  await paper.getByRole('button', { name: t('dossiers.paper.upload') }).click();
  await drawer.getByRole('button', { name: 'Signed.pdf', exact: true }).waitFor();
  await submit.click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('dossiers.submit') })
    .click();
  await submit.waitFor({ state: 'detached' });
  await look(page, 'dossier-submitted');

  const staff = await openVisitor(browser, product.url);
  await signIn(staff.page, t, 'reviewer');
  await staff.page.goto('/dossier?search=SARIRIDER');
  await staff.page.getByRole('table').getByRole('button', { name: 'SARIRIDER' }).click();
  const desk = staff.page.getByRole('dialog').first();
  await desk.getByRole('button', { name: t('dossiers.send') }).click();
  await staff.page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('dossiers.send') })
    .click();
  await desk.getByRole('button', { name: t('approvals.approve') }).click();
  const approval = staff.page.getByRole('dialog', { name: new RegExp(t('approvals.approve')) });
  const day = new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10);
  await approval.getByLabel(t('approvals.expires')).fill(day);
  assert.ok(await approval.getByRole('checkbox', { name: domain }).isChecked());
  await look(staff.page, 'dossier-approving');
  await approval.getByRole('button', { name: t('approvals.approve') }).click();
  await approval.waitFor({ state: 'detached' });

  await page.goto('/notice');
  await page
    .getByText(t('notices.dossierDecided.approved', { carrier: 'Smart', name: 'SARIRIDER' }))
    .first()
    .click();
  await drawer.getByRole('button', { name: t('dossiers.renew') }).waitFor();
  await look(page, 'dossier-approved');
  assert.deepEqual([...customer.errors, ...staff.errors], []);
  for (const { context } of [customer, staff]) await context.close();
});
