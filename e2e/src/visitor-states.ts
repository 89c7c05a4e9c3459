/**
 * Screens of a visitor: every page of the site, and every method to sign in or recover access. Responses that require
 * repeated failures or a mail are mocked, so that no user's sign-in is affected.
 */
import type { Page } from 'playwright-core';
import type { ConsoleState } from './console-state.ts';
import type { Words } from './words.ts';

const page = (name: string, address: string): ConsoleState => ({
  name,
  who: 'nobody',
  rare: true,
  site: true,
  open: async (tab) => {
    await tab.goto(address);
    await tab.getByRole('heading', { level: 1 }).waitFor();
  },
});

const card = (tab: Page) => tab.getByRole('dialog').last();

/** Mocks sign-in calls while `open` runs. */
const answering =
  (answers: Record<string, { status: number; json?: object }>, open: ConsoleState['open']): ConsoleState['open'] =>
  async (tab, t) => {
    const pattern = /\/api\/v1\/(.*)$/;
    await tab.route(pattern, (route) => {
      const answer = answers[`${route.request().method()} ${pattern.exec(route.request().url())?.[1]}`];
      return answer === undefined ? route.fallback() : route.fulfill(answer);
    });
    try {
      await open(tab, t);
    } finally {
      await tab.unroute(pattern);
    }
  };

const signIn = async (tab: Page): Promise<void> => {
  await tab.goto('/?login=1');
  await card(tab).getByRole('tablist').waitFor();
};
const submitAccount = async (tab: Page, t: Words): Promise<void> => {
  await signIn(tab);
  await tab.locator('input[autocomplete=username]').fill('maria');
  await tab.locator('input[autocomplete=current-password]').fill('not this one');
  await card(tab)
    .getByRole('button', { name: t('session.submit'), exact: true })
    .click();
};
const problem = (status: number, code: string, params: object) => ({ status, json: { status, code, params } });
const codeSent = { status: 202, json: { resendAfterS: 60, expiresInS: 300 } };

const door = (name: string, open: ConsoleState['open']): ConsoleState => ({ name, who: 'nobody', rare: true, open });

/** The three steps of a reset by email, as far as the one asked for. */
const resetByEmail = (steps: 1 | 2 | 3): ConsoleState['open'] =>
  answering(
    { 'POST codes': codeSent, 'POST password-resets/verify': { status: 200, json: { grant: 'x', expiresInS: 600 } } },
    async (tab, t) => {
      await tab.goto('/?login=1&forgot=email');
      // A reset in progress continues where it was left.
      await tab.evaluate('sessionStorage.clear()');
      await tab.reload();
      const email = card(tab).getByLabel(t('passwords.email'), { exact: true });
      await email.waitFor();
      if (steps === 1) return;
      await email.fill('maria@shop.example');
      await card(tab)
        .getByRole('button', { name: t('passwords.reset.send') })
        .click();
      const code = card(tab).getByLabel(t('passwords.code'), { exact: true });
      await code.waitFor();
      if (steps === 2) return;
      await code.fill('482913');
      await card(tab)
        .getByRole('button', { name: t('passwords.reset.verify'), exact: true })
        .click();
      await card(tab).getByLabel(t('passwords.new'), { exact: true }).fill('Mango4');
    },
  );

