/**
 * What users do with a task after and around its sending, in a real browser: quiet hours, a workbook of several sheets,
 * retry, fixing a rejected task, pause, resume, terminate. The carrier's journal decides what was sent; concurrent
 * staff actions use the API, as other journeys test their screens.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReviewPolicy, SmsType, type TaskDetail, TaskStatus } from '@pahatid/contract';
import { until } from '@pahatid/testkit';
import type { Page } from 'playwright-core';
import { type Look, openVisitor } from './browser.ts';
import { look } from './look.ts';
import { choose } from './people.ts';
import { makePhoneFile, makeWorkbook } from './phone-files.ts';
import { prepareTask } from './send-task.ts';
import { shareProduct } from './shared-product.ts';
import { type Words, wordsOf } from './words.ts';

const { product, browser } = await shareProduct();
const user = await product.signIn('demo');
const admin = await product.signIn('admin');
const reviewer = await product.signIn('reviewer');
const { customer } = await user.call('GET /session');
const customerId = customer?.customerId ?? '';

/** A browser with a session: how people sign in is another journey. */
const visit = async (
  account: string,
  look: Look = {},
): Promise<{ page: Page; t: Words; leave: () => Promise<void> }> => {
  const t = wordsOf(look.locale ?? 'en-US');
  const { page, context, errors } = await openVisitor(browser, product.url, look);
  const cookies = (await product.cookieOf(account)).split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url: product.url };
  });
  await context.addCookies(cookies);
  return {
    page,
    t,
    leave: async () => {
      assert.deepEqual(errors, [], 'nothing complained in the console');
      await context.close();
    },
  };
};
/** segments a second that all carriers take, as staff agreed with them. */
const setLimits = async (tps: number): Promise<number> => {
  const { items } = await admin.call('GET /suppliers', {});
  for (const { supplierId, version } of items)
    await admin.call('PATCH /suppliers/:supplierId', { params: { supplierId }, body: { version, tps } });
  return items[0]?.tps ?? assert.fail('the demo has suppliers');
};
const decide = async (kind: 'templates' | 'tasks', id: string, reason: string | null): Promise<void> => {
  const params = { kind, id };
  await reviewer.call('POST /reviews/:kind/:id/claim', { params });
  if (reason === null) await reviewer.call('POST /reviews/:kind/:id/approve', { params, body: {} });
  else await reviewer.call('POST /reviews/:kind/:id/reject', { params, body: { reason } });
};
const taskNamed = async (taskName: string): Promise<TaskDetail> => {
  const { items } = await user.call('GET /tasks', { query: { search: taskName } });
  return user.call('GET /tasks/:taskId', { params: { taskId: items[0]?.taskId ?? '' } });
};
const untilTask = (taskId: string, is: (task: TaskDetail) => boolean, what: string): Promise<TaskDetail> =>
  until(
    async () => {
      const task = await user.call('GET /tasks/:taskId', { params: { taskId } });
      return is(task) && task;
    },
    { timeoutMs: 180_000, everyMs: 100, what },
  );
const hasReceipts = (task: TaskDetail): boolean =>
  task.taskStatus === TaskStatus.Completed &&
  task.deliveredCount + task.undeliveredCount + task.unknownCount + task.failedCount === task.totalCount;

const fillTask = async (page: Page, t: Words, taskName: string, smsType: SmsType, template: string): Promise<void> => {
  await page.goto('/bulkMessage/addMessage');
  await choose(page, t('tasks.application'), 'Store notices');
  await page.getByLabel(t('tasks.name')).fill(taskName);
  await page.locator('.option-title', { hasText: t(`tasks.smsType.${smsType}`) }).click();
  await choose(page, t('tasks.template'), template);
};
const upload = (page: Page, file: { name: string; bytes: Buffer }): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: file.name, mimeType: 'application/octet-stream', buffer: file.bytes });

