/**
 * Keyboard only, from the first key to the last: a task from signing in to the phones' replies; search, opening,
 * filters and export. The review by keyboard is in `review.test.ts`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { findViolations } from './find-violations.ts';
import { makePhoneFile } from './phone-files.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');
const records = '/bussinessStatistics/sendRecord';

const enter = async (account: string): Promise<Page> => {
  const { page, context } = await openVisitor(browser, product.url);
  await context.request.post('/api/v1/session', { data: { account, password: 'Demo@1234' } });
  await page.goto('/home');
  await page.locator('.kpi').first().waitFor();
  return page;
};
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const tabTo = async (page: Page, wanted: Locator): Promise<void> => {
  await wanted.waitFor();
  // A list of 20 rows has three stops in each: its box, its name, its actions.
  for (let presses = 0; presses < 120; presses++) {
    if ((await wanted.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the Tab key does not lead to ${String(wanted)}`);
};
const focusOn = (page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> =>
  tabTo(page, page.getByRole(role, { name }).first());
const chooseByKeys = async (page: Page, label: string, words: string): Promise<void> => {
  await tabTo(page, page.getByRole('combobox', { name: label }));
  await page.keyboard.type(words);
  await page.locator('.ant-select-item-option-active', { hasText: words }).waitFor();
  await page.keyboard.press('Enter');
};

test('by keyboard alone: signed in, a task made, checked, confirmed, and every phone has answered', async () => {
  const { page } = await openVisitor(browser, product.url);
  await page.goto('/?login=1');
  await tabTo(page, page.getByRole('textbox', { name: t('session.account') }));
  await page.keyboard.type('demo');
  await page.keyboard.press('Tab');
  await tabTo(page, page.getByLabel(t('session.password'), { exact: true }));
  await page.keyboard.type('Demo@1234');
  await page.keyboard.press('Enter');
  await page.locator('.kpi').first().waitFor();

  await page.keyboard.press('c');
  await page.waitForURL('**/bulkMessage/addMessage');
  await chooseByKeys(page, t('tasks.application'), 'Store notices');
  await tabTo(page, page.getByLabel(t('tasks.name')));
  await page.keyboard.type('By keys alone');
  await tabTo(page, page.getByRole('radio', { name: t('tasks.smsType.1') }));
  await page.keyboard.press('ArrowDown');
  assert.ok(await page.getByRole('radio', { name: t('tasks.smsType.2') }).isChecked());
  await chooseByKeys(page, t('tasks.template'), 'Order ready');
  // Asked for before the key that opens it: the browser may take the two in either order.
  const chosen = page.waitForEvent('filechooser');
  await focusOn(page, 'button', t('tasks.upload.choose'));
  await page.keyboard.press('Enter');
  const chooser = await chosen;
  const { name, bytes } = makePhoneFile('csv', 20, 7);
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: bytes });
  await page.getByText(t('tasks.upload.sent')).waitFor();
  await focusOn(page, 'button', t('tasks.check'));
  await page.keyboard.press('Enter');
  await focusOn(page, 'button', t('tasks.confirm.send'));
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'By keys alone' });
  await drawer.getByText(t('tasks.status.6'), { exact: true }).first().waitFor({ timeout: 120_000 });
  await tabTo(page, drawer.getByRole('tab', { selected: true }));
  await page.keyboard.press('ArrowRight');
  await drawer.getByRole('table').locator('tbody tr').nth(19).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
});

