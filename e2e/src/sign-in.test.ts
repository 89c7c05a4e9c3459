/**
 * Signing in after failures, in a real browser: the count, the puzzle by keys, by dragging in right-to-left layout, and
 * as a text question. The position of the piece is read from the database: the browser never receives it.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { one, sql } from '@pahatid/db';
import { buildCustomer, buildUser, defaultPassword } from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';
import type { Locator, Page } from 'playwright-core';
import { type Look, launchBrowser, openVisitor } from './browser.ts';
import { findViolations } from './find-violations.ts';
import { look } from './look.ts';
import { Product } from './product.ts';
import { type Words, wordsOf } from './words.ts';

const db = await testDatabase({ migrated: false });
const product = await Product.start({
  DATABASE_URL: db.url,
  PAHATID_SECRET: randomBytes(32).toString('hex'),
  // Addresses come from a header here, which the demo refuses.
  PAHATID_DEMO: 'off',
  PAHATID_ROLES: 'api',
  PAHATID_TRUST_PROXY: '127.0.0.1',
});
const browser = await launchBrowser();
db.beforeClose(async () => {
  await browser.close();
  await product.stop();
});

const customerId = await buildCustomer(db.pool);
for (const account of ['ana', 'ben', 'carla', 'dora']) await buildUser(db.pool, { customerId, account, role: 'owner' });

interface Visit {
  page: Page;
  card: Locator;
  t: Words;
  errors: string[];
}

/** Opens the sign-in card for a visitor with a separate address. */
async function openCard(address: string, seen: Look & { locale: string }): Promise<Visit> {
  const { page, context, errors } = await openVisitor(browser, product.url, seen);
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': address });
  await page.goto('/?login=1');
  return { page, card: page.getByRole('dialog'), t: wordsOf(seen.locale), errors };
}

async function failThreeTimes({ card, t }: Visit, account: string): Promise<void> {
  await card.getByLabel(t('session.account')).fill(account);
  await card.getByLabel(t('session.password'), { exact: true }).fill('Wrong@1234');
  for (const count of [1, 2, 3]) {
    await card.getByRole('button', { name: t('session.submit'), exact: true }).click();
    await card.getByText(t('error.PASSWORD_INCORRECT', { count }), { exact: true }).waitFor();
  }
  await card.getByText(t('error.CAPTCHA_REQUIRED')).waitFor();
  await card.getByLabel(t('session.password'), { exact: true }).fill(defaultPassword);
}