test('while a marketing task is created, the page shows the effect of the quiet hours', {
  timeout: 600_000,
}, async () => {
  // One segment per second each: half of the phones are Globe's, so the total is two per second.
  const usual = await setLimits(1);
  const { page, t, leave } = await visit('demo');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await page.clock.setFixedTime(`${tomorrow}T20:50:00+08:00`);
  await fillTask(page, t, 'Offer at dusk', SmsType.Marketing, 'Weekend offer');
  await upload(page, makePhoneFile('csv', 3_000, 4));
  await page.getByText(t('tasks.upload.sent')).waitFor();
  // 1,200 in the ten minutes that are left of the day.
  const note = page.getByText('The task will not finish before quiet hours');
  await note.waitFor();
  assert.match((await note.textContent()) ?? '', /about 1,800 recipients wait from .*\b21:00 until .*\b07:00\b/);
  await look(page, 'quiet-paused');

  await page.getByText(t('tasks.when.later'), { exact: true }).click();
  const plan = page.getByRole('textbox', { name: t('tasks.planTime') });
  await plan.fill(`${tomorrow} 22:15`);
  await plan.press('Enter');
  await page.getByText(/All 3,000 recipients wait until .*\b07:00 \(Manila, UTC\+8\)/).waitFor();
  await look(page, 'quiet-held');
  await plan.fill(`${tomorrow} 20:55`);
  await plan.press('Enter');
  await page.getByText('about 2,400 recipients wait').waitFor();
  await page.locator('.option-title', { hasText: t('tasks.smsType.2') }).click();
  await page.getByText('about 2,400 recipients wait').waitFor({ state: 'detached' });

  // Repeated in the last confirmation before it is sent.
  await page.clock.setFixedTime(`${tomorrow}T22:00:00+08:00`);
  const { taskId } = await prepareTask(user, makePhoneFile('csv', 20, 4), 'Offer by night', 'Weekend offer');
  await page.goto(`/bulkMessage?open=${taskId}&confirm=1`);
  await page
    .getByRole('dialog')
    .last()
    .getByText(/All 20 recipients wait until/)
    .waitFor();
  await look(page, 'quiet-confirm');
  await setLimits(usual);
  await leave();
});

test('a workbook of several sheets: the sheet, the columns and the preview are chosen, and the numbers follow', {
  timeout: 600_000,
}, async () => {
  const { page, t, leave } = await visit('demo');
  const header = ['branch', 'order', 'customer', 'mobile'];
  const rowsOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => [
      'Makati',
      `SM-${n}`,
      `Ana ${n}`,
      `0917${String(from + n).padStart(7, '0')}`,
    ]);
  const book = makeWorkbook('branches.xlsx', {
    Notes: [['Phones of June'], ['Ask Ana']],
    North: [header, ...rowsOf(7_100_000, 12), ['Makati', 'SM-X', 'Bad', '12345']],
    South: [header, ...rowsOf(7_200_000, 30), ['Makati', 'SM-0', 'Ana 0', '09177200000']],
  });
  await fillTask(page, t, 'Branches by sheet', SmsType.Notification, 'Order ready for pick-up');
  await upload(page, book);
  await page.getByText(t('error.FILE_NO_PHONE_COLUMN')).waitFor();
  await look(page, 'sheets-first-empty');
  await choose(page, t('tasks.mapping.sheet'), 'North');
  const counts = page.locator('.tasks-file-counts dd');
  const untilCounted = (wanted: string) =>
    until(async () => (await counts.allTextContents()).join(' ') === wanted, { what: `the counts ${wanted}` });
  await untilCounted('12 1 0 0');
  await choose(page, t('tasks.mapping.sheet'), 'South');
  await untilCounted('30 0 1 0');

  // Suggested in the order of the columns; the author knows better.
  await choose(page, t('tasks.mapping.useOf', { name: 'customer' }), '{1}');
  await choose(page, t('tasks.mapping.useOf', { name: 'order' }), '{2}');
  await choose(page, t('tasks.mapping.useOf', { name: 'branch' }), '{3}');
  const preview = page.locator('.tasks-preview-phone');
  await preview.getByText('Ana 0').waitFor();
  await until(
    async () => /Hi Ana 0, order SM-0 is ready at our Makati branch/.test((await preview.textContent()) ?? ''),
    { what: 'the preview of the columns that were chosen' },
  );
  await page.getByRole('button', { name: t('tasks.preview.next') }).click();
  await preview.getByText('SM-1', { exact: true }).waitFor();
  await look(page, 'sheets-mapped');

  const before = (await product.journal()).length;
  await page.getByRole('button', { name: t('tasks.check') }).click();
  await page.getByRole('button', { name: t('tasks.confirm.send') }).click();
  const { taskId } = await taskNamed('Branches by sheet');
  const done = await untilTask(taskId, hasReceipts, 'the sheet to be sent');
  assert.equal(done.totalCount, 30);
  const sent = (await product.journal()).slice(before);
  assert.deepEqual(new Set(sent.map(({ destination }) => destination.slice(0, 7))), new Set(['6391772']));
  assert.match(sent.find(({ destination }) => destination === '639177200007')?.text ?? '', /^Hi Ana 7, order SM-7 is /);
  await leave();
});

