/**
 * A search of records that takes longer than one page: it continues automatically, shows how far back it is, and stops
 * on request.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makePool, messageIdAt } from '@pahatid/db';
import type { Browser } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import { look } from './look.ts';
import { signIn } from './people.ts';
import { Product } from './product.ts';
import { wordsOf } from './words.ts';

const t = wordsOf('en-US');
/** More than one page looks at. */
const count = 150_000;
let product: Product;
let browser: Browser;

before(async () => {
  [product, browser] = await Promise.all([Product.start(), launchBrowser()]);
  const pool = makePool({ url: await product.databaseUrl(), applicationName: 'pahatid test' });
  await fillRecords(pool);
  await pool.end();
});
after(async () => {
  await browser.close();
  await product.stop();
});

/** Messages of the demo shop of three days ago, all to numbers that begin with 63998; the oldest of them with 63997. */
async function fillRecords(pool: ReturnType<typeof makePool>): Promise<void> {
  const { rows } = await pool.query(
    "select a.customer_id, a.app_id, r.route_id, r.supplier_id from application a, route r where a.app_id = 'demoapp' limit 1",
  );
  const { customer_id, app_id, route_id, supplier_id } = rows[0];
  const startMs = Math.floor(Date.now() / 60_000) * 60_000 - 3 * 86_400_000;
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id, send_status, client_status)
     select $1, $2::bigint + ((n / 1000)::bigint << 28) + n % 1000, $3, 2,
       case when n < 3 then '63997' else '63998' end || lpad(n::text, 7, '0'), 'PH', 'SARISARI', 'Hello', 1, 'SenderPays', 0,
       $4, $5, 3, 2 from generate_series(0, $6::int - 1) n`,
    [customer_id, String(messageIdAt(startMs, 254)), app_id, route_id, supplier_id, count],
  );
  await pool.query(
    `insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
       req_total, req_success, receipt_success)
     select $1, $2::timestamptz + n * interval '1 minute', $3, 'PH', '', 'SARISARI', 2, $4, 254, c, c, c from (
       select (n / 1000) * 1024 / 60000 as n, count(*) as c from generate_series(0, $5::int - 1) n group by 1) m`,
    [customer_id, new Date(startMs), app_id, route_id, count],
  );
}

test('a search runs until it has all results; stopped, it shows where, and continues from there', async () => {
  const { context, page, errors } = await openVisitor(browser, product.url);
  await signIn(page, t, 'demo');
  // Each response is released by the test.
  let letGo: (() => void)[] = [];
  let isHeld = true;
  await page.route(/\/api\/v1\/records\?/, async (route) => {
    if (isHeld && route.request().url().includes('cursor=')) await new Promise<void>((go) => letGo.push(go));
    await route.continue();
  });
  await page.goto('/bussinessStatistics/sendRecord?phoneAddress=63997');
  const stop = page.getByRole('button', { name: t('ui.scan.stop'), exact: true });
  await stop.waitFor();
  await page
    .getByText(t('ui.scan.back', { time: '' }).trim())
    .first()
    .waitFor();
  assert.equal(await page.getByText(t('ui.noMatches')).count(), 0);
  await look(page, 'records-searching');
  await stop.click();
  await page.getByRole('status').getByText(t('ui.scan.stopped')).waitFor();
  assert.equal(await page.getByText(t('ui.noMatches')).count(), 0);
  isHeld = false;
  for (const go of letGo) go();
  letGo = [];
  await page.getByRole('button', { name: t('ui.scan.resume'), exact: true }).click();
  await page.locator('tbody tr').nth(2).waitFor();
  await stop.waitFor({ state: 'detached' });
  assert.equal(await page.locator('tbody tr').count(), 3);
  assert.deepEqual(errors, []);
  await context.close();
});