test('by keyboard alone: a template by its name, a message by its number, a filter kept, its file in hand', async () => {
  const page = await enter('demo');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('order ready');
  await option(page, /Order ready for pick-up/).waitFor();
  const box = page.getByRole('combobox');
  const active = await box.getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Enter');
  const template = page.getByRole('dialog', { name: /Order ready/ });
  await template.waitFor();
  await page.keyboard.press('Escape');
  // While a dialog is open, keys apply to its content.
  await template.waitFor({ state: 'detached' });

  // A header orders the list; a second press of the same one leads back.
  const header = page.getByRole('columnheader', { name: t('templates.name') });
  await focusOn(page, 'button', t('templates.name'));
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="ascending"]', { hasText: t('templates.name') }).waitFor();
  await page.waitForURL('**sort=templateName');
  await page.locator('.resource-frame:not(.is-stale)').waitFor();
  const names = await page
    .locator('td .cell-name')
    .evaluateAll((cells) => cells.map((one) => one.getAttribute('title')));
  const lower = names.map((name) => name?.toLowerCase() ?? '');
  assert.ok(names.length > 2);
  assert.deepEqual(lower, lower.toSorted());
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="descending"]', { hasText: t('templates.updateTime') }).waitFor();
  assert.equal(await header.getAttribute('aria-sort'), null);

  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL(`**${records}`);
  // Not the first cells there are: those of the list that loads are empty.
  const cell = page.getByRole('table').locator('tbody td', { hasText: /^\+63/ }).first();
  const phone = (await cell.textContent()) ?? '';
  // In text fields, keys are letters.
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('gs/?');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'gs/?');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByRole('searchbox').fill('');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(phone);
  await page
    .getByRole('option', { name: phone })
    .and(page.getByRole('option', { name: `${t('palette.kind.record')} · ` }))
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: phone }).waitFor();
  await page.keyboard.press('Escape');

  await page.goto(`${records}?clientStatus=3,4`);
  await page.getByRole('table').locator('tbody tr').nth(1).waitFor();
  await focusOn(page, 'button', t('savedViews.title'));
  await page.keyboard.press('Enter');
  await focusOn(page, 'button', t('savedViews.add'));
  await page.keyboard.press('Enter');
  await page.getByLabel(t('savedViews.name')).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Undelivered');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undelivered', exact: true }).waitFor();

  await focusOn(page, 'button', t('ui.export'));
  await page.keyboard.press('Enter');
  await focusOn(page, 'button', t('records.exports'));
  await page.keyboard.press('Enter');
  const file = page.getByRole('link', { name: /^Download/ });
  await file.waitFor();
  await focusOn(page, 'link', /^Download/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.match(download.suggestedFilename(), /^records-.*\.csv$/);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  assert.ok(lines.length > 10 && lines[0]?.startsWith('Message ID,'));
});

test('by keyboard alone: a period is typed, then chosen among the days, and left with Escape', async () => {
  const page = await enter('demo');
  await page.goto(records);
  const chip = page.getByRole('button', { name: new RegExp(`^${t('records.period')}`) }).first();
  const panel = page.getByRole('dialog', { name: t('records.period') });
  await tabTo(page, chip);
  await page.keyboard.press('Enter');
  await tabTo(page, panel.getByRole('textbox', { name: t('ui.range.from'), exact: true }));
  const typed = async (...texts: string[]) => {
    for (const text of texts) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
  };
  await typed('Jan 5, 2026', '930', '2026-01-04');
  await page.keyboard.press('Enter');
  await panel.getByRole('alert').getByText(t('ui.range.backwards')).waitFor();
  const end = panel.getByRole('textbox', { name: t('ui.range.to'), exact: true });
  await tabTo(page, end.and(page.locator('[aria-invalid="true"]')));
  await typed('1/7/2026');
  await page.keyboard.type('18:00');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search.includes('to='));
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get('from'), '2026-01-05T01:30:00.000Z');
  assert.equal(searchParams.get('to'), '2026-01-07T10:00:00.000Z');

  await tabTo(page, chip.and(page.locator(':focus')));
  await page.keyboard.press('Enter');
  const day = (name: string) => panel.getByRole('button', { name });
  await tabTo(page, day('Wednesday, January 7, 2026'));
  for (const key of ['ArrowLeft', 'PageUp', 'Enter', 'ArrowDown', 'Home', 'Enter']) await page.keyboard.press(key);
  await tabTo(page, day('Sunday, December 7, 2025'));
  assert.equal(await end.inputValue(), 'Dec 7, 2025');
  assert.equal(await panel.getByRole('textbox', { name: t('ui.range.from'), exact: true }).inputValue(), 'Dec 6, 2025');
  assert.deepEqual(await findViolations(page), []);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  assert.equal(new URL(page.url()).searchParams.get('to'), '2026-01-07T10:00:00.000Z');
  assert.equal(await chip.and(page.locator(':focus')).count(), 1);
  await page.context().close();
});