test('retry resends only to the failed recipients, and every number agrees', {
  timeout: 600_000,
}, async () => {
  const file = makePhoneFile('csv', 400, 5);
  const prepared = await prepareTask(user, file, 'Every fourth refused');
  const { taskId } = prepared;
  const before = (await product.journal()).length;
  await product.setFaults({ errors: [{ status: 0x65, rate: 0.25 }] });
  await user.call('POST /tasks/:taskId/confirm', { params: { taskId } });
  const first = await untilTask(taskId, hasReceipts, 'the first round');
  await product.setFaults(null);
  const firstRound = (await product.journal()).slice(before);
  const accepted = new Set(firstRound.filter(({ status }) => status === 0).map(({ destination }) => destination));
  const refused = file.valid.map(({ msisdn }) => msisdn).filter((msisdn) => !accepted.has(msisdn));
  assert.ok(refused.length > 50);
  assert.deepEqual([first.successCount, first.failedCount], [accepted.size, refused.length]);

  const { page, t, leave } = await visit('demo');
  await page.goto(`/bulkMessage?open=${taskId}`);
  const drawer = page.getByRole('dialog', { name: 'Every fourth refused' });
  await drawer.getByRole('button', { name: t('tasks.act.retry') }).click();
  const question = page.getByRole('alertdialog');
  // The few whose number is unknown to the carrier are never retried.
  const retryable = new Set(firstRound.flatMap(({ status, destination }) => (status === 0x65 ? [destination] : [])));
  await question.getByText(t('deal.REFUSED_BY_CARRIER')).waitFor();
  await look(page, 'retry-asked');
  await question.getByRole('button', { name: `Retry ${retryable.size} recipients` }).click();
  const second = await untilTask(taskId, (task) => task.retryCount === 1 && hasReceipts(task), 'the second round');
  const secondRound = (await product.journal()).slice(before + firstRound.length);
  assert.deepEqual(new Set(secondRound.map(({ destination }) => destination)), retryable);
  const acceptedNow = new Set([
    ...accepted,
    ...secondRound.filter(({ status }) => status === 0).map(({ destination }) => destination),
  ]);
  assert.deepEqual(
    [second.totalCount, second.successCount, second.failedCount, second.chargedSegments],
    [400, acceptedNow.size, 400 - acceptedNow.size, acceptedNow.size],
  );
  await drawer.getByText(t('tasks.status.6')).first().waitFor();
  await drawer.getByText('retried once').waitFor();
  await drawer.getByText(t('tasks.event.retry')).waitFor();
  await drawer.getByText(String(second.deliveredCount), { exact: true }).first().waitFor();
  await look(page, 'retry-done');
  const csv = await (await user.fetch(`/tasks/${taskId}/details`, { headers: { accept: 'text/csv' } })).text();
  assert.equal(csv.trimEnd().split('\r\n').length - 1, 400, 'one row a recipient, the latest of each');
  await leave();
});

