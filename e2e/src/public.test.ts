/** The public site as a visitor finds it: without the console's program, in their language, with or without scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findViolations } from './find-violations.ts';
import { look } from './look.ts';
import { shareProduct } from './shared-product.ts';

const { product, browser } = await shareProduct();

const pages = [
  '/',
  '/services',
  '/services/saas',
  '/services/cpaas',
  '/price',
  '/faq',
  '/about',
  '/contact',
  '/request-account',
  '/docs/errors',
  '/terms-and-conditions',
  '/privacy-policy',
];

async function visit(options: Parameters<Browser['newContext']>[0]) {
  const context = await browser.newContext({ baseURL: product.url, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const said: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  return { context, page, said, asked };
}

const overflow = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');

const sizes = [
  { locale: 'en-US', width: 1440, height: 900 },
  { locale: 'zh-CN', width: 390, height: 844 },
];

/** axe looks at every second page in each size: between them at all. */
for (const [index, size] of sizes.entries())
  test(`each page is one request, fits, and axe finds nothing, in ${size.locale} at ${size.width} pixels`, {
    timeout: 600_000,
  }, async () => {
    const { locale, ...viewport } = size;
    const { context, page, said, asked } = await visit({ locale, viewport, colorScheme: 'light' });
    const found: string[] = [];
    for (const [place, address] of pages.entries()) {
      asked.length = 0;
      await page.goto(address);
      const others = asked
        .map((url) => url.slice(product.url.length))
        .filter((url) => url !== address && url !== '/icon.svg');
      assert.deepEqual(others, [], address);
      assert.equal(await page.locator('html').getAttribute('lang'), locale);
      assert.ok((await overflow(page)) <= 0, `${address} is wider than the window`);
      if (place % sizes.length === index)
        found.push(...(await findViolations(page)).map((line) => `${address}: ${line}`));
      await look(page, `public-${locale}-${size.width}${address.replaceAll('/', '-')}`);
    }
    assert.deepEqual(found, []);
    assert.deepEqual(said, []);
    await context.close();
  });

test('without scripts every page can be read, in the language and the theme of the browser', async () => {
  const { context, page } = await visit({ locale: 'en-GB', javaScriptEnabled: false, colorScheme: 'dark' });
  for (const address of pages) {
    await page.goto(address);
    assert.ok(((await page.locator('main').textContent()) ?? '').length > 200, address);
  }
  // Content that requires a script is marked as such, with a link back.
  await page.goto('/?login=1');
  await page.locator('noscript p:lang(en)').waitFor();
  await page.goto('/faq');
  await page.getByText('Which files can I upload?').click();
  await page.getByText('csv, xls and xlsx, up to 200 MB').waitFor();
  await page.goto('/price');
  assert.match((await page.locator('.price-table').textContent()) ?? '', /Globe\s*₱\d+\.\d\d/);
  await page.getByText('简体中文').click();
  await page.getByRole('heading', { name: '粘贴内容，即见费用' }).waitFor();
  await page.goto('/about');
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  await context.close();
});

