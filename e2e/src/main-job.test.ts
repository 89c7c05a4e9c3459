/**
 * The main job as a new user does it, in a real browser: application, template, review, file, task, progress. At its
 * end every number on every screen is that of the carrier's journal.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { until } from '@pahatid/testkit';
import { openVisitor } from './browser.ts';
import { look } from './look.ts';
import { addApplication, addTemplate, approve, createTask, openScreen, registerSender, signIn } from './people.ts';
import { type FileKind, makePhoneFile } from './phone-files.ts';
import { shareProduct } from './shared-product.ts';
import { wordsOf } from './words.ts';

const { product, browser } = await shareProduct();

const journeys: { locale: string; kind: FileKind; count: number; senderId: string; seed: number }[] = [
  { locale: 'zh-CN', kind: 'csv', count: 10_000, senderId: 'TINDAHAN', seed: 1 },
  { locale: 'en-US', kind: 'xlsx', count: 2_000, senderId: 'PALENGKE', seed: 2 },
  { locale: 'en-US', kind: 'xls', count: 500, senderId: 'SULIT24', seed: 3 },
];

const content = 'Hi {1}, order {2} waits for you at our {3} branch until 8 PM today.';

for (const { locale, kind, count, senderId, seed } of journeys)
  test(`a new user sends a ${kind} of ${count} phones in ${locale}, and every number agrees`, {
    timeout: 600_000,
  }, async (t) => {
    const words = wordsOf(locale);
    const number = (n: number) => new Intl.NumberFormat(locale).format(n);
    const application = `Branch ${seed}`;
    const template = `Pick-up ${seed}`;
    const taskName = `First task ${seed}`;
    const file = makePhoneFile(kind, count, seed);
    const before = await product.journal();
    const user = await product.signIn('demo');
    const balanceBefore = (await user.call('GET /session')).customer?.balance ?? 0;

    const { page, context, errors } = await openVisitor(browser, product.url, { locale });
    await signIn(page, words, 'demo');
    const secrets = await addApplication(page, words, application);
    assert.equal(secrets.length, 2);
    assert.ok((secrets[1]?.length ?? 9) <= 8, 'an SMPP password has at most 8 characters');
    await addTemplate(page, words, application, template, content);
    await registerSender(page, words, application, senderId);

    const reviewer = await openVisitor(browser, product.url, { locale });
    await signIn(reviewer.page, words, 'reviewer');
    await approve(reviewer.page, words, template);
    await approve(reviewer.page, words, senderId);
    assert.deepEqual(reviewer.errors, []);
    await reviewer.context.close();

    await createTask(page, words, { taskName, application, template, senderId, file }, number);
    await look(page, `${locale}-${kind}-confirm`);
    await page.getByRole('button', { name: words('tasks.confirm.send') }).click();
    const { items } = await user.call('GET /tasks', { query: { search: taskName } });
    const taskId = items[0]?.taskId ?? '';
    const moment = await until(
      async () => {
        const task = await user.call('GET /tasks/:taskId', { params: { taskId } });
        const settled = task.deliveredCount + task.undeliveredCount + task.unknownCount + task.failedCount;
        return task.taskStatus === TaskStatus.Completed && settled === task.totalCount && task;
      },
      { timeoutMs: 240_000, everyMs: 100, what: 'the task to be completed with all receipts' },
    );

    // The carrier's journal is the judge.
    const sent = (await product.journal()).slice(before.length);
    const accepted = sent.filter((entry) => entry.status === 0);
    assert.deepEqual(new Set(sent.map((entry) => entry.destination)), new Set(file.valid.map((row) => row.msisdn)));
    assert.equal(new Set(accepted.map((entry) => entry.destination)).size, accepted.length, 'nothing sent twice');
    const first = file.valid[0];
    const expected = `Hi ${first?.values[0]}, order ${first?.values[1]} waits for you at our ${first?.values[2]} branch until 8 PM today.`;
    assert.equal(sent.find((entry) => entry.destination === first?.msisdn)?.text, expected);
    assert.ok(sent.every((entry) => entry.source === senderId));
    assert.equal(moment.totalCount, count);
    assert.equal(moment.successCount, accepted.length);
    assert.equal(moment.failedCount, count - accepted.length);
    assert.equal(moment.chargedSegments, accepted.length);
    assert.deepEqual(
      [moment.file?.rejectedCount, moment.file?.duplicateCount, moment.file?.totalRows],
      [file.rejected, file.duplicates, count + file.rejected + file.duplicates],
    );
    t.diagnostic(`accepted ${accepted.length}, delivered ${moment.deliveredCount}, refused ${moment.failedCount}`);

    // The task's drawer, as updated by the live events.
    const drawer = page.getByRole('dialog', { name: taskName });
    for (const n of [moment.deliveredCount, count])
      await drawer.getByText(number(n), { exact: false }).first().waitFor();
    await drawer.getByText(words('tasks.status.6')).first().waitFor();
    await look(page, `${locale}-${kind}-done`);
    await drawer.getByRole('tab', { name: words('tasks.tab.detail') }).click();
    await drawer.getByRole('table').getByRole('row').nth(1).waitFor();
    await look(page, `${locale}-${kind}-detail`);

    // Lists, log, records, reject report and balance.
    const csvLines = async (path: string): Promise<number> => {
      const text = await (await user.fetch(path, { headers: { accept: 'text/csv' } })).text();
      return text.trimEnd().split('\r\n').length - 1;
    };
    assert.equal(await csvLines(`/tasks/${taskId}/details`), count);
    assert.equal(await csvLines(`/records?taskId=${taskId}`), count);
    assert.equal(await csvLines(`/records?taskId=${taskId}&clientStatus=2`), moment.deliveredCount);
    assert.equal(await csvLines(`/tasks/${taskId}/rejects`), file.rejected);
    const log = await user.call('GET /tasks/:taskId/log', { params: { taskId } });
    const sum = (of: (line: (typeof log.items)[number]) => number) =>
      log.items.reduce((total, line) => total + of(line), 0);
    assert.deepEqual(
      [sum((line) => line.totalCount), sum((line) => line.successCount), sum((line) => line.failedCount)],
      [count, accepted.length, count - accepted.length],
    );
    const { customer } = await user.call('GET /session');
    assert.equal(customer?.balance, balanceBefore - accepted.length * (moment.price ?? 0));

    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: taskName });
    await row.getByText(number(accepted.length), { exact: true }).first().waitFor();
    await openScreen(page, words, 'shell.menu.records');
    await page.getByText(senderId).first().waitFor();
    await look(page, `${locale}-${kind}-records`);
    await openScreen(page, words, 'shell.menu.home');
    await page
      .getByText(taskName)
      .or(page.getByRole('heading', { level: 1 }))
      .first()
      .waitFor();
    await look(page, `${locale}-${kind}-home`);
    assert.deepEqual(errors, [], 'nothing complained in the console');
    await context.close();
  });