test('a rejected template and task show the reason, are corrected, approved and sent', {
  timeout: 600_000,
}, async (context) => {
  await setReviewPolicy(ReviewPolicy.Always);
  context.after(() => setReviewPolicy(ReviewPolicy.Never));
  const name = 'Mended notice';
  const owner = await visit('demo', { locale: 'zh-CN' });
  const { page, t } = owner;
  await page.goto('/smsTemplate');
  await page
    .getByRole('button', { name: t('templates.add') })
    .first()
    .click();
  let drawer = page.getByRole('dialog', { name: t('templates.add') });
  await choose(page, t('templates.application'), 'Store notices');
  await drawer.getByLabel(t('templates.name')).fill(name);
  await drawer.getByLabel(t('templates.content')).fill('Your order waits for you.');
  await drawer.getByRole('button', { name: t('templates.submit') }).click();
  await drawer.waitFor({ state: 'detached' });

  const why = 'Please say which shop is writing.';
  const { items: added } = await user.call('GET /templates', { query: { search: name } });
  const templateId = added[0]?.templateId ?? assert.fail('it was added');
  await decide('templates', templateId, why);
  await page.reload();
  const row = page.getByRole('row', { name });
  await row.getByText(why).waitFor();
  await look(page, 'rejected-template-list');
  await page.getByRole('table').getByRole('button', { name }).or(row).first().click();
  drawer = page.getByRole('dialog', { name });
  await drawer.getByText(why).first().waitFor();
  await look(page, 'rejected-template');
  await drawer.getByRole('button', { name: t('templates.edit.short') }).click();
  drawer = page.getByRole('dialog', { name: t('templates.edit') });
  await drawer.getByText(why).waitFor();
  await look(page, 'rejected-template-edit');
  await drawer.getByLabel(t('templates.content')).fill('Sari-Sari Mart: your order waits for you.');
  await drawer.getByRole('button', { name: t('templates.submit') }).click();
  await drawer.waitFor({ state: 'detached' });
  await decide('templates', templateId, null);

  await fillTask(page, t, 'Mended task', SmsType.Notification, name);
  await upload(page, makePhoneFile('csv', 25, 6));
  await page.getByText(t('tasks.upload.sent')).waitFor();
  await page.getByRole('button', { name: t('tasks.check') }).click();
  await page.getByRole('button', { name: t('tasks.confirm.send') }).click();
  drawer = page.getByRole('dialog', { name: 'Mended task' });
  await drawer.getByText(t('tasks.status.10')).first().waitFor();
  const reason = 'The file is that of another branch.';
  const { taskId } = await taskNamed('Mended task');
  await decide('tasks', taskId, reason);
  // The open drawer updates automatically.
  await drawer.getByText(t('tasks.status.11')).first().waitFor();
  await drawer.getByText(reason).first().waitFor();
  await look(page, 'rejected-task');
  assert.equal((await taskNamed('Mended task')).reservedCost, 0, 'nothing is held back for it');
  await drawer.getByRole('button', { name: t('tasks.act.edit'), exact: true }).click();
  await page.waitForURL(/addMessage/);
  const other = makePhoneFile('csv', 30, 7);
  await page.getByText(t('tasks.upload.sent')).waitFor();
  await upload(page, other);
  await page.getByText('phones-7.csv').waitFor();
  await page.getByText('30', { exact: true }).first().waitFor();
  await look(page, 'rejected-task-edit');
  await page.getByRole('button', { name: t('tasks.check') }).click();
  await page.getByRole('button', { name: t('tasks.confirm.send') }).click();
  await drawer.getByText(t('tasks.status.10')).first().waitFor();
  const before = (await product.journal()).length;
  await decide('tasks', taskId, null);
  const done = await untilTask(taskId, hasReceipts, 'the mended task to be sent');
  assert.equal(done.totalCount, 30);
  assert.deepEqual(
    new Set((await product.journal()).slice(before).map(({ destination }) => destination)),
    new Set(other.valid.map(({ msisdn }) => msisdn)),
  );
  assert.deepEqual(
    done.timeline.flatMap(({ action }) => (['reject', 'edit', 'approve', 'complete'].includes(action) ? [action] : [])),
    ['reject', 'edit', 'approve', 'complete'],
  );
  await drawer.getByText(t('tasks.status.6')).first().waitFor();
  await look(page, 'rejected-task-sent');
  await owner.leave();
});

