/** Staff view a customer's screens: selected in the shell, retained in the address and along the menu. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

test('a reviewer chooses a customer and reads its thresholds, templates and members', {
  timeout: 300_000,
}, async () => {
  const reviewer = await product.signIn('reviewer');
  const { items } = await reviewer.call('GET /customers', { query: { search: 'Sari-Sari' } });
  const customerId = items[0]?.customerId ?? assert.fail('the demo has a customer');
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'reviewer');

  // A screen of one customer asks for the choice; a list begins with all customers.
  await page.goto('/home');
  await page.getByText(t('shell.customer.choose'), { exact: true }).waitFor();
  await page.goto('/member');
  await page.getByText(t('shell.customer.all'), { exact: true }).waitFor();
  await page.getByRole('table').getByText('Sari-Sari Mart').first().waitFor();
  const bar = page.getByRole('region', { name: t('shell.customer') });
  await bar.getByRole('button').first().click();
  await page
    .getByRole('menuitem', { name: 'Sari-Sari Mart' })
    .or(page.getByRole('button', { name: 'Sari-Sari Mart' }))
    .first()
    .click();
  await page.getByRole('table').getByText('demo-member').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('customerId'), customerId);
  assert.equal(await page.getByRole('button', { name: t('members.invite') }).count(), 0);
  await look(page, 'staff-members');

  // The menu carries the choice along.
  await page
    .getByRole('navigation')
    .first()
    .getByRole('link', { name: t('thresholds.title') })
    .click();
  await page.getByRole('heading', { level: 1, name: t('thresholds.title') }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('customerId'), customerId);
  await page.getByRole('table').getByText('Sari-Sari Mart').first().waitFor();
  assert.equal(await page.getByRole('button', { name: t('thresholds.add') }).count(), 0);
  await look(page, 'staff-thresholds');
  await page.reload();
  await page.getByRole('table').getByText('Sari-Sari Mart').first().waitFor();
  await page.goto(`/home?customerId=${customerId}`);
  await page.getByRole('heading', { level: 1, name: t('shell.menu.home') }).waitFor();
  await bar.getByText('Sari-Sari Mart').first().waitFor();
  assert.equal(await page.getByRole('link', { name: t('overview.create') }).count(), 0);
  await page.getByText(t('overview.range.today')).first().waitFor();
  await look(page, 'staff-customer-home');
  await page.goto(`/developer?tab=keys&customerId=${customerId}`);
  await page.getByRole('table').getByText('demoapp').first().waitFor();
  await look(page, 'staff-developer');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/home?customerId=${customerId}`);
  await bar.getByText('Sari-Sari Mart').first().waitFor();
  await look(page, 'staff-customer-home-390');
  await page.goto(`/deliveryThreshold?customerId=${customerId}`);
  await page.getByRole('table').getByText('Sari-Sari Mart').first().waitFor();
  await look(page, 'staff-thresholds-390');
  assert.deepEqual(errors, []);
});
