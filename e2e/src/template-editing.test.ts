/**
 * The template editor in a real browser: its note about a changed name and a changed text matches what happens, and its
 * verdict is never that of an older text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

interface FoundTemplate {
  templateId: string;
  templateName: string;
  content: string;
  auditStatus: number;
  version: number;
  servingVersion: number;
}

async function openEditor(page: Page, template: FoundTemplate) {
  await page.goto(`/smsTemplate?search=${encodeURIComponent(template.templateName)}`);
  await page.getByRole('table').getByText(template.templateName).first().click();
  await page.getByRole('button', { name: t('templates.edit.short'), exact: true }).click();
  const drawer = page.getByRole('dialog', { name: t('templates.edit') });
  await drawer.getByText(t('templates.findings.none')).waitFor();
  return drawer;
}

test('the editor note describes the effect of a new name and a new text, and that is what happens', async () => {
  const { page, context, errors } = await openVisitor(browser, product.url, { locale: 'en-US' });
  await context.request.post('/api/v1/session', { data: { account: 'demo', password: 'Demo@1234' } });
  const list = await (await context.request.get('/api/v1/templates?auditStatus=1&smsType=2')).json();
  const [first] = list.items as FoundTemplate[];
  assert.ok(first);
  const read = async (): Promise<FoundTemplate> =>
    (await context.request.get(`/api/v1/templates/${first.templateId}`)).json();

  let drawer = await openEditor(page, first);
  await drawer.getByText(t('templates.edit.note')).waitFor();
  await drawer.getByLabel(t('templates.name')).fill('Another name');
  await drawer.getByText(t('templates.edit.note')).waitFor();
  await look(page, 'template-rename');
  await drawer.getByRole('button', { name: t('ui.save'), exact: true }).click();
  await drawer.waitFor({ state: 'detached' });
  const renamed = await read();
  assert.deepEqual(
    [renamed.templateName, renamed.auditStatus, renamed.version, renamed.servingVersion],
    ['Another name', 1, first.version, first.servingVersion],
  );

  drawer = await openEditor(page, renamed);
  await drawer.getByLabel(t('templates.content')).fill(`${first.content} Thank you.`);
  await drawer.getByText(t('templates.edit.restarts', { version: first.servingVersion })).waitFor();
  await look(page, 'template-revise');
  await drawer.getByRole('button', { name: t('templates.submit'), exact: true }).click();
  await drawer.waitFor({ state: 'detached' });
  const revised = await read();
  assert.deepEqual(
    [revised.auditStatus, revised.version, revised.servingVersion],
    [0, first.version + 1, first.servingVersion],
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('the verdict is never green over a text that it was not made of', async () => {
  const { page, context } = await openVisitor(browser, product.url, { locale: 'en-US' });
  await context.request.post('/api/v1/session', { data: { account: 'demo', password: 'Demo@1234' } });
  // The terms come late: a text that the server would refuse is not called right before they are there.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/templates/rules', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/smsTemplate');
  await page
    .getByRole('button', { name: t('templates.add') })
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: t('templates.add') });
  const content = drawer.getByLabel(t('templates.content'));
  await content.fill('Your order is ready.');
  await drawer.getByText(t('templates.findings.pending')).waitFor();
  assert.equal(await drawer.getByText(t('templates.findings.none')).count(), 0);
  release();
  await drawer.getByText(t('templates.findings.none')).waitFor();

  // Every state of the page in which the text holds a sign that the rules refuse while the verdict is still green.
  await page.evaluate((green) => {
    const wrong: string[] = [];
    Object.assign(window, { wrong });
    const observer = new MutationObserver(() => {
      const text = document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea')?.value ?? '';
      const verdict = document.querySelector('[role=dialog] .remark-list')?.textContent ?? '';
      if (/[★]/.test(text) && verdict.includes(green)) wrong.push(text);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  }, t('templates.findings.none'));
  await content.press('End');
  await content.pressSequentially(' Thank you ★★★ and good bye');
  await drawer.locator('.remark-list .is-danger').first().waitFor();
  assert.deepEqual(await page.evaluate(() => (window as unknown as { wrong: string[] }).wrong), []);
  await context.close();
});