export const visitorStates: ConsoleState[] = [
  page('site services', '/services'),
  page('site marketing cloud', '/services/saas'),
  page('site message cloud', '/services/cpaas'),
  page('site price', '/price'),
  {
    ...page('site faq', '/faq'),
    open: async (tab) => {
      await tab.goto('/faq');
      for (const group of await tab.locator('.faq').all()) await group.locator('summary').first().click();
      await tab.mouse.move(0, 0);
      await tab.evaluate('scrollTo(0, 0)');
    },
  },
  page('site about', '/about'),
  page('site errors', '/docs/errors'),
  page('site contact', '/contact'),
  {
    ...page('site contact refused', '/contact'),
    open: async (tab) => {
      await tab.goto('/contact');
      await tab.locator('#enquiry button').click();
      await tab.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    ...page('site contact sent', '/contact'),
    open: answering(
      {
        'POST enquiries/ticket': { status: 200, json: { ticket: 'x', prefix: 'x', bits: 1, waitMs: 0 } },
        'POST enquiries': { status: 201, json: {} },
      },
      async (tab) => {
        await tab.goto('/contact');
        await tab.locator('[name=name]').fill('Maria');
        await tab.locator('[name=email]').fill('maria@shop.example');
        await tab.locator('[name=message]').fill('How much for 20,000 phones in May?');
        await tab.locator('#enquiry button').click();
        await tab.locator('#enquiry-done').waitFor();
      },
    ),
  },
  page('site request', '/request-account'),
  {
    ...page('site request refused', '/request-account'),
    open: async (tab) => {
      await tab.goto('/request-account');
      await tab.locator('#request > button').click();
      await tab.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    ...page('site request sent', '/request-account'),
    open: answering(
      {
        'POST account-requests/ticket': { status: 200, json: { ticket: 'x', prefix: 'x', bits: 1, waitMs: 0 } },
        'POST account-requests': { status: 204 },
      },
      async (tab) => {
        await tab.goto('/request-account');
        await tab.locator('[name=name]').fill('Maria Reyes');
        await tab.locator('[name=company]').fill('Sampaguita Clinic');
        await tab.locator('[name=email]').fill('maria@sampaguita.example');
        await tab.locator('[name=uses][value=notices]').check();
        await tab.locator('[name=monthlyVolume][value=to100k]').check();
        await tab.locator('[name=consent]').check();
        await tab.locator('#request > button').click();
        await tab.locator('#request-sent').waitFor();
      },
    ),
  },
  {
    ...page('site request confirm', '/request-account'),
    open: async (tab) => {
      await tab.goto('/request-account#confirm=abc');
      await tab.locator('#request-confirm').waitFor();
    },
  },
  page('site terms', '/terms-and-conditions'),
  page('site privacy policy', '/privacy-policy'),
  page('site link unknown', '/s/nothing1'),
  door('sign-in', signIn),
  door(
    'sign-in by code',
    answering({ 'POST codes': codeSent }, async (tab, t) => {
      await signIn(tab);
      await card(tab)
        .getByRole('tab', { name: t('session.tab.email') })
        .click();
      await card(tab).getByLabel(t('passwords.email'), { exact: true }).fill('maria@shop.example');
      await card(tab)
        .getByRole('button', { name: t('passwords.code.send') })
        .click();
      await card(tab).getByText(t('passwords.code.sentHint')).waitFor();
    }),
  ),
  door('sign-in with puzzle', (tab, t) =>
    answering({ 'POST session': problem(403, 'CAPTCHA_REQUIRED', { count: 3 }) }, async () => {
      await submitAccount(tab, t);
      await card(tab).getByRole('slider').waitFor();
    })(tab, t),
  ),
  door(
    'sign-in locked',
    answering({ 'POST session': problem(429, 'SIGN_IN_LOCKED', { retryAfterS: 840 }) }, async (tab, t) => {
      await submitAccount(tab, t);
      await card(tab).getByText(t('session.locked')).waitFor();
    }),
  ),
  door(
    'sign-in second factor',
    answering(
      {
        'POST session': problem(401, 'SECOND_FACTOR_REQUIRED', {
          challenge: 'x',
          methods: 'totp,recoveryCode,passkey',
        }),
      },
      async (tab, t) => {
        await submitAccount(tab, t);
        await card(tab)
          .getByRole('heading', { name: t('secondFactor.title') })
          .waitFor();
      },
    ),
  ),
  door('password by phone', async (tab, t) => {
    await tab.goto('/?login=1&forgot=phone');
    await card(tab).getByLabel(t('passwords.phone'), { exact: true }).waitFor();
  }),
  door('password by email', resetByEmail(1)),
  door('password by email, code', resetByEmail(2)),
  door('password by email, new password', resetByEmail(3)),
  door(
    'invitation',
    answering(
      {
        'POST invitations/check': {
          status: 200,
          json: {
            customerName: 'Sari-Sari Mart',
            invitedBy: 'Demo',
            email: 'maria@shop.example',
            role: 'member',
            expiresTime: '2026-12-01T01:00:00.000Z',
            kind: 'new',
            account: 'maria',
            name: '',
          },
        },
      },
      async (tab, t) => {
        await tab.goto('/invitation#token=x');
        await tab.getByLabel(t('invitations.name'), { exact: true }).waitFor();
      },
    ),
  ),
  door('invitation refused', async (tab, t) => {
    await tab.goto('/invitation#token=no-such-link');
    await tab.getByText(t('invitations.refused')).first().waitFor();
  }),
  door(
    'set up',
    answering({ 'POST setup/check': { status: 204 } }, async (tab, t) => {
      await tab.goto('/setup#token=x');
      await tab.getByRole('button', { name: t('setup.submit') }).waitFor();
    }),
  ),
  door('set up refused', async (tab) => {
    await tab.goto('/setup#token=no-such-link');
    await tab.getByRole('heading', { level: 1 }).waitFor();
  }),
];