const setReviewPolicy = async (policy: ReviewPolicy): Promise<void> => {
  const params = { customerId };
  const { version } = await admin.call('GET /customers/:customerId', { params });
  await admin.call('PATCH /customers/:customerId', { params, body: { reviewPolicy: policy, version } });
};

test('pause, resume and terminate take effect within seconds, and list and drawer update live', {
  timeout: 600_000,
}, async () => {
  const taskName = 'Stopped on the way';
  // Messages held by a sender when the task is paused are still sent: up to 1,000 per carrier, so not too slowly.
  const total = 9_000;
  await product.setCarriers({ tps: 150 });
  const { taskId } = await prepareTask(user, makePhoneFile('csv', total, 8), taskName);
  const list = await visit('demo');
  const { page, t, leave } = await visit('demo-member', { width: 390, height: 844 });
  await list.page.goto(`/bulkMessage?search=${encodeURIComponent(taskName)}`);
  const row = list.page.getByRole('row', { name: taskName });
  await row.getByText(t('tasks.status.2')).waitFor();
  await page.goto(`/bulkMessage?open=${taskId}&confirm=1`);
  await page.getByRole('button', { name: t('tasks.confirm.send') }).click();
  await row.getByText(t('tasks.status.5')).waitFor();
  const drawer = page.getByRole('dialog', { name: taskName });
  const progressOf = async (): Promise<number> =>
    Number(
      ((await row.locator('.cell-note', { hasText: ' of ' }).textContent()) ?? '')
        .replace(/.*· /, '')
        .replace(/[ ,].*/, ''),
    );
  await until(async () => (await progressOf()) > 0, { what: 'live progress in the list' });

  await drawer.getByRole('button', { name: t('tasks.act.pause') }).click();
  await drawer.getByText(t('tasks.reason.PAUSED_BY_USER')).waitFor();
  await row.getByText(t('tasks.status.paused', { status: t('tasks.status.5') })).waitFor();
  await look(page, 'paused-390');
  await look(list.page, 'paused-list');
  // Messages claimed before are still submitted; then nothing more.
  const quiet = await until(
    async () => {
      const count = (await product.counters()).received;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return (await product.counters()).received === count && count;
    },
    { what: 'the carriers to hear nothing' },
  );
  await drawer.getByRole('button', { name: t('tasks.act.resume') }).click();
  await until(async () => (await product.counters()).received > quiet, { what: 'sending again' });
  await row.getByText('submitted').waitFor();

  await drawer.getByRole('button', { name: t('tasks.act.terminate') }).click();
  const question = page.getByRole('alertdialog');
  await look(page, 'terminate-asked-390');
  await question.getByRole('button', { name: t('tasks.ask.terminate.confirm') }).click();
  await drawer.getByText(t('tasks.status.9')).first().waitFor();
  await row.getByText(t('tasks.status.9')).waitFor();
  const ended = await untilTask(
    taskId,
    (task) =>
      task.endTime !== null && task.deliveredCount + task.undeliveredCount + task.unknownCount === task.successCount,
    'the rest to be written as never sent',
  );
  const accepted = (await product.journal()).filter(
    ({ destination, status }) => status === 0 && destination.slice(5, 6) === '8',
  ).length;
  assert.deepEqual([ended.successCount, ended.failedCount], [accepted, total - accepted]);
  assert.equal(ended.chargedSegments, accepted);
  assert.ok(accepted < total, 'it was stopped on the way');
  await row
    .getByText(new Intl.NumberFormat('en').format(total - accepted), { exact: true })
    .first()
    .waitFor();
  await look(page, 'terminated-390');
  await look(list.page, 'terminated-list');
  assert.equal(ended.reservedCost, 0, 'nothing is held back for it');
  await product.setCarriers({ tps: 3_000 });
  await list.leave();
  await leave();
});
