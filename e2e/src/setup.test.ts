/** The first admin of an installation without demo data, by the link that the start prints. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser, openVisitor } from './browser.ts';
import { look } from './look.ts';
import { Product } from './product.ts';
import { wordsOf } from './words.ts';

const product = await Product.start({ PAHATID_DEMO: 'off', PAHATID_ROLES: 'api' });
const browser = await launchBrowser();
after(async () => {
  await browser.close();
  await product.stop();
});

const linkOf = (output: string): string | undefined => /http:\S+\/setup#token=\S+/.exec(output)?.[0];

test('S22 the printed link makes the first admin in the browser, once; a later start voids the one before', {
  timeout: 600_000,
}, async () => {
  const earlier = linkOf(product.output);
  assert.ok(earlier, product.output);
  assert.ok(earlier.startsWith(`${product.url}/setup#token=`));
  await product.restart();
  const link = linkOf(product.output);
  assert.ok(link && link !== earlier);

  const t = wordsOf('en-US');
  const { page, context, errors } = await openVisitor(browser, product.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await page.goto(earlier);
  await page.getByText(t('error.SETUP_LINK_INVALID')).waitFor();
  await look(page, 'setup-old-link');
  errors.length = 0;
  await page.goto(link);
  await page.getByRole('heading', { name: t('setup.title') }).waitFor();
  await page.getByRole('button', { name: t('setup.submit') }).click();
  await page.getByText(t('passwords.email.required')).waitFor();
  await page.getByLabel(t('setup.email')).fill('first@shop');
  await page.getByLabel(t('session.account')).fill('a b');
  const password = page.getByLabel(t('session.password'), { exact: true });
  await password.fill('ricefield7');
  await page.getByText(t('error.field.EMAIL')).waitFor();
  await page.getByText(t('error.field.ACCOUNT')).waitFor();
  await page.getByText(t('error.field.PASSWORD_NO_UPPERCASE')).waitFor();
  await look(page, 'setup-errors');
  await page.getByLabel(t('setup.email')).fill('first@shop.example');
  await page.getByLabel(t('session.account')).fill('first.admin');
  await password.fill('Ricefield7!kx');
  await page.getByText(t('passwords.strength.Strong'), { exact: true }).waitFor();
  await look(page, 'setup-filled');
  await page.getByRole('button', { name: t('setup.submit') }).click();
  // S23: staff have a second factor before anything else.
  await page.waitForURL(/\/account\b/);
  await page.getByRole('heading', { level: 1, name: t('account.enrol.title') }).waitFor();
  const token = new URL(link).hash.slice('#token='.length);
  assert.deepEqual(
    asked.filter((line) => line.includes(token)),
    [],
    'the token is in no request line and no referrer',
  );
  assert.deepEqual(errors, []);
  assert.equal(
    (await product.signIn('first.admin', 'Ricefield7!kx').then(({ call }) => call('GET /session'))).user.role,
    'admin',
  );
  await context.close();

  const late = await openVisitor(browser, product.url, { locale: 'zh-CN', width: 390, height: 844 });
  await late.page.goto(link);
  await late.page.getByText(wordsOf('zh-CN')('error.SETUP_DONE')).waitFor();
  await look(late.page, 'setup-done-zh-390');
  await late.context.close();
  await product.restart();
  assert.equal(linkOf(product.output), undefined, 'a start with an admin prints no link');
});
