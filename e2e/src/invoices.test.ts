/** Invoices: an owner opens one, its lines are those of the ledger, and prints it; staff see the same one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerEntry } from '@pahatid/contract';
import type { Page } from 'playwright-core';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');

/** `₱1,234.50` and `−₱0.35` in 1/10,000 PHP. */
const toMoney = (text: string): number => {
  const value = Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 10_000);
  return /[-−]/.test(text) ? -value : value;
};

/** Cells of a table by row. */
const readRows = (page: Page, part: string): Promise<string[][]> =>
  page
    .locator(`.invoice-charges ${part} tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

const sumOf = (rows: readonly string[][], at: number): number =>
  rows.reduce((sum, row) => sum + toMoney(row[at] ?? ''), 0);

test('an owner opens the invoice of last month, its lines are those of the ledger, and prints it', {
  timeout: 300_000,
}, async () => {
  const owner = await product.signIn('demo');
  const { items } = await owner.call('GET /billing/invoices', { query: {} });
  const last = items.find(({ isFinal }) => isFinal)!;
  const [year = 0, month = 0] = last.month.split('-').map(Number);
  // Midnight in Manila.
  const [from, to] = [month - 1, month].map((at) => new Date(Date.UTC(year, at, 0, 16)).toISOString());
  const entries: LedgerEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await owner.call('GET /billing/ledger', { query: { from, to, cursor, limit: 100 } });
    entries.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  const charges = entries.filter(({ kind }) => kind === 'charge');
  const charged = -charges.reduce((sum, { amount }) => sum + amount, 0);
  assert.ok(charged > 0);

  const { page, errors } = await openVisitor(browser, product.url);
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', document.title);
  });
  await signIn(page, t, 'demo');
  await page.goto('/billing');
  await page
    .getByRole('link', { name: t('billing.invoices'), exact: true })
    .first()
    .click();
  await page.getByText(t('billing.invoice.open')).waitFor();
  assert.equal(await page.getByText(t('billing.invoice.open')).count(), 1, 'this month alone may change');
  const title = await page.title();
  await page.getByRole('cell', { name: last.number }).click();
  const invoice = page.getByRole('article', { name: last.number });
  await invoice.waitFor();
  assert.equal(await page.getByText(t('billing.invoice.open')).count(), 0);

  const lines = await readRows(page, 'tbody');
  const [total] = await readRows(page, 'tfoot');
  for (const line of lines) assert.equal(Number(line[3]?.replaceAll(',', '')) * toMoney(line[4]!), toMoney(line[5]!));
  assert.equal(sumOf(lines, 5), charged);
  assert.equal(toMoney(total?.[5] ?? ''), charged);
  const segments = charges.reduce((sum, entry) => sum + entry.segments, 0);
  assert.equal(Number(total?.[3]?.replaceAll(',', '')), segments);
  assert.ok(await invoice.getByText(t('billing.invoice.closing')).isVisible());
  await look(page, 'invoice');

  await page.getByRole('button', { name: t('billing.invoice.print') }).click();
  assert.match((await page.locator('html').getAttribute('data-printed')) ?? '', new RegExp(last.number));
  // On paper: the sheet alone, dark ink on white, in a dark theme too.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const part of ['button', 'a[href]', 'nav']) assert.equal(await page.locator(`${part}:visible`).count(), 0, part);
  const ink = await invoice.evaluate((sheet) => {
    const backgrounds: string[] = [];
    for (let at: Element | null = sheet; at !== null; at = at.parentElement)
      backgrounds.push(getComputedStyle(at).backgroundColor);
    return { color: getComputedStyle(sheet).color, backgrounds: [...new Set(backgrounds)] };
  });
  assert.deepEqual(ink, { color: 'rgb(14, 31, 38)', backgrounds: ['rgba(0, 0, 0, 0)'] });
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  // A4, in points.
  assert.match(paper, /\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
  await page.emulateMedia({ media: null, colorScheme: null });

  await page
    .getByRole('link', { name: t('billing.invoices'), exact: true })
    .last()
    .click();
  await page.getByRole('cell', { name: last.number }).waitFor();
  await page.waitForFunction((wanted) => document.title === wanted, title);
  await page.goto('/billing/invoice?month=yesterday');
  await page.getByRole('cell', { name: last.number }).waitFor();
  await page.goto('/billing/invoice?month=2001-01');
  await page.getByText(t('error.NOT_FOUND')).waitFor();

  const staff = await openVisitor(browser, product.url);
  await signIn(staff.page, t, 'operator');
  await staff.page.goto('/billing/invoice');
  await staff.page.getByRole('heading', { name: t('billing.choose.title') }).waitFor();
  const { customerId } = await owner.call('GET /billing', { query: {} });
  await staff.page.goto(`/billing/invoice?customerId=${customerId}&month=${last.month}`);
  await staff.page.getByRole('article', { name: last.number }).waitFor();
  assert.deepEqual(await readRows(staff.page, 'tbody'), lines);
  await look(staff.page, 'invoice-staff');
  assert.deepEqual(staff.errors, []);
  assert.deepEqual(
    errors.filter((error) => !error.includes('404')),
    [],
  );
  await page.context().close();
  await staff.page.context().close();
});

test('staff see the ledger by day and task, and the entries of a line add up to it', {
  timeout: 300_000,
}, async () => {
  const { customerId } = await (await product.signIn('demo')).call('GET /billing', { query: {} });
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'admin');
  await page.goto(`/billing?customerId=${customerId}`);
  await page.getByText(t('billing.ledger.byDay'), { exact: true }).click();
  const lines = page.getByRole('table', { name: t('billing.ledger.byDay') });
  const line = lines
    .locator('tbody tr')
    .filter({ hasText: t('billing.noTask') })
    .nth(1);
  await line.waitFor();
  const cells = await line.getByRole('cell').allTextContents();
  const [count, segments, amount] = cells.slice(-3);
  await line.click();
  const entries = page.getByRole('table', { name: t('billing.ledger.entries') });
  await entries.locator('tbody tr').first().waitFor();
  assert.match(page.url(), /taskId=none/);
  const staff = await product.signIn('admin');
  const { from, to } = Object.fromEntries(new URL(page.url()).searchParams) as { from: string; to: string };
  const seen: LedgerEntry[] = [];
  let cursor: string | undefined;
  do {
    const query = { customerId, from, to, taskId: 'none' as const, kind: 'charge' as const, cursor, limit: 200 };
    const found = await staff.call('GET /billing/ledger', { query });
    seen.push(...found.items);
    cursor = found.nextCursor ?? undefined;
  } while (cursor !== undefined);
  const sum = (field: 'segments' | 'amount'): number => seen.reduce((total, entry) => total + entry[field], 0);
  assert.deepEqual(
    [Number(count?.replaceAll(',', '')), Number(segments?.replaceAll(',', '')), toMoney(amount ?? '')],
    [seen.length, sum('segments'), sum('amount')],
  );
  assert.deepEqual(errors, []);
  await page.context().close();
});
