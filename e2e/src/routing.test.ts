/**
 * Staff connect a carrier in a real browser: an account that points to the simulator, a trial bind with a wrong and
 * with the right password, and bound; a route with a weight, a range and a price. One half in each language.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { choose, openScreen, signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const staff = await product.signIn('operator');
const { items } = await staff.call('GET /suppliers', { query: { search: 'globe' } });
const simulatorPort = items[0]?.port ?? 0;

/** A line of text or a number, by exactly its name. */
const type = (within: Locator, name: string, value: string): Promise<void> =>
  within
    .getByRole('textbox', { name, exact: true })
    .or(within.getByRole('spinbutton', { name, exact: true }))
    .fill(value);
const openTab = async (page: Page, t: Words, tab: string): Promise<void> => {
  await page.getByRole('tab', { name: t(`routing.tab.${tab}`), exact: true }).click();
  await page.getByRole('tabpanel', { name: t(`routing.tab.${tab}`) }).waitFor();
};

test('an account is added, its bind tried with a wrong and the right password, and it is bound within seconds', async () => {
  const t = wordsOf('en-US');
  const { page, context } = await openVisitor(browser, product.url);
  const account = 'simulated';
  await signIn(page, t, 'operator');
  await openScreen(page, t, 'shell.menu.routing');
  await page.getByRole('table').getByText('globe-1').waitFor();
  await page.getByRole('button', { name: t('routing.supplier.add') }).click();
  const form = page.getByRole('dialog', { name: t('routing.supplier.add') });
  await type(form, t('routing.supplier'), account);
  await type(form, t('routing.host'), '127.0.0.1');
  await type(form, t('routing.port'), String(simulatorPort));
  await type(form, t('routing.systemId'), 'globe');
  await form.getByLabel(t('routing.password')).first().fill('wrongpw');
  await form.getByRole('button', { name: t('routing.trial') }).click();
  const trial = page.getByRole('dialog', { name: t('routing.trial.title') });
  await trial.getByText(t('routing.trial.status.14')).waitFor();
  await trial.getByText('ESME_RINVPASWD').first().waitFor();
  await look(page, 'wrong-password');
  await trial
    .getByRole('button', { name: t('ui.close') })
    .last()
    .click();
  await form.getByLabel(t('routing.password')).first().fill('globepw');
  await form.getByRole('button', { name: t('routing.trial') }).click();
  await trial.getByText(t('routing.trial.outcome.bound')).waitFor();
  await trial
    .getByRole('button', { name: t('routing.trace.hex.of', { command: 'bind_transceiver' }), exact: true })
    .click();
  const trace = (await trial.getByRole('list', { name: t('routing.trace') }).textContent()) ?? '';
  assert.match(trace, /bind_transceiver.*bind_transceiver_resp.*enquire_link.*unbind_resp/s);
  assert.ok(trace.includes('2a 2a 2a 2a') && !trace.includes('67 6c 6f 62 65 70 77'), 'the password is masked');
  await look(page, 'trial');
  await trial
    .getByRole('button', { name: t('ui.close') })
    .last()
    .click();
  await type(form, t('routing.receiptHours'), '2');
  await choose(page, t('routing.query'), t('routing.tls.on'));
  await look(page, 'receipts');
  await form.getByRole('button', { name: t('routing.supplier.add') }).click();
  const drawer = page.getByRole('dialog', { name: account });
  await drawer.getByText(t('routing.bind.bound'), { exact: true }).first().waitFor();
  await look(page, 'supplier');
  const { items: saved } = await staff.call('GET /suppliers', { query: { search: account } });
  assert.partialDeepStrictEqual(saved[0]?.profile, { receiptHours: 2, query: true });
  const fact = (name: string) =>
    drawer
      .getByRole('term')
      .filter({ hasText: t(name) })
      .locator('xpath=following-sibling::dd[1]');
  assert.equal(await fact('routing.receiptHours').textContent(), '2');
  assert.equal(await fact('routing.query').textContent(), t('routing.tls.on'));
  await context.close();
});

test('a route with a weight is led to an account, a range and a price are changed; to a reviewer the screen is none', async () => {
  const t = wordsOf('zh-CN');
  const { page, context } = await openVisitor(browser, product.url, { locale: 'zh-CN' });
  await signIn(page, t, 'operator');
  await openScreen(page, t, 'shell.menu.routing');
  await openTab(page, t, 'routes');
  await page.getByRole('button', { name: t('routing.route.add') }).click();
  const routeForm = page.getByRole('dialog', { name: t('routing.route.add') });
  await type(routeForm, t('routing.route'), 'Way');
  await choose(page, t('routing.supplier'), 'globe-1');
  await type(routeForm, t('routing.priority'), '50');
  await type(routeForm, t('routing.weight'), '7');
  await routeForm.getByRole('button', { name: t('routing.route.add') }).click();
  await page.getByRole('row', { name: /Way.*50.*7/ }).waitFor();
  await page.getByText('Way').first().waitFor();
  await look(page, 'routes');
  const { items: made } = await staff.call('GET /routes', { query: { search: 'Way' } });
  assert.deepEqual(
    made.map(({ supplierAccount, weight, priority }) => [supplierAccount, weight, priority]),
    [['globe-1', 7, 50]],
  );

  await openTab(page, t, 'prefixes');
  await page.getByRole('searchbox', { name: t('routing.prefix.search') }).fill('0917 123 4567');
  await page.getByRole('button', { name: '+63917' }).click();
  const range = page.getByRole('dialog', { name: t('routing.prefix.edit') });
  await choose(page, t('routing.rangeHolder'), 'DITO');
  await range.getByRole('button', { name: t('ui.save') }).click();
  await page.getByRole('row', { name: /\+63917.*DITO/ }).waitFor();
  await look(page, 'prefixes');
  await openTab(page, t, 'prices');
  await page.getByRole('button', { name: t('routing.price.add') }).click();
  const price = page.getByRole('dialog', { name: t('routing.price.add') });
  await choose(page, t('routing.carrier'), 'Smart');
  await type(price, t('routing.price'), '0.4125');
  await price.getByRole('button', { name: t('ui.save') }).click();
  await page.getByRole('row', { name: /Smart.*0\.4125/ }).waitFor();
  await page.getByText(t('routing.prices.history'), { exact: true }).click();
  await page.getByRole('row', { name: /Smart.*0\.4125.*operator/ }).waitFor();
  await look(page, 'price-history');
  await context.close();

  const reviewer = await openVisitor(browser, product.url, { locale: 'zh-CN' });
  await signIn(reviewer.page, t, 'reviewer');
  assert.equal(await reviewer.page.getByRole('link', { name: t('shell.menu.routing') }).count(), 0);
  await reviewer.page.goto('/routing');
  await reviewer.page.getByText(t('ui.notFound.title')).waitFor();
  await reviewer.context.close();
});
