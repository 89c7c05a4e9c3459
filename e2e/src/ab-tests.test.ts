/** An A/B test in the console: two templates on shares, sent, compared, decided by a person, and the rest sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { until } from '@pahatid/testkit';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { choose, signIn } from './people.ts';
import { makePhoneFile } from './phone-files.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

test('two templates are tried on shares, and the one that is chosen goes to the rest', {
  timeout: 300_000,
}, async () => {
  const { page, errors } = await openVisitor(browser, product.url, { locale: 'en-US' });
  await signIn(page, t, 'demo');
  await page.goto('/bulkMessage/addMessage');
  await choose(page, t('tasks.application'), 'Store notices');
  await page.getByLabel(t('tasks.name')).fill('Two texts');
  await page.getByText(t('tasks.smsType.2'), { exact: true }).click();
  await choose(page, t('tasks.template'), 'Order ready for pick-up');
  const file = makePhoneFile('csv', 100, 9);
  await page.locator('input[type=file]').setInputFiles({ name: file.name, mimeType: 'text/csv', buffer: file.bytes });
  await page.getByText(t('tasks.upload.sent')).waitFor();
  await page.getByRole('checkbox', { name: t('tasks.abTest') }).check();

  // By keyboard and typed.
  const [a, b] = [page.getByRole('slider').nth(0), page.getByRole('slider').nth(1)];
  await a.press('PageUp');
  await a.press('ArrowRight');
  assert.equal(await a.getAttribute('aria-valuenow'), '21');
  await page.getByRole('spinbutton', { name: `${t('abTests.share')} B` }).fill('30');
  assert.equal(await b.getAttribute('aria-valuenow'), '30');
  await page.getByText(t('abTests.rule.manual'), { exact: true }).click();
  await page.getByRole('button', { name: t('tasks.check') }).click();
  await page.getByText(t('ui.required.choice', { label: t('tasks.template') })).waitFor();
  await choose(page, `${t('tasks.template')} B`, '到店取货通知');
  await look(page, 'ab-test-filled');
  await page.getByRole('button', { name: t('tasks.check') }).click();
  await page.getByRole('button', { name: t('tasks.confirm.send') }).click();

  const owner = await product.signIn('demo');
  const find = async () => {
    const { items } = await owner.call('GET /tasks', { query: { search: 'Two texts' } });
    return {
      whole: items.find((each) => each.abTest !== null),
      parts: items.filter((each) => each.abVariant !== null),
    };
  };
  const done = await until(
    async () => {
      const { whole, parts } = await find();
      return parts.length === 2 && parts.every(({ taskStatus }) => taskStatus === TaskStatus.Completed) && whole;
    },
    { timeoutMs: 60_000, what: 'the variants to end' },
  );
  assert.equal(done.totalCount, 49);
  await page.goto(`/bulkMessage?open=${done.taskId}`);
  await page.getByRole('button', { name: t('abTests.send', { name: 'B' }) }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('abTests.send', { name: 'B' }) })
    .click();
  await page.getByRole('dialog').getByText('Winner: B').waitFor();
  await look(page, 'ab-test-decided');
  await until(async () => (await find()).whole?.taskStatus === TaskStatus.Completed, {
    timeoutMs: 60_000,
    what: 'the rest to end',
  });
  const { whole, parts } = await find();
  const sizes = [...parts, whole].map((each) => (each?.successCount ?? 0) + (each?.failedCount ?? 0));
  assert.deepEqual(sizes.sort(), [21, 30, 49]);
  assert.equal(whole?.templateName, '到店取货通知');
  assert.deepEqual(errors, []);
});