async function enter({ page, card, t, errors }: Visit): Promise<void> {
  await card.getByText(t('captcha.passed')).waitFor();
  await card.getByRole('button', { name: t('session.submit'), exact: true }).click();
  await page.waitForURL(/\/home$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.deepEqual(
    errors.filter((text) => !/status of 40[13]/.test(text)),
    [],
  );
  await page.context().close();
}

/** Returns the position at which the piece of the newest puzzle fits. */
const findPlace = async (): Promise<number> => {
  const { position } = await one<{ position: number }>(
    db.pool,
    sql`select (answer ->> 'position')::int as position from captcha where kind = 'slider' order by created_at desc limit 1`,
  );
  return position;
};

/**
 * Holds an arrow key as long as necessary: faster than a hand, and the shortest path would be classified as a
 * program's.
 */
async function moveByKeys(page: Page, slider: Locator, key: string, place: number): Promise<void> {
  await slider.focus();
  for (let n = 0; n < Math.round(place / 2); n++) await page.keyboard.press(key, { delay: 10 + (n % 3) });
  await page.keyboard.press('Enter');
}

test('after three wrong passwords, on a phone in the dark, the piece is moved into place by keys and the right one lets in', async () => {
  const visit = await openCard('203.0.113.66', { locale: 'zh-CN', width: 390, height: 844, dark: true });
  const { page, card, t } = visit;
  await failThreeTimes(visit, 'ana');
  const slider = card.getByRole('slider', { name: t('captcha.slider') });
  await slider.waitFor();
  await look(page, 'sign-in-puzzle-zh-CN');
  assert.deepEqual(await findViolations(page), []);

  await card.getByRole('button', { name: t('session.submit'), exact: true }).click();
  await card.getByText(t('captcha.missing')).waitFor();
  // The wrong place first: it costs the puzzle, and a new one comes.
  const earlier = await findPlace();
  await moveByKeys(page, slider, 'ArrowRight', earlier > 150 ? earlier - 60 : earlier + 60);
  await card.getByText(t('error.CAPTCHA_FAILED')).waitFor();
  await slider.and(card.locator(':enabled[value="0"]')).waitFor();
  await moveByKeys(page, slider, 'ArrowRight', await findPlace());
  await enter(visit);
});

test('where lines start at the right, a hand drags the piece to the left, and it fits', async () => {
  const visit = await openCard('203.0.113.77', { locale: 'ar-EG' });
  const { page, card, t } = visit;
  await failThreeTimes(visit, 'ben');
  const slider = card.getByRole('slider', { name: t('captcha.slider') });
  // Its final position: content loading above may push it down.
  await card.locator('.captcha-track').hover();
  const track = await slider.boundingBox();
  assert.ok(track);
  const place = await findPlace();
  const thumb = track.width / 6;
  const from = track.x + track.width - thumb / 2;
  const y = track.y + track.height / 2;
  const way = (place / 300) * (track.width - thumb);
  await page.mouse.move(from, y);
  await page.mouse.down();
  for (let n = 1; n <= 30; n++) {
    const share = n / 30;
    await page.mouse.move(from - way * share * share * (3 - 2 * share), y + (n % 3));
    await page.waitForTimeout(12);
  }
  await look(page, 'sign-in-puzzle-ar');
  await page.mouse.up();
  await enter(visit);
});

test('users that cannot see or slide answer a text question', async () => {
  const visit = await openCard('203.0.113.88', { locale: 'en-US' });
  const { page, card, t } = visit;
  await failThreeTimes(visit, 'carla');
  await card.getByRole('button', { name: t('captcha.other.slider') }).click();
  const answer = card.getByLabel(t('captcha.words.digits'));
  await answer.waitFor();
  await look(page, 'sign-in-words');
  assert.deepEqual(await findViolations(page), []);
  await answer.fill(String(solve(t, (await card.locator('.captcha-words label span').first().textContent()) ?? '')));
  await answer.press('Enter');
  await enter(visit);
});

test('after a reload the first refused attempt shows how often the password was wrong, beside the puzzle', async () => {
  const visit = await openCard('203.0.113.99', { locale: 'en-US' });
  const { page, card, t } = visit;
  await failThreeTimes(visit, 'dora');
  await page.reload();
  await card.getByLabel(t('session.account')).fill('dora');
  await card.getByLabel(t('session.password'), { exact: true }).fill(defaultPassword);
  assert.equal(await card.getByText(t('error.CAPTCHA_REQUIRED')).count(), 0);
  await card.getByRole('button', { name: t('session.submit'), exact: true }).click();
  await card.getByText(t('error.CAPTCHA_REQUIRED')).waitFor();
  const puzzle = card.getByRole('group', { name: t('captcha.title.slider') });
  await puzzle.getByText(t('error.PASSWORD_INCORRECT', { count: 3 }), { exact: true }).waitFor();
  await look(page, 'sign-in-puzzle-reloaded');
  const slider = card.getByRole('slider', { name: t('captcha.slider') });
  await slider.and(card.locator(':enabled')).waitFor();
  await moveByKeys(page, slider, 'ArrowRight', await findPlace());
  await enter(visit);
});

/** As a person reads it. */
function solve(t: Words, question: string): number {
  const numberOf = (word: string): number =>
    Array.from({ length: 19 }, (_, n) => n + 2).find((n) => t(`captcha.number.${n}`) === word) ?? Number.NaN;
  const reckoned = /is (\w+) (plus|minus) (\w+)/.exec(question);
  if (reckoned !== null) {
    const [, first = '', sign, second = ''] = reckoned;
    return numberOf(first) + numberOf(second) * (sign === 'plus' ? 1 : -1);
  }
  const [, word = '', list = ''] = /“(\w+)”.*: (.+)\?/.exec(question) ?? [];
  return list.split(', ').indexOf(word) + 1;
}