test('the language and the theme of the console are those of the site', async () => {
  const { context, page } = await visit({ locale: 'en-US', colorScheme: 'light' });
  await page.goto('/price');
  await page.evaluate("localStorage.setItem('umi_locale', 'zh-CN')");
  await page.goto('/faq');
  await page.locator('html[lang=zh-CN]').waitFor();
  await page.locator('.site-theme').click();
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('link', { name: '登录', exact: true }).click();
  await page.getByRole('dialog').getByRole('heading', { name: '登录' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  await context.close();
});

test('the calculator counts the segments of a text, and multiplies them by phones and price', async () => {
  const { context, page } = await visit({ locale: 'en-US' });
  await page.goto('/price');
  const unit = Number(await page.locator('[data-type="1"]').first().getAttribute('data-units'));
  const costOf = (segments: number) =>
    `₱${((20_000 * segments * unit) / 10_000).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
  const cost = page.locator('output');
  await page.getByLabel('Type').selectOption('1');
  await page.getByLabel('Phones').fill('20000');
  // 100 characters: one segment of 160, or two of 67 because of one curly quote.
  await page.getByLabel('Your text').fill(`${'a'.repeat(99)}’`);
  await page.getByText('100 of 500 characters, Unicode').waitFor();
  assert.equal(await cost.textContent(), costOf(2));
  assert.deepEqual(await page.locator('.segment-bar i').allTextContents(), ['67 of 67', '33 of 67']);
  await page.getByText(`1 segment, ${costOf(1)}`).waitFor();
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByText('100 of 500 characters, GSM').waitFor();
  assert.equal(await page.getByLabel('Your text').inputValue(), `${'a'.repeat(99)}'`);
  assert.equal(await cost.textContent(), costOf(1));
  await page.getByLabel('Phones').fill('0');
  await page.getByText('Enter a text of 1 to 500 characters').waitFor();
  await context.close();
});

test('the tinted text of the calculator breaks its lines where the typed text does', async () => {
  for (const width of [1440, 390]) {
    const { context, page } = await visit({ locale: 'en-US', viewport: { width, height: 900 } });
    await page.goto('/price');
    await page.getByLabel('Your text').fill(`Hello ${'internationalisation '.repeat(8)}\n\n${'x'.repeat(120)} €\n`);
    const [typed, tinted] = await page.evaluate<[number, number]>(`(() => {
      const area = document.querySelector('.segment-text textarea');
      const mirror = document.querySelector('.segment-mirror').scrollHeight;
      area.style.height = '0px';
      return [area.scrollHeight, mirror];
    })()`);
    assert.equal(typed, tinted, `${width} pixels`);
    await context.close();
  }
});

test('the answers are searched as one types, and a link leads to one of them', async () => {
  const { context, page } = await visit({ locale: 'en-US' });
  await page.goto('/faq');
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Search the answers' });
  await search.and(page.locator(':focus')).waitFor();
  await search.fill('Unknown receipt');
  await page.getByText(/^\d+ of \d+ answers$/).waitFor();
  const shown = await page.locator('.faq details:visible').allTextContents();
  assert.ok(shown.length > 0 && shown.every((text) => /unknown/i.test(text) && /receipt/i.test(text)), shown.join());
  await search.fill('9.17123E+09');
  await page.locator('.faq details[open]').waitFor();
  assert.equal(await page.locator('.faq details:visible').count(), 1);
  await search.fill('no such words');
  await page.getByText('No answer has these words').waitFor();
  await page.getByRole('link', { name: 'Reply T' }).click();
  await page.getByText('The number is recorded as opted out immediately').waitFor();
  const { hash } = new URL(page.url());
  await page.goto('about:blank');
  await page.goto(`/faq?lang=zh-CN${hash}`);
  await page.locator(`.faq details[open]${hash}`).waitFor();
  await context.close();
});

test('carriers with the same prices stand in one line, and one price for all is shown large', async () => {
  const { context, page } = await visit({ locale: 'en-US' });
  const prices: Record<string, number> = {};
  await page.route('/price', async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const body = html.replaceAll(
      /data-type="(\d)" data-units="(\d+)"/g,
      (_, type: string, units: string) => `data-type="${type}" data-units="${prices[type] ?? units}"`,
    );
    await route.fulfill({ response, body });
  });
  await page.goto('/price');
  await page.locator('#one-price').waitFor();
  assert.equal(await page.locator('.price-list').isVisible(), false);
  prices['1'] = 4_000;
  await page.goto('/price');
  await page.locator('.price-list').waitFor();
  assert.deepEqual(await page.locator('.price-table tbody tr:not([hidden]) th').allTextContents(), [
    'Globe · Smart · DITO · Carrier unknown',
  ]);
  assert.equal(await page.locator('#one-price').isVisible(), false);
  await context.close();
});

test('an enquiry is sent by keyboard, stored and mailed; missing fields are reported and no input is lost', async () => {
  const { context, page } = await visit({ locale: 'en-US', viewport: { width: 390, height: 844 } });
  await page.goto('/contact');
  await page.getByLabel('Your name').fill('A\tvisitor');
  await page.getByRole('button', { name: 'Send enquiry' }).press('Enter');
  // Each field shows its error; the first of them has the focus, and announces it to screen readers.
  await page.locator('[name=email][aria-invalid=true]:focus').waitFor();
  assert.deepEqual(await page.locator('.field-problem').allTextContents(), [
    '',
    'Enter your email address.',
    'Enter at least 10 characters.',
  ]);
  assert.equal(await page.getByLabel('Email').getAttribute('aria-describedby'), 'enquiry-email');
  await page.getByLabel('Email').fill('not an address');
  await page.getByLabel('Your message').fill('How much for 20,000 phones in May?');
  await page.getByRole('button', { name: 'Send enquiry' }).press('Enter');
  await page.locator('#enquiry-email').getByText('Enter a valid email address').waitFor();
  await page.getByLabel('Email').fill('visitor@shop.example');
  assert.equal(await page.getByLabel('Your name').inputValue(), 'A\tvisitor');
  await page.getByRole('button', { name: 'Send enquiry' }).press('Enter');
  await page.getByRole('heading', { name: 'Your enquiry was sent' }).waitFor();
  const { fetch } = await product.signIn('admin');
  const list = (await (await fetch('/enquiries')).json()) as {
    items: { name: string; email: string; message: string }[];
  };
  assert.deepEqual(
    list.items.map(({ name, email, message }) => [name, email, message]),
    [['A visitor', 'visitor@shop.example', 'How much for 20,000 phones in May?']],
  );
  await context.close();
});

for (const scripts of ['on', 'off'] as const)
  test(`a blocked link is reported from its warning page with scripts ${scripts}`, async () => {
    const owner = await product.signIn('demo');
    const admin = await product.signIn('admin');
    const { items } = await owner.call('GET /short-links', {});
    const link = items[scripts === 'on' ? 0 : 1] ?? assert.fail('the demo has two short links');
    await admin.call('PUT /blocked-links/:linkId', { params: { linkId: link.linkId }, body: { reason: 'Phishing' } });
    const { context, page } = await visit({ locale: 'en-US', javaScriptEnabled: scripts === 'on' });
    const message = `It asked for my card number, scripts ${scripts}`;
    await page.goto(`/s/${link.code}`);
    await page.locator('[name=message]').fill(message);
    await page.locator('main form button').click();
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
    const reports = await admin.call('GET /link-reports', {});
    assert.ok(reports.items.some((report) => report.message === message));
    await context.close();
  });
