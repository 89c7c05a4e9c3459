/**
 * Two users edit the same form: neither overwrites the other unseen, and typed text survives a reload and a deleted
 * draft.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType } from '@pahatid/contract';
import { until } from '@pahatid/testkit';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const colleague = await product.signIn('demo-member');
const { items: apps } = await colleague.call('GET /applications', {});
const appId = apps[0]?.appId ?? assert.fail('the demo has an application');
const t = wordsOf('en-US');

test('the second saver of a template sees both versions and chooses', { timeout: 300_000 }, async () => {
  const added = await colleague.call('POST /templates', {
    body: { templateName: 'Parcel', smsType: SmsType.Notification, appId, content: 'Your parcel {1} is here.' },
  });
  const params = { templateId: added.templateId };
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto(`/smsTemplate?edit=${added.templateId}`);
  const drawer = page.getByRole('dialog', { name: t('templates.edit') });
  await drawer.getByLabel(t('templates.name')).fill('Parcel of mine');
  await colleague.call('PATCH /templates/:templateId', {
    params,
    body: { templateName: 'Parcel of theirs', content: 'Your parcel {1} has arrived.' },
  });
  await drawer.getByRole('button', { name: t('ui.save'), exact: true }).click();
  const conflict = page.getByRole('alertdialog', { name: t('ui.conflict.title') });
  await conflict.getByText('Parcel of theirs').waitFor();
  await conflict.getByText('Parcel of mine').waitFor();
  // Only they changed the text: theirs is proposed. Only the name is in dispute.
  assert.equal(
    await conflict
      .getByRole('group', { name: t('templates.content') })
      .getByRole('radio')
      .first()
      .isChecked(),
    true,
  );
  await look(page, 'version-conflict');
  await conflict.getByRole('button', { name: t('ui.conflict.save') }).click();
  await drawer.waitFor({ state: 'detached' });
  const stored = await colleague.call('GET /templates/:templateId', { params });
  assert.equal(stored.templateName, 'Parcel of mine');
  assert.equal(stored.content, 'Your parcel {1} has arrived.');
  // A refused save is logged in the browser's console as response 409.
  assert.deepEqual(
    errors.filter((line) => !line.includes('409')),
    [],
  );
  await page.context().close();
});

test('what was typed into a drawer is offered back after a reload', { timeout: 300_000 }, async () => {
  const { page } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/messageGroup?new=group');
  const drawer = page.getByRole('dialog', { name: t('groups.add') });
  await drawer.getByLabel(t('groups.name')).fill('Typed before the reload');
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.accept();
    });
  });
  await page.reload();
  assert.equal(await asked, 'beforeunload');
  await drawer.getByRole('button', { name: t('ui.restore.apply') }).click();
  assert.equal(await drawer.getByLabel(t('groups.name')).inputValue(), 'Typed before the reload');
  // The cross asks; discarding forgets it.
  await drawer.getByRole('button', { name: t('ui.close') }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('ui.discard.confirm') })
    .click();
  await drawer.waitFor({ state: 'detached' });
  await page.goto('/messageGroup?new=group');
  await drawer.getByLabel(t('groups.name')).waitFor();
  assert.equal(await drawer.getByRole('button', { name: t('ui.restore.apply') }).count(), 0);
  await page.context().close();
});

test('a draft deleted in the meantime is saved again', { timeout: 300_000 }, async () => {
  const { taskId } = await colleague.call('POST /tasks', { body: { taskName: 'Shared draft', draft: true } });
  const { page } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto(`/bulkMessage/addMessage?draft=${taskId}`);
  await page.getByLabel(t('tasks.name')).fill('Nothing typed is lost');
  await colleague.call('DELETE /tasks/:taskId', { params: { taskId } });
  await page.getByRole('button', { name: t('tasks.saveDraft'), exact: true }).click();
  await page.getByText(t('tasks.draftSavedAnew')).waitFor();
  await until(async () => !page.url().includes(taskId), { everyMs: 20, what: 'the new draft in the address' });
  // One message, not two for the same save.
  assert.equal(await page.getByText(t('tasks.draftSaved'), { exact: true }).count(), 0);
  const { items } = await colleague.call('GET /tasks', { query: { search: 'Nothing typed is lost' } });
  assert.equal(items.length, 1);

  // Deleted while the page is reloaded: what the tab holds begins a new draft.
  const [stored] = items;
  await page.getByLabel(t('tasks.name')).fill('Typed after saving');
  await colleague.call('DELETE /tasks/:taskId', { params: { taskId: stored?.taskId ?? '' } });
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: t('tasks.draftDeleted.restore') }).click();
  assert.equal(await page.getByLabel(t('tasks.name')).inputValue(), 'Typed after saving');
  await page.context().close();
});
