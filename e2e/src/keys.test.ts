/**
 * A customer's software in the console: a key is made, shown once, used, and revoked; a bind over SMPP is shown, tried and
 * disconnected. Viewers read. A test key in the quick start. Live events, and why they may be refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectSession } from '@pahatid/smpp';
import { until } from '@pahatid/testkit';
import { openVisitor } from './browser.ts';
import { findViolations } from './find-violations.ts';
import { look } from './look.ts';
import { choose, fillSignIn, signIn } from './people.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const t = wordsOf('en-US');
const name = 'Loyalty points of all branches';

test('an owner makes a key, which works until it is revoked', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/developer?tab=keys');
  await page.getByRole('button', { name: t('developer.key.add') }).click();
  const drawer = page.getByRole('dialog', { name: t('developer.key.add') });
  await drawer.getByRole('button', { name: t('developer.key.add') }).click();
  await drawer.getByText(t('ui.required.message', { label: t('account.passkey.name') })).waitFor();
  await drawer.getByLabel(t('account.passkey.name')).fill(name);
  await choose(page, t('senders.application'), 'Store notices');
  await drawer.getByRole('checkbox', { name: 'templates' }).check();
  await look(page, 'key-form');
  await drawer.getByRole('button', { name: t('developer.key.add') }).click();
  const shown = page.getByRole('dialog', { name: t('developer.key.shown.title') });
  const apiKey = (await shown.locator('dd bdi').first().textContent()) ?? '';
  assert.match(apiKey, /^pk_live_[0-9A-Za-z]{43}$/);
  await shown.getByText('curl -sS -H').waitFor();
  await look(page, 'key-shown');
  await shown.getByRole('button', { name: t('applications.shown.done.one') }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText(apiKey.slice(0, 16)).waitFor();
  assert.equal(await page.getByText(apiKey).count(), 0);

  const status = async (path: string): Promise<number> =>
    (await fetch(`${product.url}/api/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } })).status;
  assert.deepEqual([await status('/templates'), await status('/tasks')], [200, 403]);

  await row.getByRole('button').click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('applications.secret.end') })
    .click();
  await row.waitFor({ state: 'detached' });
  await until(async () => (await status('/templates')) === 401, { what: 'the revoked key' });
  assert.deepEqual(errors, []);
});

test('a viewer reads the keys and changes none', { timeout: 300_000 }, async () => {
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo-viewer');
  await page.goto('/developer?tab=keys');
  await page.getByRole('table').getByText('Order service').waitFor();
  assert.equal(await page.getByRole('button', { name: t('developer.key.add') }).count(), 0);
  assert.equal(await page.getByRole('button', { name: t('applications.secret.end') }).count(), 0);
  assert.deepEqual(errors, []);
});

test('a bind of software is shown with its address, and disconnected; a test bind shows why it is refused', {
  timeout: 300_000,
}, async () => {
  let ended: string | null = null;
  const bound = await connectSession<number>(
    { host: '127.0.0.1', port: product.smppPort, mode: 'transceiver', system_id: 'demoapp', password: 'demopass' },
    {
      onResponse: () => undefined,
      onUnknown: () => undefined,
      onDeliver: (_pdu, respond) => void respond(),
      onClose: (reason) => {
        ended = reason;
      },
    },
  );
  assert.ok(bound.bound);
  const { page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  await page.goto('/application?open=demoapp');
  const drawer = page.getByRole('dialog');
  const binds = drawer.getByRole('table', { name: t('applications.section.binds') });
  await binds.getByText('transceiver').waitFor();
  await look(page, 'binds');
  await drawer.getByRole('button', { name: t('routing.trial'), exact: true }).click();
  const trial = page.getByRole('dialog', { name: t('routing.trial.title') });
  const attempt = async (password: string) => {
    await trial.getByLabel(t('applications.secret.smpp')).fill(password);
    await trial.getByRole('button', { name: t('routing.trial'), exact: true }).click();
  };
  await attempt('wrongpw');
  await trial.getByText('ESME_RINVPASWD').first().waitFor();
  await trial.getByText(t('applications.bindRefused.password')).waitFor();
  await attempt('demopass');
  await trial.getByText('ESME_ROK').first().waitFor();
  await look(page, 'test-bind');
  await trial
    .getByRole('button', { name: t('ui.close') })
    .last()
    .click();
  await binds.getByRole('button', { name: t('applications.bind.end') }).click();
  await until(() => ended !== null, { what: 'the end of the session' });
  await drawer.getByText(t('applications.smpp.none')).waitFor();
  assert.deepEqual(errors, []);
});

test('the quick start makes a test key on the page for who is signed in, and keeps it nowhere', async () => {
  const { page, context, errors } = await openVisitor(browser, product.url);
  await page.goto('/docs');
  const make = page.getByRole('button', { name: 'Create a test key' });
  await make.click();
  const link = page.getByRole('status').getByRole('link', { name: 'Sign in' });
  await link.click();
  await fillSignIn(page, t, 'demo');
  await page.waitForURL('**/docs#try');
  await make.click();
  await page.getByText('The key is in the call below.').waitFor();
  await look(page, 'quick-start-key');
  const read = async () => /pk_test_[0-9A-Za-z]{43}/.exec((await page.locator('main').textContent()) ?? '')?.[0];
  const apiKey = (await read()) ?? assert.fail('no key in the call');
  assert.equal(await make.count(), 0);
  const answer = await fetch(`${product.url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '09740000000', smsType: 2, content: 'Your order has left.' }),
  });
  assert.equal(answer.status, 202, await answer.text());
  // The demo has no test key for the accessibility walk.
  await page.goto('/developer?tab=keys');
  await page
    .getByRole('link', { name: t('developer.key.test') })
    .first()
    .waitFor();
  assert.deepEqual(await findViolations(page), []);
  await page.goto('/docs');
  await make.waitFor();
  await page.goto('/docs/test-mode');
  await page.goBack();
  await make.waitFor();
  assert.equal(await read(), undefined);
  assert.ok(!(await (await context.request.get('/docs')).text()).includes(apiKey));

  await context.request.post('/api/v1/session', { data: { account: 'demo-viewer', password: 'Demo@1234' } });
  await page.reload();
  await make.click();
  await page.getByText('Only owners and members of a customer can create keys.').waitFor();
  await context.close();
  assert.deepEqual(
    errors.filter((line) => !line.includes('401')),
    [],
  );
});

test('live events that are refused say why, and are tried again on request', { timeout: 300_000 }, async () => {
  const { page, context, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  const cookie = (await context.cookies()).map((each) => `${each.name}=${each.value}`).join('; ');
  const others = new AbortController();
  // The overview's own stream ends with it.
  await page.goto('/developer?tab=keys');
  await page.getByRole('button', { name: t('developer.key.add') }).waitFor();
  const open = () => fetch(`${product.url}/api/v1/events`, { headers: { cookie }, signal: others.signal });
  // As many as one session may have.
  for (let n = 0; n < 20; n++) await open();
  await until(async () => (await open()).status === 429, { what: 'a refusal' });
  await page.goto('/developer?tab=live');
  const alert = page.getByRole('alert');
  await alert.getByText(t('ui.failed.title')).waitFor();
  await look(page, 'live-refused');
  assert.equal(await page.getByText(t('developer.live.on')).count(), 0);
  others.abort();
  await until(
    async () => {
      await alert
        .getByRole('button', { name: t('ui.retry') })
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      return (await page.getByText(t('developer.live.on')).count()) === 1;
    },
    { what: 'the stream' },
  );
  assert.equal(await alert.count(), 0);
  await context.close();
  assert.deepEqual(
    errors.filter((line) => !line.includes('429')),
    [],
  );
});
