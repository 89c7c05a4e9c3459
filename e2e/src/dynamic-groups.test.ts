/** A dynamic group: made from a group by conditions that are counted while they are typed, and changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { choose, signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

/** The count once it is one that is expected; the one before stays until the next is there. */
const readCount = (page: Page, isExpected: (count: number) => boolean): Promise<number> =>
  until(async () => {
    const text = await page.locator('.groups-found-count').innerText();
    const count = Number.parseInt(text.replaceAll(',', ''), 10);
    return isExpected(count) && count;
  });

test('members are selected by conditions, counted at each change, and saved', {
  timeout: 300_000,
}, async () => {
  const { page, context, errors } = await openVisitor(browser, product.url, { locale: 'en-US' });
  await signIn(page, t, 'demo');
  await page.goto('/messageGroup');
  await page.getByRole('button', { name: t('groups.more') }).click();
  await page.getByText(t('groups.dynamic.add')).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(t('groups.dynamic.count.waiting')).waitFor();
  await drawer.getByRole('button', { name: t('groups.add') }).click();
  await drawer.getByText(t('groups.dynamic.sources.required')).waitFor();

  await drawer.getByLabel(t('groups.name')).fill('Cebu, not at Globe');
  await choose(page, t('groups.dynamic.sources'), 'Suki rewards');
  await choose(page, t('groups.dynamic.condition', { place: 1 }), t('groups.dynamic.field.value'));
  await choose(page, t('groups.dynamic.name'), 'branch');
  await choose(page, t('groups.dynamic.compare'), t('groups.dynamic.is'));
  await drawer.getByLabel(t('groups.dynamic.wanted')).fill('cebu');
  await drawer.getByText('of 1,240 in the groups').waitFor();
  const inCebu = await readCount(page, (count) => count > 100 && count < 300);

  await drawer.getByRole('button', { name: t('groups.dynamic.another') }).click();
  await choose(page, t('groups.dynamic.condition', { place: 2 }), t('groups.member.rangeHolder'));
  await drawer.getByText(t('groups.dynamic.count.waiting')).waitFor();
  await choose(page, t('groups.dynamic.compare'), t('groups.dynamic.isNot'));
  await choose(page, t('groups.dynamic.wanted'), 'Globe');
  const fewer = await readCount(page, (count) => count > 0 && count < inCebu);
  await look(page, 'dynamic-group-conditions');
  await drawer.getByRole('button', { name: t('groups.add') }).click();
  await page.getByRole('dialog', { name: 'Cebu, not at Globe' }).waitFor();
  await readCount(page, (count) => count === fewer);

  const owner = await product.signIn('demo');
  const { items } = await owner.call('GET /groups', { query: { search: 'Cebu, not' } });
  const [group] = items;
  assert.deepEqual([group?.memberCount, group?.source, group?.selection?.conditions.length], [fewer, 'dynamic', 2]);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('groups.edit') })
    .click();
  await drawer.getByRole('button', { name: t('groups.dynamic.remove', { place: 2 }) }).click();
  await drawer.getByRole('button', { name: t('ui.save') }).click();
  await page.getByText(t('groups.saved')).waitFor();
  const saved = await owner.call('GET /groups/:groupId', { params: { groupId: group!.groupId } });
  assert.equal(saved.memberCount, inCebu);
  assert.deepEqual(errors, []);
  await context.close();
});
