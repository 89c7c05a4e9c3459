/** What a person can do with a list: change the width of its columns, and narrow a task's recipients by its panes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

const enter = async (address: string, locale = 'en-US', account = 'demo'): Promise<Page> => {
  const { page, context } = await openVisitor(browser, product.url, { locale, width: 1440, height: 900 });
  await context.request.post('/api/v1/session', { data: { account, password: 'Demo@1234' } });
  await page.goto(address);
  await page.locator('.resource-table tbody td').first().waitFor();
  return page;
};
const widthOf = async (cell: Locator): Promise<number> => Math.round((await cell.boundingBox())?.width ?? 0);
/** Until the change is stored. */
const stored = (page: Page) => page.waitForResponse((response) => response.url().includes('/view-settings/'));

test('a column is as wide as its edge is dragged, on every device, until the widths are reset', async () => {
  const page = await enter('/bulkMessage');
  const header = page.getByRole('columnheader', { name: t('tasks.status'), exact: true });
  const edge = page.getByRole('separator', { name: t('ui.columns.width', { column: t('tasks.status') }) });
  const before = await widthOf(header);
  assert.equal(await edge.getAttribute('aria-valuenow'), String(before));
  const box = (await edge.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  const saved = stored(page);
  await page.mouse.move(x + 60, y, { steps: 3 });
  await page.mouse.up();
  assert.ok((await saved).ok());
  assert.equal(await widthOf(header), before + 60);
  assert.equal(await edge.getAttribute('aria-valuenow'), String(before + 60));

  const other = await enter('/bulkMessage');
  const same = other.getByRole('columnheader', { name: t('tasks.status'), exact: true });
  await other.waitForFunction((width) => {
    const cell = document.querySelector<HTMLElement>('th[data-card="state"]');
    return Math.round(cell?.getBoundingClientRect().width ?? 0) === width;
  }, before + 60);
  await other.getByRole('button', { name: t('ui.columns') }).click();
  const reset = stored(other);
  await other.getByRole('button', { name: t('ui.columns.resetWidths') }).click();
  assert.ok((await reset).ok());
  assert.equal(await widthOf(same), before);
});

test('arrow keys move an edge as they point, from right to left too', async () => {
  const arabic = wordsOf('ar-EG');
  for (const [locale, words, wider] of [
    ['en-US', t, 'ArrowRight'],
    ['ar-EG', arabic, 'ArrowLeft'],
  ] as const) {
    const page = await enter('/bulkMessage', locale);
    const header = page.getByRole('columnheader', { name: words('tasks.status'), exact: true });
    const edge = header.getByRole('separator');
    const before = await widthOf(header);
    await edge.focus();
    const saved = stored(page);
    await page.keyboard.press(`Shift+${wider}`);
    assert.ok((await saved).ok());
    assert.equal(await widthOf(header), before + 48, locale);
    const undone = stored(page);
    await edge.dblclick();
    await undone;
    assert.equal(await widthOf(header), before, locale);
  }
});

/** Opens a task of the demo. */
const openTask = async (name: string): Promise<Page> => {
  const page = await enter(`/bulkMessage?search=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').locator('.legend-pick').first().waitFor();
  return page;
};
/** The filters of recipients in the address. */
const filtersOf = (page: Page): Record<string, string> =>
  Object.fromEntries(
    ['sendStatus', 'clientStatus', 'dealResult'].flatMap((name) => {
      const value = new URL(page.url()).searchParams.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
const countRecipients = async (page: Page): Promise<number> => {
  const taskId = new URL(page.url()).searchParams.get('open') ?? '';
  let count = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const params = { ...filtersOf(page), limit: '200', ...(cursor !== '' && { cursor }) };
    const answer = await page.request.get(`/api/v1/tasks/${taskId}/details`, { params });
    assert.ok(answer.ok(), await answer.text());
    const body = (await answer.json()) as { items: unknown[]; nextCursor: string | null };
    count += body.items.length;
    cursor = body.nextCursor;
  }
  return count;
};

test('each number at the panes of a task leads to the recipients that it counts', async () => {
  for (const name of ['Marikina opening', 'Wrong branch notice', 'Weekend pick-ups, all branches']) {
    const page = await openTask(name);
    const dialog = page.getByRole('dialog');
    const labels = await dialog
      .locator('.legend-pick')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
    assert.ok(labels.length >= 2, name);
    for (const label of labels) {
      await dialog.getByRole('tab', { name: t('tasks.tab.overview') }).click();
      await dialog.getByRole('button', { name: label, exact: true }).press('Enter');
      await dialog.locator('.legend-pick[aria-pressed=true]').waitFor();
      assert.equal(await countRecipients(page), Number(label.replaceAll(/\D/g, '')), `${name}: ${label}`);
    }
    await page.context().close();
  }
});

test('a pane narrows the recipients of a task, until it is pressed again or its filter removed', async () => {
  const page = await openTask('Marikina opening');
  const dialog = page.getByRole('dialog');
  await dialog.locator('.pane-grid > .pane-bad').first().click();
  const failed = dialog.getByRole('button', { name: new RegExp(`^${t('tasks.legend.failed')}`) });
  await dialog.locator('.legend-pick[aria-pressed=true]').waitFor();
  assert.equal(await failed.getAttribute('aria-pressed'), 'true');
  assert.notDeepEqual(filtersOf(page), {});
  await page.reload();
  await dialog.locator('.legend-pick[aria-pressed=true]').waitFor();
  assert.equal(await failed.getAttribute('aria-pressed'), 'true', 'the address keeps it');

  await dialog.getByRole('button', { name: t('ui.clearFilter', { name: t('tasks.receipt') }) }).click();
  await dialog.locator('.legend-pick[aria-pressed=true]').waitFor({ state: 'detached' });
  assert.deepEqual(filtersOf(page), {});

  await failed.focus();
  await page.keyboard.press('Space');
  await dialog.locator('.legend-pick[aria-pressed=true]').waitFor();
  await page.keyboard.press('Space');
  await dialog.locator('.legend-pick[aria-pressed=true]').waitFor({ state: 'detached' });
  assert.deepEqual(filtersOf(page), {});

  await dialog.locator('.pane-strip > .pane-done').first().click();
  await dialog.locator('.legend-pick[aria-pressed=true]').waitFor();
  assert.deepEqual(filtersOf(page), { clientStatus: '2' });
});

test('a saved view keeps filters, order and columns, survives a reload, and shared it is the team’s', async () => {
  const name = 'Finished, oldest first';
  const page = await enter('/bulkMessage?taskStatus=6&sort=createTime');
  await page.getByRole('button', { name: t('ui.columns') }).click();
  await page.getByRole('checkbox', { name: t('tasks.progress') }).click();
  await page.keyboard.press('Escape');
  const progress = (of: Page) => of.getByRole('columnheader', { name: t('tasks.progress'), exact: true });
  await progress(page).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: t('savedViews.title') }).click();
  await page.getByRole('button', { name: t('savedViews.add') }).click();
  const form = page.getByRole('dialog', { name: t('savedViews.add') });
  await form.getByLabel(t('savedViews.name')).fill(name);
  await form.getByLabel(t('savedViews.team')).check();
  await form.getByLabel(t('savedViews.pin')).check();
  await form.getByRole('button', { name: t('ui.save'), exact: true }).click();
  const tab = (of: Page) => of.getByRole('navigation', { name: t('savedViews.title') }).getByRole('button', { name });
  await tab(page).waitFor();
  assert.equal(await tab(page).getAttribute('aria-current'), 'true');

  await page.reload();
  await tab(page).and(page.locator('[aria-current="true"]')).waitFor();
  assert.equal(await progress(page).count(), 0);
  // What the user has without a view.
  await page.getByRole('button', { name: t('ui.columns') }).click();
  await page.keyboard.press('Escape');
  await page
    .getByRole('navigation', { name: t('savedViews.title') })
    .getByRole('button', { name: t('savedViews.all') })
    .click();
  await page.waitForURL((url) => url.search === '');

  const other = await enter('/bulkMessage', 'en-US', 'demo-member');
  await tab(other).click();
  await other.waitForURL(
    (url) => url.searchParams.get('taskStatus') === '6' && url.searchParams.get('sort') === 'createTime',
  );
  await progress(other).waitFor({ state: 'detached' });
  await other.locator('th[aria-sort="ascending"]', { hasText: t('tasks.createTime') }).waitFor();
  await other
    .getByRole('button', { name: t('savedViews.title') })
    .first()
    .click();
  // A colleague's: to look at, not to change.
  const menu = other.getByRole('dialog', { name: t('savedViews.title') });
  await menu.getByText(name).waitFor();
  assert.equal(await menu.getByRole('button', { name: t('savedViews.delete.of', { name }) }).count(), 0);

  // Narrowed further it differs, and its maker can save that over it.
  await tab(page).click();
  await page.getByRole('searchbox').fill('a');
  await page.locator('.view-tab.is-changed').waitFor();
  await page.getByRole('button', { name: t('savedViews.title') }).click();
  await page.getByRole('button', { name: t('savedViews.overwrite', { name }) }).click();
  await page.locator('.view-tab:not(.is-changed)[aria-current="true"]').waitFor();
  await page.getByRole('button', { name: t('savedViews.title') }).click();
  await page.getByRole('button', { name: t('savedViews.delete.of', { name }) }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('savedViews.delete'), exact: true })
    .click();
  await tab(page).waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.search === '');
  // The column that was switched before there was a view.
  await page.getByRole('button', { name: t('ui.columns') }).click();
  await page.getByRole('checkbox', { name: t('tasks.progress') }).click();
  await progress(page).waitFor();
});

test('Space shows a row next to the list, J and K move it along, Escape puts it away', async () => {
  const page = await enter('/smsTemplate');
  const peek = page.locator('.peek');
  const title = peek.getByRole('heading', { level: 2 }).first();
  const names = page.locator('td .cell-name');
  const nameAt = async (index: number) => (await names.nth(index).getAttribute('title')) ?? '';
  await page.keyboard.press('j');
  await page.locator('.row-open:focus').waitFor();
  await page.keyboard.press('Space');
  await title.filter({ hasText: await nameAt(0) }).waitFor();
  // Nothing is dimmed or out of reach: the list has the focus, and is as wide as the panel leaves it.
  assert.equal(await page.locator('dialog[open]').count(), 0);
  const [list, panel] = [await page.locator('.resource-frame').boundingBox(), await peek.boundingBox()];
  assert.ok(list && panel && list.x + list.width <= panel.x, JSON.stringify({ list, panel }));

  await page.keyboard.press('j');
  await title.filter({ hasText: await nameAt(1) }).waitFor();
  await page.keyboard.press('k');
  await title.filter({ hasText: await nameAt(0) }).waitFor();
  // A click on another row shows that one, too.
  await page.locator('.row-open').nth(2).click();
  await title.filter({ hasText: await nameAt(2) }).waitFor();
  await page.keyboard.press('Escape');
  await peek.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '');
  assert.equal(await page.locator('.row-open:focus').count(), 1);

  // Enter opens it over the page, as ever; so it does from the peek.
  await page.keyboard.press('Space');
  await peek.waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: await nameAt(2) }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.search === '');

  // By mouse; and where there is no room, over the page.
  await page.locator('tbody tr').first().hover();
  await page
    .getByRole('button', { name: t('ui.peek') })
    .first()
    .click();
  await peek.waitFor();
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.getByRole('dialog', { name: await nameAt(0) }).waitFor();
  assert.equal(await peek.count(), 0);
});
