/** User actions in the console, located by visible text. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PhoneFile } from './phone-files.ts';
import type { Words } from './words.ts';

export async function signIn(page: Page, t: Words, account: string, password = 'Demo@1234'): Promise<void> {
  await page.goto('/?login=1');
  await fillSignIn(page, t, account, password);
  await page.waitForURL(/\/(home|overview)$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** In the sign-in that is open. */
export async function fillSignIn(page: Page, t: Words, account: string, password = 'Demo@1234'): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: t('session.account') }).fill(account);
  await dialog.getByLabel(t('session.password'), { exact: true }).fill(password);
  await dialog.getByRole('button', { name: t('session.submit'), exact: true }).click();
}

/** Selects in a searchable list by typing the label. */
export async function choose(page: Page, label: string, words: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label }).last();
  await box.click();
  await box.fill(words);
  // Lists of other fields remain in the page, not visible.
  await page.locator('.ant-select-item-option:visible', { hasText: words }).first().click();
}

export async function openScreen(page: Page, t: Words, menuKey: string): Promise<void> {
  await page
    .getByRole('navigation')
    .first()
    .getByRole('link', { name: t(menuKey), exact: true })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: t(menuKey) }).waitFor();
}

/** Adds an application; returns the two passwords that are shown once. */
export async function addApplication(page: Page, t: Words, name: string): Promise<string[]> {
  await openScreen(page, t, 'shell.menu.applications');
  await page
    .getByRole('button', { name: t('applications.add') })
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: t('applications.add') });
  await drawer.getByLabel(t('applications.name')).fill(name);
  await drawer.getByLabel(t('applications.remarks')).fill('Pick-up notices of one branch');
  const both = drawer.locator('.option-card').nth(2);
  assert.equal(await both.getByRole('radio').isChecked(), true);
  await drawer.getByRole('button', { name: t('applications.add') }).click();
  const shown = page.getByRole('dialog', { name: t('applications.shown.title') });
  await shown.locator('dd bdi').nth(1).waitFor();
  const secrets = await shown.locator('dd bdi').allTextContents();
  await shown.getByRole('button', { name: t('applications.shown.done'), exact: true }).click();
  await page.getByRole('table').getByText(name).first().waitFor();
  return secrets;
}

export async function addTemplate(
  page: Page,
  t: Words,
  application: string,
  name: string,
  content: string,
): Promise<void> {
  await openScreen(page, t, 'shell.menu.templates');
  await page
    .getByRole('button', { name: t('templates.add') })
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: t('templates.add') });
  await choose(page, t('templates.application'), application);
  await drawer.getByLabel(t('templates.name')).fill(name);
  await drawer.getByLabel(t('templates.content')).fill(content);
  await drawer.getByRole('button', { name: t('templates.submit') }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('table').getByText(name).first().waitFor();
}

export async function registerSender(page: Page, t: Words, application: string, senderId: string): Promise<void> {
  await openScreen(page, t, 'shell.menu.senders');
  await page
    .getByRole('button', { name: t('senders.add') })
    .first()
    .click();
  const drawer = page.getByRole('dialog', { name: t('senders.add') });
  await choose(page, t('senders.application'), application);
  await drawer.getByLabel(t('senders.senderId')).fill(senderId);
  await drawer.getByRole('button', { name: t('senders.add') }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('table').getByText(senderId).first().waitFor();
}

export async function approve(page: Page, t: Words, title: string): Promise<void> {
  await openScreen(page, t, 'shell.menu.review');
  await page.getByRole('table').getByRole('button', { name: title }).first().click();
  const drawer = page.getByRole('dialog', { name: title });
  await drawer.getByRole('button', { name: t('review.approve'), exact: true }).click();
  await page.getByText(t('review.approved', { name: title })).waitFor();
  // The next one, if any, opens automatically a moment later: leave it.
  await page.goto('/review');
}

export interface NewTask {
  taskName: string;
  application: string;
  template: string;
  senderId: string;
  file: PhoneFile;
}

/** Fills the create page, uploads, and asks for the check; ends on the question whether to send. */
export async function createTask(
  page: Page,
  t: Words,
  task: NewTask,
  numberWords: (n: number) => string,
): Promise<void> {
  await openScreen(page, t, 'shell.menu.tasks');
  await page
    .getByRole('link', { name: t('tasks.create') })
    .or(page.getByRole('button', { name: t('tasks.create') }))
    .first()
    .click();
  await choose(page, t('tasks.application'), task.application);
  await page.getByLabel(t('tasks.name')).fill(task.taskName);
  await page.getByText(t('tasks.smsType.2'), { exact: true }).click();
  await choose(page, t('tasks.template'), task.template);
  await choose(page, t('tasks.senderId'), task.senderId);
  await page.locator('input[type=file]').setInputFiles({
    name: task.file.name,
    mimeType: 'application/octet-stream',
    buffer: task.file.bytes,
  });
  await page.getByText(t('tasks.upload.sent')).waitFor({ timeout: 180_000 });
  await page.getByText(numberWords(task.file.valid.length), { exact: true }).first().waitFor();
  await page.getByRole('button', { name: t('tasks.check') }).click();
  await page.getByRole('button', { name: t('tasks.confirm.send') }).waitFor({ timeout: 180_000 });
}