test('by keyboard alone: drafts are selected with Space and Shift, and deleted after a question', async () => {
  const page = await enter('demo');
  const names = ['Third of three', 'Second of three', 'First of three'];
  for (const taskName of names.toReversed()) {
    const made = await page.request.post('/api/v1/tasks', {
      data: { taskName, draft: true },
      headers: { origin: product.url },
    });
    assert.equal(made.status(), 201);
  }
  await page.goto('/bulkMessage?search=of+three');
  const selected = (count: number) => t('ui.selected').replace('{count, number}', String(count));
  const box = (name: string) => page.getByRole('checkbox', { name: t('ui.select.row', { name }) });
  await tabTo(page, box(names[0]!));
  await page.keyboard.press('Space');
  await tabTo(page, box(names[2]!));
  await page.keyboard.press('Shift+Space');
  await page.getByRole('status').getByText(selected(3)).waitFor();
  await tabTo(page, box(names[1]!));
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: selected(2) });
  assert.ok(await bar.getByRole('button', { name: t('tasks.act.pause') }).isDisabled());
  await tabTo(page, bar.getByRole('button', { name: t('tasks.act.delete') }));
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await question.getByText(names[0]!).waitFor();
  assert.equal(await question.getByText(names[1]!).count(), 0);
  await tabTo(page, question.getByRole('button', { name: t('tasks.act.delete') }));
  await page.keyboard.press('Enter');
  await page.getByText(t('ui.bulk.result').replace('{done, number}', '2').replace('{failed, number}', '0')).waitFor();
  await box(names[0]!).waitFor({ state: 'detached' });
  await box(names[1]!).press('Space');
  await page.getByRole('button', { name: t('tasks.act.delete') }).press('Enter');
  await question.getByRole('button', { name: t('tasks.act.delete') }).press('Enter');
  await box(names[1]!).waitFor({ state: 'detached' });
});

test('J and K go through the rows of a list, whose actions follow; on a phone they are in a menu', async () => {
  const page = await enter('demo');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/bulkMessage?search=Marikina');
  const row = page.getByRole('row', { name: 'Marikina opening' });
  await row.waitFor();
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
  await page.locator('.row-open:focus').waitFor();
  await page.keyboard.press('Tab');
  const act = (name: string) => row.getByRole('toolbar').getByRole('button', { name: t(name) });
  assert.equal(await act('ui.duplicate').and(page.locator(':focus')).count(), 1);
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await page.getByText(t('ui.copied')).first().waitFor();
  const taskId = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('open') === taskId);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${records}?clientStatus=3`);
  const menu = page.getByRole('button', { name: new RegExp(`^${t('ui.rowActions')}`) }).first();
  await menu.click();
  await page
    .getByRole('dialog', { name: t('ui.rowActions') })
    .getByRole('button', { name: t('ui.copyPhone') })
    .click();
  await page.getByText(t('ui.copied')).first().waitFor();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^\+63 \d{3} \d{3} \d{4}$/);
  await page.context().close();
});

test('the single-key shortcuts are listed by ?, and can be turned off there permanently', async () => {
  const page = await enter('demo-viewer');
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: t('palette.shortcuts') });
  await shortcuts.waitFor();
  assert.equal(await shortcuts.getByText(t('palette.act.create')).count(), 0, 'a viewer creates no task');
  assert.equal(await shortcuts.getByText(t('shell.menu.billing')).count(), 0, 'nor sees the billing');
  await shortcuts.getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('.kpi').first().waitFor();
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 1);
});
