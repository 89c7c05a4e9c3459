/** Makes the README's pictures out of the product as it is: `npm run pictures`. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { until } from '@pahatid/testkit';
import type { Page } from 'playwright-core';
import { launchBrowser, openVisitor } from './browser.ts';
import { choose, signIn } from './people.ts';
import { makePhoneFile } from './phone-files.ts';
import { Product } from './product.ts';
import { prepareTask } from './send-task.ts';
import { wordsOf } from './words.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/pictures');
const size = { width: 1440, height: 1000 };
const words = wordsOf('en-US');

const take = async (page: Page, name: string): Promise<void> => {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
};

/** A half-sent task: carriers that accept 600 per second and respond slowly, like real ones. */
async function pictureOfTask(product: Product, page: Page): Promise<void> {
  const user = await product.signIn('demo');
  await product.setCarriers({ tps: 250, receiptDelay: { fromMs: 300, toMs: 2500 } });
  const task = await prepareTask(user, makePhoneFile('csv', 12_000, 5), 'Pick-up notices, all branches');
  await user.call('POST /tasks/:taskId/confirm', { params: { taskId: task.taskId } });
  await page.goto(`/bulkMessage?open=${task.taskId}`);
  await until(
    async () => (await user.call('GET /tasks/:taskId', { params: { taskId: task.taskId } })).successCount > 7000,
    { timeoutMs: 60_000, everyMs: 100, what: 'half of the task' },
  );
  await page.screenshot({ path: path.join(folder, 'task.png') });
}

async function pictureOfCreate(page: Page): Promise<void> {
  const file = makePhoneFile('xlsx', 3000, 6);
  await page.goto('/bulkMessage/addMessage');
  await choose(page, words('tasks.application'), 'Store notices');
  await page.getByLabel(words('tasks.name')).fill('Orders ready on Monday');
  await page.getByText(words('tasks.smsType.2'), { exact: true }).click();
  await choose(page, words('tasks.template'), 'Order ready for pick-up');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'orders-ready.xlsx', mimeType: 'application/octet-stream', buffer: file.bytes });
  await page.getByText(words('tasks.upload.sent')).waitFor({ timeout: 60_000 });
  await page.locator('.tasks-carriers').first().waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.mouse.move(0, 0);
  await take(page, 'create');
}

/** A key made in the quick start, in the call that it is for. */
async function pictureOfQuickStart(page: Page): Promise<void> {
  await page.goto('/docs');
  await page.getByRole('button', { name: 'Create a test key' }).click();
  await page.getByText('The key is in the call below.').waitFor();
  await take(page, 'quick-start');
}

mkdirSync(folder, { recursive: true });
const product = await Product.start();
const browser = await launchBrowser();
try {
  const { page } = await openVisitor(browser, product.url, size);
  await signIn(page, words, 'demo');
  await page.goto('/home?range=7days');
  await take(page, 'home');
  // Messages with an outcome, not those that a paused task still holds.
  await page.goto('/bussinessStatistics/sendRecord?clientStatus=2,3,4,5');
  await page.getByRole('table').getByRole('row').nth(3).waitFor();
  await take(page, 'records');
  await page.goto('/bussinessStatistics/statistics?type=bar&by=logDate,carrier&metrics=receiptSuccessNum');
  await page.locator('.statistics-canvas canvas').first().waitFor();
  await take(page, 'statistics');
  await pictureOfCreate(page);
  await pictureOfTask(product, page);
  await pictureOfQuickStart(page);
  const dark = await openVisitor(browser, product.url, { ...size, locale: 'zh-CN', dark: true });
  await signIn(dark.page, wordsOf('zh-CN'), 'demo');
  await dark.page.goto('/home?range=7days');
  await take(dark.page, 'home-dark');
  const staff = await openVisitor(browser, product.url, size);
  await signIn(staff.page, words, 'reviewer');
  await staff.page.goto('/review');
  await staff.page.getByRole('table').getByRole('button', { name: 'Delivery on its way' }).click();
  await take(staff.page, 'review');
} finally {
  await browser.close();
  await product.stop();
}
